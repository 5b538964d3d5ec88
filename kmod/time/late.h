/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * late.c: deadlines and timers that the owner keeps from passing early.
 */
#ifndef _CHESS_LATE_H
#define _CHESS_LATE_H

#include <linux/types.h>

struct chess_group;
struct chess_task;

/* Names of programs in one attribute, separated by commas. */
#define CHESS_LATE_PROGRAMS	128

/**
 * struct chess_late_rules - what run-start says of them
 * @early_max: one that is further away when it is set does not pass early, nanoseconds; 0: any may
 * @programs: nor does one that a process with one of these names sets
 *
 * Set before a run, and only read in it.
 */
struct chess_late_rules {
	u64 early_max;
	char programs[CHESS_LATE_PROGRAMS];
};

enum chess_late_why {
	CHESS_LATE_NOT,
	CHESS_LATE_FAR,
	CHESS_LATE_NAMED,
};

enum chess_late_why chess_late_why_locked(const struct chess_task *t, u64 deadline);
bool chess_late_comes_locked(const struct chess_group *g);
struct chess_task *chess_late_overdue_locked(const struct chess_group *g);
bool chess_late_is_far_locked(const struct chess_group *g, u64 deadline);

#endif /* _CHESS_LATE_H */
