/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of a program's memory: what processes share, and what is handed out anew.
 */
#ifndef _CHESS_MEMORY_H
#define _CHESS_MEMORY_H

#include "chess.h"

#define CHESS_SHARED_RANGES	32

/**
 * struct chess_shared - mappings that other processes may have as well
 * @count: how many
 * @range: where; end is behind the last byte
 *
 * Of one address space; used by the token holder alone.
 */
struct chess_shared {
	u32 count;
	struct {
		unsigned long start;
		unsigned long end;
	} range[CHESS_SHARED_RANGES];
};

void chess_memory_mapped(struct chess_task *t, const struct pt_regs *regs, long nr, long ret);
void chess_memory_created(struct chess_task *t, bool copied);
void chess_memory_heap(struct chess_task *t, const struct chess_probe *p,
		       const struct pt_regs *regs);
bool chess_memory_is_shared(const struct chess_shared *s, u64 address);

#endif /* _CHESS_MEMORY_H */
