// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of a group's timers: which there are, and when they are no more. A timer ends
 * with its process or, a timerfd, with the last reference that is not the table's. From then
 * on it does not go off. It is dropped when a descriptor is closed, the next timer is made or
 * the run is over, as what it refers to cannot be dropped under the lock.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/pid.h>
#include <linux/slab.h>

#include "chess.h"
#include "clock.h"
#include "late.h"
#include "settle.h"
#include "task.h"
#include "timer_table.h"
#include "uring.h"

/**
 * chess_timer_find_locked() - a timer by what names it
 * @g: the group
 * @kind: enum chess_timer_kind
 * @process: whose it is, or NULL
 * @id: of TIMER_POSIX
 * @file: of TIMER_FILE
 *
 * Context: any, group->plock held.
 * Return: it or NULL.
 */
struct chess_timer *chess_timer_find_locked(struct chess_group *g, int kind,
					    const struct pid *process, int id,
					    const struct file *file)
	__must_hold(&g->plock)
{
	unsigned int i;

	lockdep_assert_held(&g->plock);
	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		struct chess_timer *timer = &g->timers.table[i];

		if (timer->kind == kind && timer->process == process && timer->id == id &&
		    timer->file == file)
			return timer;
	}
	return NULL;
}

/**
 * chess_timer_arm_locked() - have a timer go off, or not
 * @g: the group
 * @timer: one of its timers
 * @arm: whether it does
 *
 * Context: any, group->plock held.
 */
void chess_timer_arm_locked(struct chess_group *g, struct chess_timer *timer, bool arm)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (timer->cpu)
		g->timers.ncpu += arm - timer->armed;
	else
		g->timers.narmed += arm - timer->armed;
	timer->armed = arm;
}

/**
 * chess_timer_add_locked() - one more timer
 * @g: the group
 * @new: it, with references that are the group's from now on
 *
 * Context: any, group->plock held.
 * Return: where it stands, or NULL: there are too many, and the run says so.
 */
struct chess_timer *chess_timer_add_locked(struct chess_group *g, const struct chess_timer *new)
	__must_hold(&g->plock)
{
	unsigned int i;

	lockdep_assert_held(&g->plock);
	for (i = 0; i < CHESS_MAX_TIMERS; i++)
		if (g->timers.table[i].kind == TIMER_FREE) {
			g->timers.table[i] = *new;
			g->timers.n++;
			g->timers.nfiles += new->kind == TIMER_FILE;
			return &g->timers.table[i];
		}
	g->lost++;
	return NULL;
}

/**
 * chess_timer_take_out_locked() - a timer is gone
 * @g: the group
 * @timer: one of its timers
 *
 * Context: any, group->plock held.
 * Return: what stood there; its references are the caller's, to be put without plock.
 */
struct chess_timer chess_timer_take_out_locked(struct chess_group *g, struct chess_timer *timer)
	__must_hold(&g->plock)
{
	struct chess_timer old;

	lockdep_assert_held(&g->plock);
	chess_timer_arm_locked(g, timer, false);
	g->timers.n--;
	g->timers.nfiles -= timer->kind == TIMER_FILE && !timer->ended;
	g->timers.nended -= timer->ended;
	old = *timer;
	*timer = (struct chess_timer) { .kind = TIMER_FREE };
	return old;
}

/**
 * chess_timer_put_refs() - drop the references of a timer
 * @timer: one that is out of the table
 *
 * Context: any, not under plock.
 */
void chess_timer_put_refs(const struct chess_timer *timer)
{
	put_pid(timer->process);
	put_pid(timer->thread);
	if (timer->file)
		fput(timer->file);
}

/* Drops the timers that have ended, or all of them. */
static void drop(struct chess_group *g, bool all)
{
	struct chess_timer old;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		struct chess_timer *timer = &g->timers.table[i];

		old.kind = TIMER_FREE;
		raw_spin_lock_irqsave(&g->plock, flags);
		if (timer->kind != TIMER_FREE && (all || timer->ended))
			old = chess_timer_take_out_locked(g, timer);
		raw_spin_unlock_irqrestore(&g->plock, flags);
		if (old.kind != TIMER_FREE)
			chess_timer_put_refs(&old);
	}
}

/**
 * chess_timer_add_ring() - take a time-out request of io_uring over
 * @t: whose request it is
 * @ring: its timer
 * @value: nanoseconds of @clock
 * @clock: CLOCK_MONOTONIC, or what else io_uring takes
 * @absolute: @value is an instant, else a length
 *
 * Context: any; not under plock.
 * Return: false when it has to stay the kernel's.
 */
