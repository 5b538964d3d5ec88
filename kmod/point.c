// SPDX-License-Identifier: GPL-2.0-only
/*
 * Points, blocks, wake-ups and ends: what changes the enabled set, or makes a decision due
 * (settle.c, and take.h for most points). probe.c, trap.c, gate.c and watchdog.c call;
 * gate.c does the parking and waking that follows.
 *
 *     sys_enter, trap --> chess_point_take() ----+
 *     sched_switch ----> chess_point_blocked() --+--> defer --> settle --> token
 *                 \----> chess_point_dead() -----+              ^
 *     sched_waking ----> chess_point_woken()                    |
 *     sched in --------> chess_point_arrived() --(idle)---------+
 *     watchdog ----------------------------------(retry)--------+
 */
#include <linux/sched/signal.h>

#include "chess.h"
#include "compat.h"
#include "enabled.h"
#include "events.h"
#include "freeze.h"
#include "gate.h"
#include "point.h"
#include "queue.h"
#include "record_push.h"
#include "settle.h"
#include "take.h"
#include "task.h"
#include "traps/access.h"
#include "traps/wait_loop.h"

/*
 * Does something wait for the irq work? A holder that is not parked sees by
 * itself that it may go on: it sets @parked before it looks, and looks again
 * after chess_point_arrived(), that is after it had plock.
 */
static bool is_kick_due_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return (g->token && (READ_ONCE(g->token->gate.is_parked) || g->token->wait_for.passed ||
			     g->token->line.again)) || g->notices.due || g->dead_tasks;
}

static void disable_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	if (t->latched) {
		t->latched = false;
		g->latches.n--;
	}
	if (t->enabled)
		chess_fair_disabled(&g->fair, t->id, g->token ? g->token->id : t->id);
	t->enabled = false;
	chess_set_remove(&g->enabled, t->id);
}

/**
 * chess_point_take() - the running task is at a point
 * @t: the task, which is current
 * @e: the op; all filled in but what the decision adds
 * @regs: its user registers
 *
 * Context: probe (trap of current) or task work, IRQs off.
 * Return: enum chess_take.
 */
enum chess_take chess_point_take(struct chess_task *t, const struct chess_event *e,
				 const struct pt_regs *regs)
{
	struct chess_group *g = t->group;
	struct chess_event *slot;
	enum chess_take take;
	u32 seq = 0;

	if (unlikely(g->accesses.max))
		chess_access_see_stack(t, regs->sp);
	raw_spin_lock(&g->plock);
	if (chess_take_begin_locked(t, &take)) {
		slot = chess_record_slot_locked(g);
		*slot = *e;
		take = chess_take_end_locked(t, slot, &seq);
	}
	raw_spin_unlock(&g->plock);
	chess_take_stack(g, seq, regs);
	return take;
}

/**
 * chess_point_forced_locked() - the prefix says who goes on at a point
 * @t: the task that is there, which is current
 * @e: the event, in its slot
 * @want: the task that continues; in the enabled set
 *
 * Not inline, as the rest of take.h is: each copy would be as long as that.
 *
 * Context: probe (sys_enter or trap of current), IRQs off, group->plock held.
 * Return: the number of the event.
 */
u32 chess_point_forced_locked(struct chess_task *t, struct chess_event *e, unsigned int want)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	u32 seq = chess_take_record_locked(g, t, e, want, want);

	lockdep_assert_held(&t->group->plock);
	chess_prefix_advance(&g->prefix);
	if (want != t->id) {
		g->token = g->by_id[want];
		chess_fair_scheduled(&g->fair, want);
	}
	return seq;
}

/**
 * chess_point_signal() - a signal goes to a process: which of its threads takes it?
 * @g: the group
 * @takers: threads that may, as bits; at least two
 * @usual: the one that takes it by default, one of them
 * @sig: its number
 *
 * Context: any; the token holder sends, or timers go off while the token is free.
 * Return: the id of the one that takes it, or CHESS_TASK_NONE when the group does
 * not run.
 */
