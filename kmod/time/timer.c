// SPDX-License-Identifier: GPL-2.0-only
/*
 * Timers of programs: alarm(), setitimer(), timer_create(), timerfd. With
 * virtual time they are armed here and never in the kernel. One goes off when the
 * group's clock is past its deadline at a decision, or when nobody can go on and
 * no wait ends before it; the clock then moves there. Going off is not a decision then: the
 * decision waits until it is done. Before its time it is one (settle.c).
 *
 * What goes off is as the kernel does it: the signal is the kernel's own, and what a
 * timerfd counts is counted in the kernel's own. So what a program sees in siginfo,
 * epoll or read() needs no copy here.
 *
 *     settle --> chess_timer_is_due_locked() --> irq work --> chess_timer_fire()
 *
 * Those of processor time count what cputime.c does, and go off when a task has used it,
 * which the others do by the way as well: at a reading of a clock, or in a loop without a
 * point (watchdog.c). They never go off early, and not while everybody sleeps.
 *
 * Timers of clocks the group does not answer for stay the machine's.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/overflow.h>
#include <linux/pid.h>

#include "chess.h"
#include "clock.h"
#include "compat.h"
#include "late.h"
#include "record_push.h"
#include "settle.h"
#include "task.h"
#include "timer_table.h"
#include "uring.h"

/* Timers that go off in one interrupt. */
#define CHESS_TIMER_BATCH	16
/* Times that one goes off while nobody can go on. */
#define CHESS_TIMER_FUTILE	64

/**
 * chess_timer_read_locked() - what a timer's clock shows
 * @g: the group
 * @timer: one of its timers
 *
 * Context: any, group->plock held.
 * Return: nanoseconds; zero where it is the processor time of one who ended.
 */
u64 chess_timer_read_locked(const struct chess_group *g, const struct chess_timer *timer)
	__must_hold(&g->plock)
{
	const struct chess_task *of;

	lockdep_assert_held(&g->plock);
	if (!timer->cpu)
		return g->clock.now;
	of = g->by_id[timer->of];
	return of ? chess_cputime_read_locked(of, timer->cpu) : 0;
}

/*
 * When does a timer go off on the group's clock, if all the time until then is used by one
 * task in user mode, or by nobody?
 */
static u64 goes_off_locked(const struct chess_group *g, const struct chess_timer *timer,
			   const struct chess_task *spinner)
	__must_hold(&g->plock)
{
	const struct chess_task *of;
	u64 used;

	lockdep_assert_held(&g->plock);
	if (!timer->armed)
		return U64_MAX;
	if (!timer->cpu)
		return timer->deadline;
	used = chess_timer_read_locked(g, timer);
	if (timer->deadline <= used)
		return g->clock.now;
	of = g->by_id[timer->of];
	if (!spinner || !of || (timer->cpu == CHESS_CPU_TASK || timer->cpu == CHESS_CPU_TASK_USER ?
				of != spinner : of->cputime.account != spinner->cputime.account))
		return U64_MAX;
	return chess_clock_later(g, timer->deadline - used);
}

/*
 * A timer that went off that often while nobody could go on woke nobody, and will not: time
 * passes without it. What it missed is made up for when it goes off next. So neither a
 * signal that is ignored nor a timerfd that nobody reads keeps a processor busy for good.
 */
static bool is_futile_locked(const struct chess_group *g, const struct chess_timer *timer)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return timer->interval && timer->decisions == g->decisions &&
	       timer->times >= CHESS_TIMER_FUTILE;
}

/**
 * chess_timer_first_locked() - when does the first timer go off
 * @g: the group
 *
 * Context: any, group->plock held.
 * Return: its deadline; U64_MAX: none does.
 */
u64 chess_timer_first_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	u64 first = U64_MAX;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	chess_timer_end_closed_locked(g);
	for (i = 0; g->timers.narmed && i < CHESS_MAX_TIMERS; i++)
		if (g->timers.table[i].armed && !g->timers.table[i].cpu)
			first = min(first, g->timers.table[i].deadline);
	return first;
}

/**
 * chess_timer_first_early_locked() - when does the first timer go off that may do so early
 * @g: the group
 *
 * Context: any, group->plock held.
 * Return: its deadline; U64_MAX: there is none.
 */
u64 chess_timer_first_early_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	u64 first = U64_MAX;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	chess_timer_end_closed_locked(g);
	chess_timer_find_limits_locked(g);
	for (i = 0; g->timers.narmed && i < CHESS_MAX_TIMERS; i++)
		if (g->timers.table[i].armed && !chess_timer_is_held(&g->timers.table[i]) &&
		    !g->timers.table[i].cpu)
			first = min(first, g->timers.table[i].deadline);
	return first;
}

/**
 * chess_timer_put_off_locked() - time passes before its time: not for time limits
 * @g: the group
 * @until: when the clock is moved to
 *
 * Context: any, group->plock held.
 */
