/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timers of a group: timer_table.c keeps them, timer.c has them go off, timer_call.c
 * changes them by what the program asks for.
 */
#ifndef _CHESS_TIMER_TABLE_H
#define _CHESS_TIMER_TABLE_H

#include <linux/signal.h>

#include "cputime.h"
#include "timer.h"

enum chess_timer_kind {
	TIMER_FREE,
	TIMER_ITIMER,	/* of a process: SIGALRM, SIGVTALRM or SIGPROF */
	TIMER_POSIX,	/* of a process: its sigevent */
	TIMER_FILE,	/* timerfd */
	TIMER_RING,	/* a time-out request of io_uring */
};

/**
 * struct chess_timer - a timer of the program
 * @kind: enum chess_timer_kind
 * @armed: goes off at @deadline
 * @due: is going off
 * @ended: no task can ask for it any more
 * @guards: it limits the time of a child somebody waits for, and goes off only when nobody
 *	else can go on
 * @far: it was set a second or more ahead
 * @late: it limits the time of its own process, which it would end, and does not go off early
 * @held: why it does not go off early, enum chess_late_why
 * @clock: its clock
 * @notify: SIGEV_SIGNAL, SIGEV_NONE or SIGEV_SIGNAL | SIGEV_THREAD_ID
 * @signo: signal
 * @id: of TIMER_POSIX: the program's number for it; of TIMER_ITIMER: which of the three
 * @cpu: enum chess_cpu_kind, if it is one of processor time
 * @of: id of the task whose processor time, or whose process's
 * @owner: id of the task that made it
 * @process: whose it is, or NULL; a reference is held
 * @thread: who gets the signal, with SIGEV_THREAD_ID; a reference is held
 * @file: of TIMER_FILE; a reference is held
 * @ring: of TIMER_RING: the kernel's timer, see uring.c
 * @value: for the signal
 * @deadline: nanoseconds of the group's clock, or of processor time
 * @interval: nanoseconds; 0: once
 * @overrun: intervals that passed since it went off last
 * @decisions: chess_group.decisions when it did
 * @times: how often it did since there were that many
 */
struct chess_timer {
	u8 kind;
	bool armed;
	bool due;
	bool ended;
	bool guards;
	bool far;
	bool late;
	u8 held;
	int clock;
	int notify;
	int signo;
	int id;
	u8 cpu;
	u32 of;
	u32 owner;
	struct pid *process;
	struct pid *thread;
	struct file *file;
	struct hrtimer *ring;
	sigval_t value;
	u64 deadline;
	u64 interval;
	u64 overrun;
	u32 decisions;
	u32 times;
};

/* Of TIMER_POSIX; a timer of setitimer() always does. */
static inline bool chess_timer_sends_signal(const struct chess_timer *timer)
{
	return timer->notify != SIGEV_NONE && timer->signo > 0 && valid_signal(timer->signo);
}

struct chess_timer *chess_timer_find_locked(struct chess_group *g, int kind,
					    const struct pid *process, int id,
					    const struct file *file);
struct chess_timer *chess_timer_add_locked(struct chess_group *g, const struct chess_timer *new);
struct chess_timer chess_timer_take_out_locked(struct chess_group *g, struct chess_timer *timer);
void chess_timer_arm_locked(struct chess_group *g, struct chess_timer *timer, bool arm);
void chess_timer_put_refs(const struct chess_timer *timer);
void chess_timer_end_closed_locked(struct chess_group *g);

/* Does it not go off early? */
static inline bool chess_timer_is_held(const struct chess_timer *timer)
{
	return timer->guards || timer->late || timer->held;
}

/* timer.c */
u64 chess_timer_read_locked(const struct chess_group *g, const struct chess_timer *timer);

/* timer_signal.c */
void chess_timer_send_alarm(const struct chess_group *g, const struct chess_timer *timer);
u64 chess_timer_send(const struct chess_group *g, const struct chess_timer *timer, u64 times);

/* time_limit.c */
void chess_timer_find_limits_locked(struct chess_group *g);

#endif /* _CHESS_TIMER_TABLE_H */
