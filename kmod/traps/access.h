/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The accesses of a run: which are recorded, which are points.
 */
#ifndef _CHESS_ACCESS_H
#define _CHESS_ACCESS_H

#include "chess.h"
#include "trap.h"

int chess_access_start(struct chess_group *g, u32 max);
void chess_access_free(struct chess_group *g);
int chess_access_set_points(struct chess_group *g, const u64 *words, u32 bytes);
bool chess_access_wants(const struct chess_group *g, const struct chess_probe *p);
enum chess_take chess_access_take(struct chess_task *t, const struct chess_hit *hit,
				  const struct pt_regs *regs);
void chess_access_memory(struct chess_task *t, u8 kind, u64 start, u64 bytes, u64 ip,
			 u32 site);
void chess_access_tell(struct chess_task *t, enum chess_told what, u32 sig, u64 set, u64 how);
void chess_access_missed(struct chess_task *t);
CHESS_HOT bool chess_access_record(struct chess_task *t, const struct chess_hit *hit,
				   const struct pt_regs *regs);

/**
 * chess_access_is_point() - is the site of a trap a point in this run
 * @g: the group
 * @p: the trap, with CHESS_PROBE_ACCESS
 *
 * Context: any.
 * Return: whether it is.
 */
static inline bool chess_access_is_point(const struct chess_group *g, const struct chess_probe *p)
{
	return g->accesses.points && test_bit(p->site, g->accesses.points);
}

#endif /* _CHESS_ACCESS_H */
