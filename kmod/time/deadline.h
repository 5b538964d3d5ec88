/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timed waits: time-outs that are decisions.
 */
#ifndef _CHESS_DEADLINE_H
#define _CHESS_DEADLINE_H

#include <linux/types.h>
#include "decide.h"

struct chess_group;
struct chess_task;
struct file;
struct pt_regs;

/**
 * struct chess_wait - a call whose time-out was taken out of it (deadline.c)
 * @active: the call is being executed; under plock
 * @passed: its deadline passed, it is to time out; under plock
 * @kept: it was interrupted and may be executed again, with the same deadline
 * @always: the remaining time is written whatever the result
 * @timeval: as a timeval
 * @guards: it waits for a child, and its deadline passes only when nobody else can go on
 * @late: its deadline passes at its time, and not before (late.c)
 * @endless: it has no deadline, but may end without a wake-up (spurious.c)
 * @left: argument it is written through, plus one; 0: nowhere
 * @send: which time-out of @file
 * @result: of a time-out
 * @nr: number of the call
 * @args: its arguments
 * @nfds: descriptors that select() looks at
 * @deadline: nanoseconds of the group's clock
 * @file: socket whose own time-out was taken out, or NULL; under plock
 * @timeo: that time-out, jiffies
 *
 * Where nothing else is said: only touched by the task itself.
 */
struct chess_wait {
	bool active;
	bool passed;
	bool kept;
	bool always;
	bool timeval;
	bool guards;
	bool late;
	bool endless;
	u8 left;
	bool send;
	s16 result;
	long nr;
	unsigned long args[6];
	u32 nfds;
	u64 deadline;
	struct file *file;
	long timeo;
};

/**
 * struct chess_deadlines - deadlines of a group that do not pass early
 * @guarding: tasks that are blocked with one; under plock
 * @admitted: the one of these that is in chess_group.timed, because its deadline may pass
 *	at the decision in work; or CHESS_TASK_NONE; under plock
 */
struct chess_deadlines {
	struct chess_set guarding;
	u32 admitted;
};

/* Does its deadline not pass early? */
static inline bool chess_deadline_is_held(const struct chess_wait *w)
{
	return w->guards || w->late;
}

void chess_deadline_init(struct chess_task *t);
void chess_deadline_enter(struct chess_task *t, struct pt_regs *regs, long nr);
void chess_deadline_exit(struct chess_task *t, struct pt_regs *regs, long ret);
void chess_deadline_expire(struct chess_task *t);
struct chess_task *chess_deadline_first_locked(const struct chess_group *g);
u64 chess_deadline_next_locked(const struct chess_group *g);
void chess_deadline_retract_locked(struct chess_group *g);
void chess_deadline_admit_locked(struct chess_group *g);
void chess_deadline_put_off_locked(struct chess_group *g, u64 until);
void chess_deadline_pass_locked(struct chess_task *t);

#endif /* _CHESS_DEADLINE_H */
