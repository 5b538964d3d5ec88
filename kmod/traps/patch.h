/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing to the text of an address space: traps, and the code of their slots.
 */
#ifndef _CHESS_PATCH_H
#define _CHESS_PATCH_H

#include <linux/types.h>

struct chess_image;
struct chess_map;
struct mm_struct;

/**
 * struct chess_patch - traps of a map are written, or taken back
 * @mm: the address space; it has users
 * @map: the map
 * @done: traps that need not be looked at, or NULL
 * @arm: written, not taken back
 * @is_own: the caller is a task of it, and may be made to wait by who serves its memory;
 *	a worker may not, for others would wait for it
 * @wants: only traps for which this is true, or NULL: all
 * @count: how many were
 */
struct chess_patch {
	struct mm_struct *mm;
	struct chess_map *map;
	const unsigned long *done;
	bool arm;
	bool is_own;
	bool (*wants)(const struct chess_image *image, u32 i);
	u32 count;
};

bool chess_patch_text(struct chess_patch *w);
bool chess_patch_one(struct chess_patch *w, u32 n);
bool chess_patch_jump(struct chess_patch *w, u32 n, const u8 *jump);
bool chess_patch_slots(unsigned long addr, const u8 *code, size_t len);
bool chess_patch_is_trap(unsigned long addr);

#endif /* _CHESS_PATCH_H */