void chess_timer_put_off_locked(struct chess_group *g, u64 until)
	__must_hold(&g->plock)
{
	struct chess_timer *timer;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	for (i = 0; g->timers.narmed && i < CHESS_MAX_TIMERS; i++) {
		timer = &g->timers.table[i];
		if (timer->armed && chess_timer_is_held(timer))
			timer->deadline = chess_clock_put_off(g, timer->deadline, until);
	}
}

/**
 * chess_timer_guard() - current is about to wait for a child: its timers are watchdogs
 * @t: the task, which is current and holds the token
 *
 * Those that send its process a signal, once. They stay watchdogs until they are set again,
 * so that none goes off early when the wait is over.
 *
 * Context: probe (sys_enter).
 */
void chess_timer_guard(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&g->plock, flags);
	for (i = 0; g->timers.narmed && i < CHESS_MAX_TIMERS; i++) {
		timer = &g->timers.table[i];
		if (!timer->armed || timer->cpu || timer->interval || timer->guards || timer->due ||
		    (timer->kind != TIMER_ITIMER && timer->kind != TIMER_POSIX) ||
		    timer->process != task_tgid(current))
			continue;
		timer->guards = true;
		chess_settle_guards_locked(g, t->id, timer->deadline);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_timer_expire_locked() - time passes, and timers are due
 * @g: the group
 * @until: the clock is not before this, and timers up to there are marked
 * @guards: watchdogs, too
 * @spinner: who uses that time, or NULL: nobody does
 *
 * Context: any, group->plock held; chess_timer_fire() must be called.
 */
void chess_timer_expire_locked(struct chess_group *g, u64 until, bool guards,
			       struct chess_task *spinner)
	__must_hold(&g->plock)
{
	struct chess_timer *timer;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	if (until > g->clock.now) {
		chess_cputime_charge_locked(spinner, until - g->clock.now, 0);
		g->clock.now = until;
	}
	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		timer = &g->timers.table[i];
		if (timer->armed && (guards || !timer->guards) &&
		    timer->deadline <= (timer->cpu ? chess_timer_read_locked(g, timer) : until))
			timer->due = true;
	}
}

/* The token holder goes on meanwhile, or rather after it: the interrupt is its own. */
static void fire_beside_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (g->deferral.waits || g->timers.firing)
		return;
	g->timers.firing = true;
	irq_work_queue(&g->irq_work);
}

/**
 * chess_timer_passed_locked() - the token holder used time: timers that are due go off
 * @t: the holder, which is current
 *
 * Context: probe, group->plock held.
 */
void chess_timer_passed_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	chess_timer_end_closed_locked(g);
	if (g->token != t)
		return;
	for (i = 0; i < CHESS_MAX_TIMERS; i++)
		if (!g->timers.table[i].guards &&
		    goes_off_locked(g, &g->timers.table[i], NULL) <= g->clock.now)
			break;
	if (i == CHESS_MAX_TIMERS)
		return;
	chess_timer_expire_locked(g, g->clock.now, false, NULL);
	fire_beside_locked(g);
}

/**
 * chess_timer_ran_locked() - a task went from point to point, alone: time passes
 * @t: the task, which uses it
 * @ns: nanoseconds at most
 *
 * Up to where the first timer goes off, the last time within @ns: so it is seen to do so, and
 * one that is periodic does not keep time from passing.
 *
 * Context: probe, group->plock held.
 */
void chess_timer_ran_locked(struct chess_task *t, u64 ns)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	u64 at, next = U64_MAX, until = g->clock.now + ns, interval = 0;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	chess_timer_end_closed_locked(g);
	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		at = goes_off_locked(g, &g->timers.table[i], t);
		if (at < next) {
			next = at;
			interval = g->timers.table[i].interval;
		}
	}
	if (next > g->clock.now && next <= until)
		until = next + (interval ? div64_u64(until - next, interval) * interval : 0);
	chess_cputime_charge_locked(t, until - g->clock.now, 0);
	g->clock.now = until;
}

/**
 * chess_timer_spun_locked() - the token holder does nothing but run: time passes
 * @t: the holder, which is current
 * @cpu: as far as this timers of processor time may be away, nanoseconds
 * @real: and others
 *
 * Nothing passes where none is as near.
 *
 * Context: probe, group->plock held.
 * Return: whether some go off.
 */
bool chess_timer_spun_locked(struct chess_task *t, u64 cpu, u64 real)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	u64 next = U64_MAX, at, before = g->clock.now;
	const struct chess_timer *timer;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	chess_timer_end_closed_locked(g);
	if (g->token != t || g->deferral.waits || g->timers.firing)
		return false;
	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		timer = &g->timers.table[i];
		at = timer->guards ? U64_MAX : goes_off_locked(g, timer, t);
		if (at <= g->clock.now ||
		    (at != U64_MAX && at - g->clock.now <= (timer->cpu ? cpu : real)))
			next = min(next, at);
	}
	if (next == U64_MAX)
		return false;
	chess_timer_expire_locked(g, next, false, t);
	g->watchdog.spun += g->clock.now - before;
	fire_beside_locked(g);
	return true;
}

