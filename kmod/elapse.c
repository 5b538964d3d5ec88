// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the group's clock does at a decision: which deadlines and timers are due, and which go
 * off before their time because the prefix or the policy says so. A decision waits for the
 * timers that go off at it (settle.c).
 */
#include "chess.h"
#include "elapse.h"
#include "events.h"
#include "record_push.h"
#include "spurious.h"
#include "task.h"
#include "time/clock.h"
#include "time/cputime.h"
#include "time/deadline.h"
#include "time/timer.h"

/*
 * Deadlines that the clock has passed by now: those tasks could go on. Not the one
 * that is just blocking: it is not enabled at its own block.
 */
static void pass_expired_locked(struct chess_group *g, const struct chess_event *e)
	__must_hold(&g->plock)
{
	struct chess_task *t;

	lockdep_assert_held(&g->plock);
	while ((t = chess_late_overdue_locked(g)) &&
	       !(e->type == CHESS_EVENT_BLOCK && e->task == t->id))
		chess_deadline_pass_locked(t);
}

/* Nobody can go on, or nobody but a task that says it cannot. */
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

	return chess_timer_is_due_locked(g, stuck && !g->latches.n, chess_deadline_next_locked(g),
					 yield ? chess_task_of_id_locked(g, e->task) : NULL);
}

/**
 * chess_elapse_may_expire_locked() - may timers go off before their time?
 * @g: the group
 * @e: the event of the decision
 *
 * Not at the own block of a task whose wait ends before that: it has to time out first, and
 * is not enabled there.
 *
 * Context: any, group->plock held.
 * Return: whether they may, in place of the decision.
 */
bool chess_elapse_may_expire_locked(struct chess_group *g, const struct chess_event *e)
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
 * chess_elapse_until_locked() - timers go off early
 * @g: the group, with a timer that is due by then
 * @until: on the group's clock, nanoseconds
 *
 * Waits that end before the first of these timers end before it. Watchdogs do not count
 * that time.
 *
 * Context: any, group->plock held. The timers go off in the group's irq_work, which calls
 * chess_settle_locked().
 */
void chess_elapse_until_locked(struct chess_group *g, u64 until)
	__must_hold(&g->plock)
{
	u64 first = chess_timer_first_locked(g);
	struct chess_task *t;

	lockdep_assert_held(&g->plock);
	while ((t = chess_deadline_first_locked(g)) && t->wait_for.deadline < first)
		chess_deadline_pass_locked(t);
	chess_timer_expire_locked(g, until, false, NULL);
	g->timers.firing = true;
	irq_work_queue(&g->irq_work);
}

static bool wants_to_expire_locked(struct chess_group *g, const struct chess_event *e,
				   unsigned int want)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (want != CHESS_TASK_NONE)
		return want == CHESS_TASK_TIMER;
	return g->policy.kind && !(g->flags & CHESS_RUN_FLAGS_NO_EARLY) &&
	       chess_policy_expires(&g->policy, e, &g->enabled, chess_spurious_ending_locked(g));
}

/* A decision of its own; the one in work is taken when the timers have gone off. */
static void expire_locked(struct chess_group *g, const struct chess_event *e)
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
	chess_elapse_until_locked(g, first);
}

/**
 * chess_elapse_expire_locked() - timers go off early, if the prefix or the policy says so
 * @g: the group, whose timers may: chess_elapse_may_expire_locked()
 * @e: the event of the decision
 * @want: what the prefix asks for, or CHESS_TASK_NONE
 *
 * Context: any, group->plock held.
 * Return: whether they do; the decision is taken when they have gone off.
 */
bool chess_elapse_expire_locked(struct chess_group *g, const struct chess_event *e,
				unsigned int want)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (!wants_to_expire_locked(g, e, want))
		return false;
	expire_locked(g, e);
	return true;
}

/**
 * chess_elapse_usual_locked() - the deadline of the task that was chosen passes
 * @g: the group
 * @t: the task, which waits
 * @early: a task could have gone on instead
 *
 * Where the only task that could go on yields, that task uses the time.
 *
 * Context: any, group->plock held.
 */
void chess_elapse_usual_locked(struct chess_group *g, struct chess_task *t, bool early)
	__must_hold(&g->plock)
{
	const struct chess_event *e = &g->deferral.event;
	u64 deadline = t->wait_for.deadline;

	lockdep_assert_held(&g->plock);
	if (!early && e->type != CHESS_EVENT_BLOCK && deadline > g->clock.now)
		chess_cputime_charge_locked(chess_task_of_id_locked(g, e->task),
					    deadline - g->clock.now, 0);
	chess_deadline_pass_locked(t);
}

/* Who yields uses a little time; who ran on without a point a quantum, if anybody looks. */
static void spend_locked(struct chess_group *g, const struct chess_event *e)
	__must_hold(&g->plock)
{
	bool ran = e->type == CHESS_EVENT_QUANTUM && g->timers.ncpu && !g->deferral.yield_spent;
	u64 user = ran ? (u64)g->watchdog.quantum_us * NSEC_PER_USEC : CHESS_CLOCK_STEP / 2;
	u64 system = ran ? 0 : CHESS_CLOCK_STEP / 2;

	lockdep_assert_held(&g->plock);
	g->clock.now += user + system;
	chess_cputime_charge_locked(chess_task_of_id_locked(g, e->task), user, system);
}

/**
 * chess_elapse_pass_locked() - time passes as far as it has to before a decision
 * @g: the group
 * @e: the event of the decision
 * @yield: the task at it lets others go first
 *
 * Context: any, group->plock held.
 * Return: false where timers go off first, in the group's irq_work.
 */
bool chess_elapse_pass_locked(struct chess_group *g, const struct chess_event *e, bool yield)
	__must_hold(&g->plock)
{
	bool waits;

	lockdep_assert_held(&g->plock);
	chess_deadline_retract_locked(g);
	waits = chess_late_comes_locked(g);
	/* Tasks that take turns in yielding wait for time to pass as well. */
	if (yield && (waits || (g->timers.ncpu && !g->deferral.yield_spent)))
		spend_locked(g, e);
	if (waits)
		pass_expired_locked(g, e);
	if ((g->timers.narmed | g->timers.ncpu) && are_timers_due_locked(g, e, yield)) {
		g->timers.firing = true;
		g->deferral.yield_spent = true;
		irq_work_queue(&g->irq_work);
		return false;
	}
	if (g->deadlines.guarding.count && !g->latches.n && is_stuck_locked(g, e, yield))
		chess_deadline_admit_locked(g);
	return true;
}
