// SPDX-License-Identifier: GPL-2.0-only
/*
 * How far time passes at a decision: which deadlines the clock has reached, which timers have to
 * go off first, and those that go off before their time because the prefix or the policy says
 * so. settle.c and settle_choose.c call this.
 */
#include "chess.h"
#include "events.h"
#include "record_push.h"
#include "settle_parts.h"
#include "task.h"
#include "time/clock.h"
#include "time/deadline.h"
#include "time/timer.h"

/*
 * Deadlines that the clock has reached: their tasks could continue. Not that of the task that
 * is just blocking: it is not enabled at its own block.
 */
static void pass_expired_locked(struct chess_group *g, const struct chess_event *e)
	__must_hold(&g->plock)
{
	struct chess_task *t;

	lockdep_assert_held(&g->plock);
	while ((t = chess_deadline_first_locked(g)) && t->wait_for.deadline <= g->clock.now &&
	       !(e->type == CHESS_EVENT_BLOCK && e->task == t->id))
		chess_deadline_pass_locked(t);
}

/* No task can continue, or only one that says it cannot. */
static bool is_stuck_locked(const struct chess_group *g, const struct chess_event *e, bool yield)
	__must_hold(&g->plock)
{
	bool alone = g->enabled.count == 1 && chess_set_has(&g->enabled, e->task);

	lockdep_assert_held(&g->plock);
	return !g->enabled.count || (yield && alone);
}

/*
 * Whatever the prefix wants: it says nothing about timers, and the same ones have
 * to go off here when it is replayed.
 */
static bool are_timers_due_locked(struct chess_group *g, const struct chess_event *e, bool yield)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	/* Once for each yield: a periodic timer would go off for ever. */
	bool stuck = is_stuck_locked(g, e, yield && !g->deferral.yield_spent);

	return chess_timer_is_due_locked(g, stuck && !g->latches.n, chess_deadline_next_locked(g));
}

/**
 * chess_settle_pass_time_locked() - time passes as far as it has to before a decision
 * @g: the group
 * @e: the event of the decision
 * @yield: the task of the event yields at it
 *
 * Context: any, group->plock held.
 * Return: false where timers go off before the decision, which is taken afterwards.
 */
bool chess_settle_pass_time_locked(struct chess_group *g, const struct chess_event *e, bool yield)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	chess_deadline_retract_locked(g);
	if (g->timed.count) {
		/* Tasks that take turns in yielding wait for time to pass as well. */
		if (yield)
			g->clock.now += CHESS_CLOCK_STEP;
		pass_expired_locked(g, e);
	}
	if (g->timers.narmed && are_timers_due_locked(g, e, yield)) {
		g->timers.firing = true;
		g->deferral.yield_spent = true;
		irq_work_queue(&g->irq_work);
		return false;
	}
	if (g->deadlines.guarding.count && !(g->flags & CHESS_RUN_FLAGS_NO_WATCHDOGS) &&
	    !g->latches.n && is_stuck_locked(g, e, yield))
		chess_deadline_admit_locked(g);
	return true;
}

/**
 * chess_settle_may_expire_locked() - may timers go off before their time?
 * @g: the group
 * @e: the event of the decision
 *
 * Not at the own block of a task whose wait ends before that: it has to time out first, and
 * is not enabled there.
 *
 * Context: any, group->plock held.
 * Return: whether they may.
 */
bool chess_settle_may_expire_locked(const struct chess_group *g, const struct chess_event *e)
	__must_hold(&g->plock)
{
	u64 first;

	lockdep_assert_held(&g->plock);
	if (!g->timers.narmed || !(g->flags & CHESS_RUN_FLAGS_EARLY_TIMERS))
		return false;
	/* Where nobody can be chosen there is no decision. */
	if (!g->enabled.count && (!g->timed.count || g->latches.n))
		return false;
	first = chess_timer_first_early_locked(g);
	return first != U64_MAX &&
	       !(e->type == CHESS_EVENT_BLOCK && chess_set_has(&g->timed, e->task) &&
		 g->by_id[e->task]->wait_for.deadline < first);
}

/**
 * chess_settle_fire_until_locked() - timers that are due up to a time go off early
 * @g: the group
 * @until: on the group's clock, nanoseconds
 *
 * Waits that end before the first of them end first. Watchdogs do not count that time.
 *
 * Context: any, group->plock held.
 */
void chess_settle_fire_until_locked(struct chess_group *g, u64 until)
	__must_hold(&g->plock)
{
	u64 first = chess_timer_first_locked(g);
	struct chess_task *t;

	lockdep_assert_held(&g->plock);
	while ((t = chess_deadline_first_locked(g)) && t->wait_for.deadline < first)
		chess_deadline_pass_locked(t);
	chess_timer_expire_locked(g, until, false);
	g->timers.firing = true;
	irq_work_queue(&g->irq_work);
}

/**
 * chess_settle_expire_locked() - record that timers go off early, and have them go off
 * @g: the group
 * @e: the event of the decision that is due; it is taken when they have gone off
 *
 * Context: any, group->plock held.
 */
void chess_settle_expire_locked(struct chess_group *g, const struct chess_event *e)
	__must_hold(&g->plock)
{
	u64 first = chess_timer_first_early_locked(g);
	struct chess_event expire = {
		.type = CHESS_EVENT_EXPIRE,
		.flags = CHESS_OPF_EARLY,
		.object_kind = CHESS_OBJECT_TIME,
		.task = e->task,
		.chosen = CHESS_TASK_TIMER,
		.enabled = g->enabled.words[0],
		.timed = g->timed.words[0] | g->spurious.tasks.words[0],
		.object = first,
	};
	bool forced = chess_prefix_peek(&g->prefix) == CHESS_TASK_TIMER;

	lockdep_assert_held(&g->plock);
	expire.seq = chess_record_push_locked(g, &expire);
	trace_decision(g->id, &expire, forced);
	chess_prefix_advance(&g->prefix);
	g->decisions++;
	chess_deadline_put_off_locked(g, first);
	chess_settle_fire_until_locked(g, first);
}
