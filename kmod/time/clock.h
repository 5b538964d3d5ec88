/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of a group: the time that its tasks see.
 */
#ifndef _CHESS_CLOCK_H
#define _CHESS_CLOCK_H

#include <linux/time64.h>
#include <linux/types.h>

struct chess_group;
struct chess_task;
struct pt_regs;

/**
 * struct chess_clock - the clock of a group
 * @now: nanoseconds, as the monotonic clock tells them; under plock
 */
struct chess_clock {
	u64 now;
};

/* Where the monotonic clock begins: a machine that has been up for a while. */
#define CHESS_CLOCK_START	(1000ULL * NSEC_PER_SEC)
/*
 * What the real-time clock adds to it. It begins at 2030-01-01 00:00:00 UTC: fixed,
 * so that runs are alike, and ahead, so that no file is newer than now.
 */
#define CHESS_CLOCK_EPOCH	(1893456000ULL * NSEC_PER_SEC - CHESS_CLOCK_START)
/* Each reading moves it, so that a loop until a deadline ends. */
#define CHESS_CLOCK_STEP	(10ULL * NSEC_PER_USEC)

u64 chess_clock_read(struct chess_task *t);
bool chess_clock_answer(struct chess_task *t, struct pt_regs *regs, long nr);
void chess_clock_step_locked(struct chess_task *t);
bool chess_clock_sleeps(int clock);
bool chess_clock_own_instant(const struct chess_group *g, int clock, s64 value, u64 *instant);
bool chess_clock_instant(const struct chess_group *g, int clock, s64 value, u64 *instant);
u64 chess_clock_later(const struct chess_group *g, u64 ns);
u64 chess_clock_put_off(const struct chess_group *g, u64 deadline, u64 until);
void chess_clock_hide(struct chess_task *t);

#endif /* _CHESS_CLOCK_H */