bool chess_timer_add_ring(struct chess_task *t, struct hrtimer *ring, s64 value, int clock,
			  bool absolute)
{
	const struct chess_timer new = { .kind = TIMER_RING, .owner = t->id, .ring = ring };
	struct chess_group *g = t->group;
	struct chess_timer *timer = NULL;
	unsigned long flags;
	u64 instant;

	raw_spin_lock_irqsave(&g->plock, flags);
	instant = chess_clock_later(g, max(value, 0LL));
	if (!absolute || chess_clock_instant(g, clock, value, &instant))
		timer = chess_timer_add_locked(g, &new);
	if (timer) {
		timer->deadline = instant;
		timer->held = chess_late_why_locked(t, instant);
		chess_timer_arm_locked(g, timer, true);
		if (timer->held)
			chess_settle_guards_locked(g, t->id, instant);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return timer;
}

/**
 * chess_timer_drop_ring() - it is the kernel's again, or gone
 * @g: the group
 * @ring: what was added
 *
 * Context: any; not under plock.
 * Return: nanoseconds it had left.
 */
u64 chess_timer_drop_ring(struct chess_group *g, const struct hrtimer *ring)
{
	unsigned long flags;
	unsigned int i;
	u64 left = 0;

	raw_spin_lock_irqsave(&g->plock, flags);
	for (i = 0; i < CHESS_MAX_TIMERS; i++)
		if (g->timers.table[i].kind == TIMER_RING && g->timers.table[i].ring == ring) {
			if (g->timers.table[i].deadline > g->clock.now)
				left = g->timers.table[i].deadline - g->clock.now;
			chess_timer_take_out_locked(g, &g->timers.table[i]);
		}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return left;
}

static void end_locked(struct chess_group *g, struct chess_timer *timer)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	chess_timer_arm_locked(g, timer, false);
	if (timer->kind == TIMER_FILE)
		g->timers.nfiles--;
	timer->ended = true;
	g->timers.nended++;
}

/**
 * chess_timer_executed() - a process has a new program: its POSIX timers are gone
 * @t: the task, which is current
 *
 * Context: probe (sched_process_exec).
 */
void chess_timer_executed(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&g->plock, flags);
	for (i = 0; g->timers.n && i < CHESS_MAX_TIMERS; i++) {
		timer = &g->timers.table[i];
		if (timer->kind == TIMER_POSIX && timer->process == task_tgid(current) &&
		    !timer->ended)
			end_locked(g, timer);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_timer_drop_ended(g);
}

/**
 * chess_timer_gone_locked() - a task has ended, or has left control
 * @t: the task, which is still found
 *
 * The last one of a process takes the timers along that send it signals, as in the kernel.
 * Where the process goes on, another task stands for the processor time that a timer counts.
 *
 * Context: any, group->plock held.
 */
void chess_timer_gone_locked(struct chess_task *t)
{
	const struct pid *ending = chess_cputime_ending_locked(t);
	struct chess_group *g = t->group;
	struct chess_task *other, *heir = NULL;
	struct chess_timer *timer;
	unsigned int i;

	lockdep_assert_held(&g->plock);
	if (!g->timers.n)
		return;
	if (t->cputime.account && !ending)
		list_for_each_entry(other, &g->tasks, entry)
			if (other != t && other->cputime.account == t->cputime.account) {
				heir = other;
				break;
			}
	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		timer = &g->timers.table[i];
		if (ending && timer->process == ending && !timer->ended)
			end_locked(g, timer);
		if (!timer->cpu || timer->of != t->id)
			continue;
		if (heir && (timer->cpu == CHESS_CPU_PROCESS ||
			     timer->cpu == CHESS_CPU_PROCESS_USER))
			timer->of = heir->id;
		else
			chess_timer_arm_locked(g, timer, false);
	}
}

/**
 * chess_timer_end_closed_locked() - timerfds that no task can read any more do not go off
 * @g: the group
 *
 * A file may be closed in many ways: by close(), execve(), exit, with the socket that it was
 * sent through. Then the reference of the table is the only one that is left.
 *
 * Context: any, group->plock held.
 */
void chess_timer_end_closed_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	unsigned int i, left = g->timers.nfiles;

	lockdep_assert_held(&g->plock);
	for (i = 0; left && i < CHESS_MAX_TIMERS; i++) {
		struct chess_timer *timer = &g->timers.table[i];

		if (timer->kind != TIMER_FILE || timer->ended)
			continue;
		left--;
		if (file_count(timer->file) == 1)
			end_locked(g, timer);
	}
}

/**
 * chess_timer_drop_ended() - make room for others where timers have ended
 * @g: the group
 *
 * A timerfd that was closed leaves the epoll sets that it is in.
 *
 * Context: probe, task work; not under plock.
 */
void chess_timer_drop_ended(struct chess_group *g)
{
	unsigned long flags;
	bool any;

	raw_spin_lock_irqsave(&g->plock, flags);
	chess_timer_end_closed_locked(g);
	any = g->timers.nended;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (any)
		drop(g, false);
}

/**
 * chess_timer_clear() - drop all timers
 * @g: a group without a run
 *
 * Context: process.
 */
void chess_timer_clear(struct chess_group *g)
{
	chess_uring_give_back(g);
	drop(g, true);
}

/**
 * chess_timer_init_group() - allocate the timers of a group
 * @g: the group
 *
 * Context: netlink.
 * Return: 0 or -ENOMEM.
 */
int chess_timer_init_group(struct chess_group *g)
{
	g->timers.table = kvcalloc(CHESS_MAX_TIMERS, sizeof(*g->timers.table), GFP_KERNEL_ACCOUNT);
	return g->timers.table ? 0 : -ENOMEM;
}

/**
 * chess_timer_free_group() - free them
 * @g: a group nobody uses any more
 *
 * Context: process.
 */
void chess_timer_free_group(struct chess_group *g)
{
	if (g->timers.table)
		chess_timer_clear(g);
	kvfree(g->timers.table);
}