unsigned int chess_point_signal(struct chess_group *g, u64 takers, unsigned int usual, int sig)
{
	struct chess_event e = {
		.type = CHESS_EVENT_SIGNAL,
		.op = CHESS_OP_SIGNAL,
		.nr = sig,
		.enabled = takers,
		.chosen = CHESS_TASK_NONE,
	};
	unsigned long flags;
	unsigned int want;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (g->state != CHESS_GROUP_STATE_RUNNING || (!g->token && !g->timers.firing))
		goto out;
	e.task = g->token ? g->token->id : g->deferral.event.task;
	e.chosen = chess_policy_signal(&g->policy, takers, usual);
	want = chess_prefix_peek(&g->prefix);
	if (want < BITS_PER_TYPE(takers) && (takers & BIT_ULL(want))) {
		e.chosen = want;
	} else if (want != CHESS_TASK_NONE) {
		chess_settle_diverged_locked(g, e.task, want, takers, 0);
		irq_work_queue(&g->irq_work);
	}
	e.seq = chess_record_push_locked(g, &e);
	trace_decision(g->id, &e, e.chosen == want);
	chess_prefix_advance(&g->prefix);
	/* The holder did not come to a point by that, should it be in a loop. */
	g->watchdog.decisions += g->timers.firing && g->watchdog.decisions == g->decisions;
	if (g->timers.firing)
		chess_wait_loop_keep(g->accesses.loop, g->decisions);
	g->decisions++;
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return e.chosen;
}

/**
 * chess_point_spun() - the token holder does nothing but run, and nobody else can
 * @t: the holder, which is current
 *
 * It may wait for a timer: time passes to the first one.
 *
 * Context: probe.
 */
void chess_point_spun(struct chess_task *t)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&t->group->plock, flags);
	chess_timer_spun_locked(t, U64_MAX, U64_MAX);
	raw_spin_unlock_irqrestore(&t->group->plock, flags);
}

/**
 * chess_point_quantum() - the running task used up its quantum
 * @t: the task, which is current
 * @regs: its user registers
 *
 * Context: task work.
 */
void chess_point_quantum(struct chess_task *t, const struct pt_regs *regs)
{
	struct chess_group *g = t->group;
	struct chess_event e = {
		.type = CHESS_EVENT_QUANTUM,
		.ip = regs->ip,
	};
	unsigned long flags;
	bool moved = false;
	u32 seq;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (g->state == CHESS_GROUP_STATE_RUNNING && g->token == t)
		moved = chess_settle_defer_locked(t, &e);
	/* Where the record is full it has none. */
	seq = moved ? g->deferral.event.seq : 0;
	raw_spin_unlock(&g->plock);
	chess_take_stack(g, seq, regs);
	local_irq_restore(flags);
	if (moved)
		chess_gate_wake(g);
}

/* It looks again whether what it waits for is there, and is not to be missed meanwhile. */
static void set_away_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	t->group->naway += !t->away;
	t->away = true;
}

/**
 * chess_point_blocked() - a task is about to sleep in the kernel
 * @t: the task, which is current
 * @state: the state it sleeps in
 *
 * Context: probe (sched_switch, run-queue lock held).
 */
