/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files a run executes code of that have no traps registered.
 */
#ifndef _CHESS_MAPPED_H
#define _CHESS_MAPPED_H

#include <linux/bitmap.h>
#include <linux/sizes.h>
#include <linux/types.h>

struct chess_object_name;
struct chess_quota;
struct vm_area_struct;

/* Files without traps that one run reports, and the length of their names. */
#define CHESS_MAX_MAPPED	512
#define CHESS_MAPPED_BYTES	SZ_32K

/**
 * struct chess_mapped - files a run executes code of that have no traps registered
 * @text: a line each, see mapped.c
 * @length: of @text, released with smp_store_release() so that the reader needs no lock
 * @id: the same files as inodes, @n of them
 * @n: see @id
 * @translated: those of @id that a program translates
 * @dropped: one found no room
 *
 * Written under group->leaving.
 */
struct chess_mapped {
	char *text;
	u32 length;
	struct chess_object_name *id;
	u32 n;
	DECLARE_BITMAP(translated, CHESS_MAX_MAPPED);
	bool dropped;
};

int chess_mapped_start(struct chess_mapped *m, struct chess_quota *quota);
void chess_mapped_free(struct chess_mapped *m);
bool chess_mapped_note(struct chess_mapped *m, const struct vm_area_struct *vma, bool translated);

#endif /* _CHESS_MAPPED_H */
