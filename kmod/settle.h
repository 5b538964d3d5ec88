/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decision: who gets the token.
 */
#ifndef _CHESS_SETTLE_H
#define _CHESS_SETTLE_H

#include <linux/sched.h>
#include "decide.h"

struct chess_group;
struct chess_task;

/**
 * enum chess_take - what a task at a point does
 * @CHESS_TAKE_GO: its op, now
 * @CHESS_TAKE_WAIT: its op, when the gate lets it go: the decision went to another
 * @CHESS_TAKE_AGAIN: it has no token (let go for a signal or a debugger): it waits
 *	for it first and then is at the point
 */
enum chess_take {
	CHESS_TAKE_GO,
	CHESS_TAKE_WAIT,
	CHESS_TAKE_AGAIN,
};

/**
 * struct chess_deferral - the decision of a group that is to be taken
 * @waits: it waits for @event; under plock
 * @event: the event to record and decide on; under plock
 * @dying: its task was on its way out already; under plock
 * @ticks: watchdog ticks it has been waiting for; under plock
 * @passing: task whose deadline was chosen to pass, while timers that are due before it
 *	go off; or CHESS_TASK_NONE; under plock
 * @yield_spent: timers went off for the yield in @event; under plock
 * @allowed: who of the enabled need not let others go first, for a policy; scratch of a
 *	decision; under plock
 */
struct chess_deferral {
	bool waits;
	struct chess_event event;
	bool dying;
	u32 ticks;
	u32 passing;
	bool yield_spent;
	struct chess_set allowed;
};

/**
 * struct chess_latches - tasks that were woken from outside
 * @given: how many were latched in this run; under plock
 * @n: how many are now; under plock
 * @points: since one is and was not admitted; under plock
 * @task: the task last woken from outside, or CHESS_TASK_NONE; under plock
 * @pid: by whom; 0: an interrupt; under plock
 * @comm: its name; under plock
 */
struct chess_latches {
	u32 given;
	u32 n;
	u32 points;
	u32 task;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct chess_streak - points in a row of one task
 * @task: id of the task that took the last point; under plock
 * @points: how many it took in a row, since the last part was full; under plock
 * @parts: how many parts were full while others could go on; under plock
 * @limit: after so many it is taken to yield: it may wait in a loop; fixed during a run
 */
struct chess_streak {
	u32 task;
	u32 points;
	u32 parts;
	u32 limit;
};

/* The limits of runs without long-rows, and with. */
#define CHESS_FAIR_PARTS	1
#define CHESS_FAIR_LONG		100

bool chess_settle_locked(struct chess_group *g);
bool chess_settle_defer_locked(struct chess_task *t, const struct chess_event *e);
bool chess_settle_others_dying_locked(const struct chess_group *g, u32 except);
void chess_settle_wake_locked(struct chess_task *t, u32 waker);
void chess_settle_wake_later_locked(struct chess_task *t, u32 waker);
void chess_settle_guards_locked(struct chess_group *g, u32 task, u64 deadline);
void chess_settle_dying_locked(struct chess_group *g);
void chess_settle_left_out_locked(struct chess_group *g, u32 task);
void chess_settle_diverged_locked(struct chess_group *g, u16 task, unsigned int want,
				  u64 enabled, u64 timed);

#endif /* _CHESS_SETTLE_H */
