// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decision, from the event that makes one due (point.c) to the task that gets the token. It
 * is deferred here until nothing stands in its way. settle_time.c lets time pass before it,
 * settle_choose.c chooses, settle_commit.c records it and hands over the token.
 *
 * A decision is a function of the prefix, the policy and the recorded past only
 * (invariant I3). Five things could break that, and are dealt with here:
 *
 *  - Tasks that die without the token (exit_group, a fatal signal) run beside
 *    the holder and wake others as they go. So no decision is taken while one
 *    is on its way: it is deferred until they are gone, and what they did is
 *    recorded then, in order of ids.
 *  - Wake-ups from outside the group (timers, other processes) come when they
 *    come. Such a task is latched: it stays out of the enabled set until no
 *    other task is enabled, until one yields, or for CHESS_LATCH_POINTS points,
 *    so that where it joins does not depend on when it was woken. Not so in an
 *    adopted group, unless its owner asks for it: nearly all of a service's wake-ups
 *    are from outside, and requests should not wait for that.
 *  - Tasks whose control group is frozen are woken for it (gate.c). No decision is taken
 *    before they sleep again: a task that wakes them meanwhile finds them awake, which is
 *    not seen. It is made up for when they turn out not to sleep again.
 *  - Timers of the program go off on the group's clock, in an interrupt of its own. The
 *    decision waits for that. Those that are armed may go off before their time, where
 *    the prefix or the policy says so: time passes, and all that is due up to there
 *    comes before any task continues.
 *  - A prefix may ask for a task whose wake-up from outside has not come yet in
 *    this run. The decision is deferred for CHESS_AWAIT_TICKS before that is
 *    called a divergence.
 */
#include <linux/sched/signal.h>

#include "chess.h"
#include "enabled.h"
#include "events.h"
#include "record_push.h"
#include "settle_parts.h"
#include "task.h"

/* Points a latched task waits at most while others run on without a yield. */
#define CHESS_LATCH_POINTS	2000

/**
 * chess_settle_others_dying_locked() - is a task on its way out beside the holder
 * @g: the group
 * @except: id of one that does not count
 *
 * Context: any, group->plock held.
 * Return: whether one is.
 */
bool chess_settle_others_dying_locked(const struct chess_group *g, u32 except)
	__must_hold(&g->plock)
{
	const struct chess_task *t;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(t, &g->tasks, entry)
		if (t->id != except && !t->pending &&
		    (t->enabled || t->latched || READ_ONCE(t->gate.is_parked)) &&
		    chess_task_dying(t))
			return true;
	return false;
}

/**
 * chess_settle_wake_locked() - record that a task may continue
 * @t: the task, in the enabled set
 * @waker: id of the task that woke it, or CHESS_TASK_NONE
 *
 * Context: any, group->plock held.
 */
void chess_settle_wake_locked(struct chess_task *t, u32 waker)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	t->seq = chess_record_push_locked(t->group, &(struct chess_event) {
		.type = CHESS_EVENT_WAKE,
		.object_kind = CHESS_OBJECT_TASK,
		.task = t->id,
		.chosen = CHESS_TASK_NONE,
		.object = waker,
	});
	trace_wake(t->group->id, t->id, t->task->pid, waker);
}

/**
 * chess_settle_guards_locked() - record that a deadline of a task is a watchdog's
 * @g: the group
 * @task: the task
 * @deadline: on the group's clock, nanoseconds
 *
 * Context: any, group->plock held.
 */
void chess_settle_guards_locked(struct chess_group *g, u32 task, u64 deadline)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	chess_record_push_locked(g, &(struct chess_event) {
		.type = CHESS_EVENT_WATCHDOG,
		.object_kind = CHESS_OBJECT_TIME,
		.task = task,
		.chosen = CHESS_TASK_NONE,
		.object = deadline,
	});
}

/**
 * chess_settle_dying_locked() - record what dying tasks did
 * @g: the group
 *
 * In order of ids: their ends, then their wake-ups.
 *
 * Context: any, group->plock held.
 */
