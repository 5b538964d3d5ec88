/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Points, blocks, wake-ups and ends.
 */
#ifndef _CHESS_POINT_H
#define _CHESS_POINT_H

#include "chess.h"

enum chess_take chess_point_take(struct chess_task *t, const struct chess_event *e,
				 const struct pt_regs *regs);
u32 chess_point_forced_locked(struct chess_task *t, struct chess_event *e, unsigned int want);
unsigned int chess_point_signal(struct chess_group *g, u64 takers, unsigned int usual,
				int sig);
void chess_point_spun(struct chess_task *t);
void chess_point_quantum(struct chess_task *t, const struct pt_regs *regs);
void chess_point_blocked(struct chess_task *t, unsigned int state);
void chess_point_slept(struct chess_task *t);
void chess_point_woken(struct chess_task *t);
void chess_point_join(struct chess_task *t);
bool chess_point_are_back(struct chess_group *g, const struct chess_task *except, bool before);
void chess_point_dead(struct chess_task *t);
void chess_point_stall_locked(struct chess_group *g, struct chess_task *t);
void chess_point_begin(struct chess_group *g);
int chess_point_release(struct chess_group *g);
void chess_point_end_locked(struct chess_group *g);

/**
 * chess_point_arrived() - a task runs again and wants to go on
 * @t: the task, which is current
 *
 * Context: preempt notifier or task work.
 */
static inline void chess_point_arrived(struct chess_task *t)
{
	/* Parked at a point: nobody takes it out of the enabled set but itself. */
	if (!READ_ONCE(t->enabled) || READ_ONCE(t->kept))
		chess_point_join(t);
}

#endif /* _CHESS_POINT_H */