void chess_point_blocked(struct chess_task *t, unsigned int state)
{
	struct chess_group *g = t->group;
	struct chess_event e = { .type = CHESS_EVENT_BLOCK };
	unsigned long flags;
	bool waits, timed;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (!t->alive || t->pending)
		goto out;
	t->blocked = true;
	if (chess_queue_back_locked(t, state)) {
		irq_work_queue(&g->irq_work);
		goto out;
	}
	chess_task_came_back_locked(t);
	t->block_state = state;
	disable_locked(t);
	/* It was woken between the kernel's last look and this, which was no news then. */
	if ((state & TASK_INTERRUPTIBLE) && signal_pending(current) && chess_freeze_is_all(t))
		set_away_locked(t);
	if (g->state != CHESS_GROUP_STATE_RUNNING)
		goto out;
	chess_queue_blocked_locked(t);
	waits = t->wait_for.active && !(state & (__TASK_STOPPED | __TASK_TRACED));
	timed = waits && !t->wait_for.endless;
	if (timed)
		chess_set_add(chess_deadline_is_held(&t->wait_for) ? &g->deadlines.guarding :
			      &g->timed, t->id);
	else if (waits)
		chess_set_add(&g->spurious.tasks, t->id);
	if (g->token == t) {
		if (timed && chess_deadline_is_held(&t->wait_for))
			chess_settle_guards_locked(g, t->id, t->wait_for.deadline);
		trace_block(g->id, t->id, t->task->pid, state, timed);
		chess_settle_defer_locked(t, &e);
	} else {
		chess_settle_locked(g);
	}
	if (is_kick_due_locked(g))
		irq_work_queue(&g->irq_work);
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_point_slept() - the holder sleeps in the kernel's own business
 * @t: the task, which is current
 *
 * Memory, a kernel mutex, a disk: it keeps the token, else the kernel's
 * momentary state would show in the record. The watchdog looks after it.
 *
 * Context: probe (sched_switch, run-queue lock held).
 */
void chess_point_slept(struct chess_task *t)
{
	struct chess_group *g = t->group;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	t->kept = g->token == t;
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/* May the owner know which task current is? What the kernel does itself is no secret. */
static bool may_name(const struct chess_group *g)
{
	return g->owner.privileged || (current->flags & PF_KTHREAD) ||
	       (uid_eq(current_uid(), g->owner.uid) && uid_eq(current_euid(), g->owner.uid));
}

/* The task that interferes is reported when a prefix cannot be followed. */
static void note_outside_locked(struct chess_group *g, const struct chess_task *t)
	__must_hold(&g->plock)
{
	bool named = in_task() && may_name(g);

	lockdep_assert_held(&g->plock);
	g->latches.task = t->id;
	g->latches.pid = named ? current->pid : 0;
	if (named)
		memcpy(g->latches.comm, current->comm, sizeof(g->latches.comm));
	else
		strscpy(g->latches.comm, in_task() ? "another user" : "",
			sizeof(g->latches.comm));
}

/**
 * chess_point_woken() - somebody wakes a task of a group
 * @t: the task
 *
 * Only wake-ups from within the group count here, in the waker's context, where
 * their place in the record is exact (invariant I2). All others are noticed when
 * the task is scheduled in: chess_point_arrived().
 *
 * Context: probe (sched_waking, p->pi_lock held).
 */
void chess_point_woken(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_task *waker = in_hardirq() ? NULL : chess_task_find(current);
	unsigned long flags;

	/* By a page fault, for example, which another one serves. */
	if (waker && waker->traps.fast.granted)
		chess_fast_drain(waker);
	raw_spin_lock_irqsave(&g->plock, flags);
	if (!t->alive || t->pending || t->enabled || g->state != CHESS_GROUP_STATE_RUNNING)
		goto out;
	if (chess_task_dying(t)) {
		chess_task_enable_locked(t);
	} else if (READ_ONCE(g->timers.cpu) == smp_processor_id()) {
		chess_task_enable_locked(t);
		chess_settle_wake_locked(t, CHESS_TASK_NONE);
	} else if (waker && waker->group == g && waker->alive) {
		chess_task_enable_locked(t);
		/*
		 * Tasks that die beside the holder share files with it: which of them
		 * drops the last reference, and wakes, is the kernel's momentary state.
		 */
		if (g->token != waker || !list_empty(&g->killed) ||
		    chess_settle_others_dying_locked(g, waker->id))
			chess_settle_wake_later_locked(t, CHESS_TASK_NONE);
		else if (g->naway && !g->adoption.process)
			chess_settle_wake_later_locked(t, waker->id);
		else
			chess_settle_wake_locked(t, waker->id);
	} else if (chess_compat_is_freezing(t->task)) {
		set_away_locked(t);
	} else if (!t->away) {
		note_outside_locked(g, t);
	}
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_point_join() - a task runs again that was not enabled
 * @t: the task, which is current
 *
 * Context: preempt notifier or task work.
 */
void chess_point_join(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_event e = { .type = CHESS_EVENT_RESUME };
	unsigned long flags;
	bool was_away;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (!t->alive || g->state != CHESS_GROUP_STATE_RUNNING)
		goto out;
	t->kept = false;
	was_away = chess_task_came_back_locked(t);
	if (t->enabled || t->latched)
		goto out;
	if (chess_task_dying(t) || g->adoption.gathering || g->adoption.held) {
		chess_task_enable_locked(t);
	} else if (was_away && (g->token || g->deferral.waits) && !g->adoption.process) {
		/* What it waits for came when it was awake already, to be frozen. */
		chess_task_enable_locked(t);
		chess_settle_wake_later_locked(t, g->token ? g->token->id : g->deferral.event.task);
		chess_settle_locked(g);
	} else if (!g->token && !g->deferral.waits && !g->enabled.count) {
		chess_task_enable_locked(t);
		g->latches.points = 0;
		chess_settle_defer_locked(t, &e);
	} else if (g->adoption.process && !g->adoption.latching) {
		chess_task_enable_locked(t);
		chess_settle_wake_locked(t, CHESS_TASK_NONE);
		chess_settle_locked(g);
	} else {
		t->line.place = 0;
		t->latched = true;
		t->latch = g->latches.given++;
		g->latches.n++;
		chess_settle_locked(g);
	}
	if (is_kick_due_locked(g))
		irq_work_queue(&g->irq_work);
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_point_are_back() - are all tasks back that were woken to be frozen
 * @g: the group
 * @except: this one does not count
 * @before: only those count that began to wait before it did
 *
 * Context: any.
 * Return: whether they are, and nobody is frozen.
 */
bool chess_point_are_back(struct chess_group *g, const struct chess_task *except, bool before)
{
	const struct chess_task *t;
	unsigned long flags;
	bool settled = true;

	raw_spin_lock_irqsave(&g->plock, flags);
	list_for_each_entry(t, &g->tasks, entry)
		if (t != except && !chess_task_dying(t) &&
		    (!before || (!t->enabled && t->seq < except->seq)) &&
		    (t->away || chess_compat_is_freezing(t->task)))
			settled = false;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return settled;
}

/* A decision where none is due and nobody runs, if there is somebody who could go on. */
static void start_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_event e = { .type = CHESS_EVENT_RESUME };
	struct chess_task *t;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(t, &g->tasks, entry)
		if (t->enabled && g->state == CHESS_GROUP_STATE_RUNNING) {
			chess_settle_defer_locked(t, &e);
			break;
		}
}

/**
 * chess_point_begin() - all tasks that could be adopted are: take the first decision
 * @g: the group
 *
 * Not where it is held: chess_point_release() does that.
 *
 * Context: process.
 */
void chess_point_begin(struct chess_group *g)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	g->adoption.gathering = false;
	if (!g->adoption.held)
		start_locked(g);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	irq_work_queue(&g->irq_work);
}

/**
 * chess_point_release() - take the first decision of a run that was held
 * @g: the group
 *
 * Whoever was woken meanwhile is enabled by now, in whatever order it happened.
 *
 * Context: netlink, group->lock held.
 * Return: 0, or -ENOENT when it is not held.
 */
int chess_point_release(struct chess_group *g)
{
	unsigned long flags;
	bool held;

	lockdep_assert_held(&g->lock);
	raw_spin_lock_irqsave(&g->plock, flags);
	held = g->adoption.held && g->state == CHESS_GROUP_STATE_RUNNING;
	g->adoption.held = false;
	if (held)
		start_locked(g);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	irq_work_queue(&g->irq_work);
	return held ? 0 : -ENOENT;
}

/**
 * chess_point_end_locked() - the last task is gone: the run is over
 * @g: the group
 *
 * Context: any, group->plock held; group->irq_work must be queued after it.
 */
void chess_point_end_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (!list_empty(&g->tasks) || g->state == CHESS_GROUP_STATE_IDLE)
		return;
	g->deferral.waits = false;
	g->token = NULL;
	if (g->state == CHESS_GROUP_STATE_RUNNING)
		chess_settle_dying_locked(g);
	g->state = CHESS_GROUP_STATE_IDLE;
	g->notices.due |= BIT(CHESS_NOTICE_END);
}

static void insert_killed_locked(struct chess_group *g, struct chess_task *t)
	__must_hold(&g->plock)
{
	struct chess_task *pos;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(pos, &g->killed, entry)
		if (pos->id > t->id)
			break;
	list_add_tail(&t->entry, &pos->entry);
}

/**
 * chess_point_dead() - a task is dead and will not run again
 * @t: the task
 *
 * Context: probe (sched_switch with TASK_DEAD, run-queue lock held).
 */
void chess_point_dead(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_event e = {
		.type = CHESS_EVENT_EXIT,
		.object_kind = CHESS_OBJECT_CODE,
		.arg = t->quiet,
	};
	unsigned long flags;
	bool had;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (!t->alive)
		goto out;
	if (t->pending || t->apart) {
		chess_task_remove_locked(t);
		goto end;
	}
	had = g->token == t || (g->deferral.waits && g->deferral.event.task == t->id);
	t->exit_code = chess_task_exit_code(t->task);
	if (g->state != CHESS_GROUP_STATE_RUNNING) {
		chess_task_remove_locked(t);
		goto end;
	}
	if (had) {
		chess_task_remove_locked(t);
		e.object = t->exit_code;
		chess_settle_defer_locked(t, &e);
	} else {
		chess_task_bury_locked(t);
		insert_killed_locked(g, t);
		/* All others waited, and one of them perhaps for this end. */
		if (!g->token && !g->deferral.waits)
			start_locked(g);
		else
			chess_settle_locked(g);
	}
end:
	chess_point_end_locked(g);
	irq_work_queue(&g->irq_work);
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_point_stall_locked() - take the token from a holder that sleeps
 * @g: the group
 * @t: the holder
 *
 * Context: probe (watchdog), group->plock held.
 */
void chess_point_stall_locked(struct chess_group *g, struct chess_task *t)
	__must_hold(&g->plock)
{
	struct chess_event e = { .type = CHESS_EVENT_STALL };

	lockdep_assert_held(&g->plock);
	t->kept = false;
	t->blocked = true;
	t->block_state = READ_ONCE(t->task->__state);
	disable_locked(t);
	g->stalls++;
	chess_settle_defer_locked(t, &e);
}