void chess_settle_dying_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *t, *next;

	lockdep_assert_held(&g->plock);
	list_for_each_entry_safe(t, next, &g->killed, entry) {
		chess_record_push_locked(g, &(struct chess_event) {
			.type = CHESS_EVENT_KILLED,
			.object_kind = CHESS_OBJECT_CODE,
			.task = t->id,
			.chosen = CHESS_TASK_NONE,
			.object = t->exit_code,
		});
		chess_task_discard_locked(t);
	}
	if (!g->nwoken)
		return;
	g->nwoken = 0;
	list_for_each_entry(t, &g->tasks, entry)
		if (t->woken) {
			t->woken = false;
			chess_settle_wake_locked(t, CHESS_TASK_NONE);
		}
}

/**
 * chess_settle_first_latched_locked() - the task that was latched first
 * @g: the group
 *
 * Context: any, group->plock held.
 * Return: the task, or NULL.
 */
struct chess_task *chess_settle_first_latched_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *t, *first = NULL;

	lockdep_assert_held(&g->plock);
	if (!g->latches.n)
		return NULL;
	list_for_each_entry(t, &g->tasks, entry)
		if (t->latched && (!first || t->latch < first->latch))
			first = t;
	return first;
}

static void admit_all_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *t;

	lockdep_assert_held(&g->plock);
	while ((t = chess_settle_first_latched_locked(g))) {
		chess_task_enable_locked(t);
		chess_settle_wake_locked(t, CHESS_TASK_NONE);
	}
	g->latches.points = 0;
}

/* Tasks that were woken from outside join, where it is time for that. */
static void admit_locked(struct chess_group *g, bool yield)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (g->latches.n && (yield || ++g->latches.points > CHESS_LATCH_POINTS))
		admit_all_locked(g);
}

/* Is the decision possible now: is no task dying, arriving or held? */
static bool may_settle_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_deferral *d = &g->deferral;

	lockdep_assert_held(&g->plock);
	if (!d->waits || g->timers.firing || g->adoption.gathering || g->adoption.held ||
	    g->state != CHESS_GROUP_STATE_RUNNING)
		return false;
	if (d->ticks < CHESS_DYING_TICKS && chess_settle_others_dying_locked(g, d->event.task))
		return false;
	return !g->naway || g->adoption.process;
}

/**
 * chess_settle_locked() - take the deferred decision, if it can be taken
 * @g: the group
 *
 * Context: any, group->plock held.
 * Return: whether the token has a new holder that must be woken; then
 * group->irq_work must be queued, or chess_gate_wake() called.
 */
bool chess_settle_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_event *e = &g->deferral.event;
	struct chess_task *at;
	struct chess_settle_choice c;
	bool yield;

	lockdep_assert_held(&g->plock);
	if (!may_settle_locked(g))
		return false;
	chess_settle_dying_locked(g);
	if (g->deferral.passing != CHESS_TASK_NONE)
		return chess_settle_pass_on_locked(g);
	yield = e->type == CHESS_EVENT_QUANTUM || (e->flags & CHESS_OPF_YIELD);
	admit_locked(g, yield);
	if (!chess_settle_pass_time_locked(g, e, yield) || !chess_settle_heed_locked(g, e, &c))
		return false;
	at = chess_settle_find_locked(g, e->task);
	chess_settle_choose_locked(g, e, at, yield, &c);
	return chess_settle_commit_locked(g, at, &c);
}

/**
 * chess_settle_defer_locked() - the token is free: decide which task gets it, now or later
 * @t: the task that had it, or is the first to want it
 * @e: why; copied
 *
 * Context: any, group->plock held.
 * Return: as chess_settle_locked(); the number of the event is in group->deferral.event.
 */
bool chess_settle_defer_locked(struct chess_task *t, const struct chess_event *e)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	g->token = NULL;
	g->deferral.waits = true;
	g->deferral.ticks = 0;
	g->deferral.passing = CHESS_TASK_NONE;
	g->deferral.yield_spent = false;
	g->deferral.event = *e;
	g->deferral.event.task = t->id;
	return chess_settle_locked(g);
}
