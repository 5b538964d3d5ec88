/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Heaps of glibc: what is handed out and given back.
 */
#ifndef _CHESS_HEAP_H
#define _CHESS_HEAP_H

#include <linux/types.h>

struct chess_probe;
struct chess_task;
struct pt_regs;

/**
 * struct chess_piece - of a heap
 * @start: its first byte
 * @bytes: how many the program may use
 * @ret: where the function returns to that it is given to
 */
struct chess_piece {
	unsigned long start;
	unsigned long bytes;
	unsigned long ret;
};

void chess_heap_called(struct chess_task *t, const struct chess_probe *p,
		       const struct pt_regs *regs);
void chess_heap_not_freed(struct chess_task *t, const struct pt_regs *regs);
bool chess_heap_piece(const struct chess_probe *p, const struct pt_regs *regs,
			struct chess_piece *out);

#endif /* _CHESS_HEAP_H */