/**
 * chess_timer_is_due_locked() - must timers go off before a decision is taken
 * @g: the group
 * @stuck: nobody can go on, or nobody but a task that says it cannot
 * @first: earliest deadline of a wait, or U64_MAX
 * @spinner: the task that says so, or NULL
 *
 * Those that must are marked, and the clock moved to the deadline of the first.
 *
 * Context: any, group->plock held.
 * Return: whether chess_timer_fire() must be called.
 */
bool chess_timer_is_due_locked(struct chess_group *g, bool stuck, u64 first,
			       struct chess_task *spinner)
	__must_hold(&g->plock)
{
	bool barks = stuck && !(g->flags & CHESS_RUN_FLAGS_NO_WATCHDOGS);
	const struct chess_timer *timer;
	u64 next = U64_MAX, at;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	chess_timer_end_closed_locked(g);
	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		timer = &g->timers.table[i];
		if (timer->guards && !barks)
			continue;
		at = goes_off_locked(g, timer, stuck ? spinner : NULL);
		if (at <= g->clock.now || !is_futile_locked(g, timer))
			next = min(next, at);
	}
	if (next == U64_MAX || (next > g->clock.now && (!stuck || next > first)))
		return false;
	chess_timer_expire_locked(g, next, barks, spinner);
	return true;
}

/* What is left to do once plock is dropped; how often it has to be done. */
static u64 expire_locked(struct chess_group *g, struct chess_timer *timer)
	__must_hold(&g->plock)
{
	u64 times = 1, passed;

	lockdep_assert_held(&g->plock);
	timer->due = false;
	if (timer->decisions != g->decisions)
		timer->times = 0;
	timer->decisions = g->decisions;
	timer->times++;
	if (timer->interval) {
		times += div64_u64(chess_timer_read_locked(g, timer) - timer->deadline,
				   timer->interval);
		/* Never again: the clock ends before that. */
		if (check_mul_overflow(times, timer->interval, &passed) ||
		    check_add_overflow(timer->deadline, passed, &timer->deadline))
			timer->deadline = U64_MAX;
		timer->overrun = times - 1;
		if (timer->held == CHESS_LATE_FAR)
			timer->held = CHESS_LATE_NOT;
		if (!timer->cpu && !timer->held && chess_late_is_far_locked(g, timer->deadline))
			timer->held = CHESS_LATE_FAR;
	} else {
		chess_timer_arm_locked(g, timer, false);
	}
	chess_record_push_locked(g, &(struct chess_event) {
		.type = CHESS_EVENT_TIMER,
		.object_kind = CHESS_OBJECT_TIME,
		.task = timer->owner,
		.chosen = CHESS_TASK_NONE,
		.object = g->clock.now,
	});
	return times;
}

/* What timer_getoverrun() tells; the timer may be another one by now. */
static void keep_overrun(struct chess_group *g, unsigned int i, const struct chess_timer *timer,
			 u64 overrun)
{
	struct chess_timer *now = &g->timers.table[i];
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (now->kind == TIMER_POSIX && now->process == timer->process && now->id == timer->id)
		now->overrun = overrun;
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_timer_fire() - let due timers go off, in the order they were made
 * @g: the group
 *
 * Tasks that wake by it are enabled there and then: chess_point_woken().
 *
 * Context: irq work.
 * Return: whether there are more; interrupts should be served in between.
 */
bool chess_timer_fire(struct chess_group *g)
{
	unsigned int i, fired = 0;
	unsigned long flags;
	u64 times;

	for (i = 0; i < CHESS_MAX_TIMERS && fired < CHESS_TIMER_BATCH; i++) {
		struct chess_timer timer = { .kind = TIMER_FREE };

		raw_spin_lock_irqsave(&g->plock, flags);
		if (g->timers.table[i].due && g->state == CHESS_GROUP_STATE_RUNNING) {
			times = expire_locked(g, &g->timers.table[i]);
			timer = g->timers.table[i];
			get_pid(timer.process);
			get_pid(timer.thread);
			if (timer.file)
				get_file(timer.file);
		}
		raw_spin_unlock_irqrestore(&g->plock, flags);
		fired += timer.kind != TIMER_FREE;
		switch (timer.kind) {
		case TIMER_ITIMER:
			chess_timer_send_alarm(g, &timer);
			break;
		case TIMER_POSIX:
			keep_overrun(g, i, &timer, chess_timer_send(g, &timer, times));
			break;
		case TIMER_FILE:
			chess_compat_timerfd_expire(timer.file, times);
			break;
		case TIMER_RING:
			chess_uring_expire(g, timer.ring);
			break;
		}
		chess_timer_put_refs(&timer);
	}
	return fired == CHESS_TIMER_BATCH;
}
