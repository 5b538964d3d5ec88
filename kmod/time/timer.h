/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timers of programs on the group's clock.
 */
#ifndef _CHESS_TIMER_H
#define _CHESS_TIMER_H

#include <linux/types.h>

struct chess_group;
struct chess_task;
struct chess_timer;
struct file;
struct hrtimer;
struct pt_regs;

/**
 * struct chess_timers - the timers of a group
 * @table: CHESS_MAX_TIMERS of them; under plock
 * @n: how many there are; under plock
 * @nended: how many of them have ended; under plock
 * @nfiles: how many are timerfds and have not; under plock
 * @narmed: how many of them are armed, on the clock; under plock
 * @ncpu: and on processor time; under plock
 * @firing: some are due; the decision waits until they have gone off; under plock
 * @cpu: processor they are going off on, or -1; written there
 */
struct chess_timers {
	struct chess_timer *table;
	u32 n;
	u32 nended;
	u32 nfiles;
	u32 narmed;
	u32 ncpu;
	bool firing;
	int cpu;
};

/**
 * struct chess_made - a timer that the kernel made, to be taken over (timer_call.c)
 * @nr: number of the call that did; 0: there is none
 * @result: what it returned
 * @id_at: user address of the timer's number, of timer_create()
 * @clock: its clock
 * @cpu: enum chess_cpu_kind, if that is one of processor time
 * @of: and id of the task whose
 *
 * Only touched by the task itself.
 */
struct chess_made {
	long nr;
	long result;
	unsigned long id_at;
	int clock;
	u8 cpu;
	u32 of;
};

/**
 * struct chess_timer_call - the call about timers that a task executes
 * @drain: timerfd that was set again and has expirations, or NULL; a reference is held
 * @creates: number of the call that makes a timer and is being executed, or zero
 * @made: the timer that one made
 *
 * Only touched by the task itself.
 */
struct chess_timer_call {
	struct file *drain;
	long creates;
	struct chess_made made;
};

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
void chess_timer_gone_locked(struct chess_task *t);
void chess_timer_drop_ended(struct chess_group *g);
void chess_timer_passed_locked(struct chess_task *t);
void chess_timer_ran_locked(struct chess_task *t, u64 ns);
bool chess_timer_spun_locked(struct chess_task *t, u64 cpu, u64 real);
bool chess_timer_is_due_locked(struct chess_group *g, bool stuck, u64 first,
			       struct chess_task *spinner);
u64 chess_timer_first_locked(struct chess_group *g);
u64 chess_timer_first_early_locked(struct chess_group *g);
void chess_timer_put_off_locked(struct chess_group *g, u64 until);
void chess_timer_guard(struct chess_task *t);
void chess_timer_expire_locked(struct chess_group *g, u64 until, bool guards,
			       struct chess_task *spinner);
bool chess_timer_fire(struct chess_group *g);
void chess_timer_clear(struct chess_group *g);
int chess_timer_init_group(struct chess_group *g);
void chess_timer_free_group(struct chess_group *g);

#endif /* _CHESS_TIMER_H */
