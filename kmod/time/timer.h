/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timers of programs on the group's clock.
 */
#ifndef _CHESS_TIMER_H
#define _CHESS_TIMER_H

#include "chess.h"

struct pt_regs;

/* More than these are the machine's own again, and the run says what it lost. */
#define CHESS_MAX_TIMERS	256

bool chess_timer_answer(struct chess_task *t, struct pt_regs *regs, long nr);
void chess_timer_drain(struct chess_task *t);
void chess_timer_take_over(struct chess_task *t);
void chess_timer_created(struct chess_task *t, const struct pt_regs *regs, long nr, long ret);
bool chess_timer_add_ring(struct chess_task *t, struct hrtimer *ring, s64 value, int clock,
			  bool absolute);
u64 chess_timer_drop_ring(struct chess_group *g, const struct hrtimer *ring);
void chess_timer_executed(struct chess_task *t);
bool chess_timer_is_due_locked(struct chess_group *g, bool stuck, u64 first);
u64 chess_timer_first_locked(const struct chess_group *g);
u64 chess_timer_first_early_locked(const struct chess_group *g);
void chess_timer_put_off_locked(struct chess_group *g, u64 until);
void chess_timer_guard(struct chess_task *t);
void chess_timer_expire_locked(struct chess_group *g, u64 until, bool guards);
bool chess_timer_fire(struct chess_group *g);
void chess_timer_clear(struct chess_group *g);
int chess_timer_init_group(struct chess_group *g);
void chess_timer_free_group(struct chess_group *g);

#endif /* _CHESS_TIMER_H */
