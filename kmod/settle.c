// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decision: who gets the token. point.c says that one is due.
 *
 * A decision is a function of the prefix, the policy and the recorded past only
 * (invariant I3). Four things could break that, and are dealt with here:
 *
 *  - Tasks that die without the token (exit_group, a fatal signal) run beside
 *    the holder and wake others as they go. So no decision is taken while one
 *    is on its way: it is deferred until they are gone, and what they did is
 *    recorded then, in order of ids.
 *  - Wake-ups from outside the group (timers, other processes) come when they
 *    come. Such a task is latched: it stays out of the enabled set until nobody
 *    else is enabled, until somebody yields, or for CHESS_LATCH_POINTS points,
 *    so that where it joins does not depend on when it was woken. Not so in an
 *    adopted group, unless its owner asks for it: nearly all of a service's wake-ups
 *    are from outside, and requests should not wait for that.
 *  - Tasks whose control group is frozen are woken for it (freeze.c). No decision is taken
 *    before they sleep again: a task that wakes them meanwhile finds them awake, which is not
 *    seen. It is made up for when they turn out not to sleep again. Of a line of waiters one may
 *    have been seen and another not, so all such wake-ups are recorded at the decision, in the
 *    order of waiting.
 *  - Timers of the program go off on the group's clock, in an interrupt of its own. The
 *    decision waits for that. Those that are armed may go off before their time, where
 *    the prefix or the policy says so: time passes, and all that is due up to there
 *    comes before anybody goes on.
 *  - A prefix may ask for a task whose wake-up from outside has not come yet in
 *    this run. The decision is deferred for CHESS_AWAIT_TICKS before that is
 *    called a divergence.
 */
#include <linux/sched/signal.h>

#include "chess.h"
#include "elapse.h"
#include "enabled.h"
#include "events.h"
#include "queue.h"
#include "record_push.h"
#include "settle.h"
#include "spurious.h"
#include "take.h"
#include "task.h"
#include "time/deadline.h"
#include "time/timer.h"
#include "watchdog.h"

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
 * chess_settle_wake_locked() - record that a task may go on
 * @t: the task, in the enabled set
 * @waker: id of who woke it, or CHESS_TASK_NONE
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

/* Of those that a task woke while some were frozen: the one that waited longest. */
static struct chess_task *first_woken_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *t, *first = NULL;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(t, &g->tasks, entry)
		if (t->woken && t->waker != CHESS_TASK_NONE && (!first || t->seq < first->seq))
			first = t;
	return first;
}

/**
 * chess_settle_wake_later_locked() - a task may go on, which is recorded at the next decision
 * @t: the task, in the enabled set
 * @waker: id of who woke it, or CHESS_TASK_NONE: a task that dies
 *
 * Context: any, group->plock held.
 */
void chess_settle_wake_later_locked(struct chess_task *t, u32 waker)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	t->group->nwoken += !t->woken;
	t->woken = true;
	t->waker = waker;
}

/**
 * chess_settle_dying_locked() - record what dying tasks did
 * @g: the group
 *
 * In order of ids: their ends, then their wake-ups. Before these, wake-ups that were not
 * recorded at once because of a freeze.
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
	for (t = first_woken_locked(g); t; t = first_woken_locked(g)) {
		t->woken = false;
		chess_settle_wake_locked(t, t->waker);
	}
	list_for_each_entry(t, &g->tasks, entry)
		if (t->woken) {
			t->woken = false;
			chess_settle_wake_locked(t, CHESS_TASK_NONE);
		}
}

static struct chess_task *first_latched_locked(const struct chess_group *g)
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
	while ((t = first_latched_locked(g))) {
		chess_task_enable_locked(t);
		chess_settle_wake_locked(t, CHESS_TASK_NONE);
	}
	g->latches.points = 0;
}

/*
 * Where nobody can go on, or nobody but a task that says it cannot, time passes
 * until the earliest deadline; tasks from outside are looked at before.
 */
static unsigned int default_locked(const struct chess_group *g, const struct chess_event *e,
				   bool yield)
	__must_hold(&g->plock)
{
	unsigned int chosen = chess_fair_default(&g->fair, &g->enabled, e->task, yield);
	struct chess_task *first;

	lockdep_assert_held(&g->plock);
	if (g->timed.count && !g->latches.n &&
	    (chosen == CHESS_TASK_NONE || (yield && chosen == e->task))) {
		first = chess_deadline_first_locked(g);
		chosen = first->id;
	}
	return chosen;
}

static bool may_choose_locked(const struct chess_group *g, unsigned int id)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return id < CHESS_MAX_TASKS &&
	       (chess_set_has(&g->enabled, id) || chess_set_has(&g->timed, id) ||
		chess_set_has(&g->spurious.tasks, id));
}

/* The prefix asks for @want, which is not enabled. Is there hope? */
static bool await_locked(struct chess_group *g, unsigned int want)
	__must_hold(&g->plock)
{
	struct chess_task *t = chess_task_of_id_locked(g, want);

	lockdep_assert_held(&g->plock);
	if (!t)
		return false;
	if (t->latched) {
		chess_task_enable_locked(t);
		chess_settle_wake_locked(t, CHESS_TASK_NONE);
		return false;
	}
	return g->deferral.ticks < CHESS_AWAIT_TICKS;
}

/**
 * chess_settle_left_out_locked() - record who has to let others go first at this decision
 * @g: the group, after chess_fair_look()
 * @task: id of the task at the decision
 *
 * The search cannot know it from the enabled set. Nothing is said where there is nobody.
 *
 * Context: any, group->plock held.
 */
void chess_settle_left_out_locked(struct chess_group *g, u32 task)
	__must_hold(&g->plock)
{
	unsigned int i;

	lockdep_assert_held(&g->plock);
	for (i = 0; g->fair.out.count && i < CHESS_SET_WORDS; i++)
		if (g->fair.out.words[i])
			chess_record_push_locked(g, &(struct chess_event) {
				.type = CHESS_EVENT_FAIR,
				.task = task,
				.chosen = CHESS_TASK_NONE,
				.enabled = g->fair.out.words[i],
				.object = i,
			});
}

/**
 * chess_settle_diverged_locked() - the prefix asks for somebody who cannot be chosen
 * @g: the group
 * @task: the one at the decision
 * @want: the one asked for
 * @enabled: who could be, up to id 63
 * @timed: who could be timed out
 *
 * The rest of the prefix is of no use.
 *
 * Context: any, group->plock held.
 */
void chess_settle_diverged_locked(struct chess_group *g, u16 task, unsigned int want,
				  u64 enabled, u64 timed)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	g->notices.seq = chess_record_push_locked(g, &(struct chess_event) {
		.type = CHESS_EVENT_DIVERGENCE,
		.object_kind = CHESS_OBJECT_TASK,
		.task = task,
		.chosen = CHESS_TASK_NONE,
		.enabled = enabled,
		.timed = timed,
		.object = want,
	});
	g->notices.due |= BIT(CHESS_NOTICE_DIVERGENCE);
	chess_prefix_drop(&g->prefix);
}

/* The deadline of a task was chosen; what is due before it has gone off. */
static bool pass_on_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *t = g->by_id[g->deferral.passing];

	lockdep_assert_held(&g->plock);
	g->deferral.passing = CHESS_TASK_NONE;
	g->deferral.waits = false;
	g->token = t;
	chess_fair_scheduled(&g->fair, t->id);
	/* A signal may have ended its wait. */
	if (chess_set_has(&g->timed, t->id)) {
		chess_deadline_pass_locked(t);
	} else if (!t->enabled) {
		chess_task_enable_locked(t);
		chess_settle_wake_locked(t, CHESS_TASK_NONE);
	}
	return true;
}

/*
 * Who goes on after the decision is recorded. Time has no way back: timers that are due
 * before the deadline that was chosen go off first.
 */
static bool hand_over_locked(struct chess_group *g, unsigned int chosen, bool early)
	__must_hold(&g->plock)
{
	struct chess_task *t = chess_task_of_id_locked(g, chosen);
	bool nothing;

	lockdep_assert_held(&g->plock);
	nothing = chess_spurious_decide_locked(t, early);
	early = early && !nothing;
	if (early)
		chess_deadline_put_off_locked(g, t->wait_for.deadline);
	if (early && (g->flags & CHESS_RUN_FLAGS_EARLY_TIMERS) &&
	    chess_timer_first_locked(g) <= t->wait_for.deadline) {
		g->deferral.passing = chosen;
		g->deferral.waits = true;
		/* Should it die of a signal meanwhile, it does so as the holder of the token. */
		g->deferral.event = (struct chess_event) {
			.type = CHESS_EVENT_BLOCK, .task = chosen,
		};
		g->deferral.dying = false;
		chess_elapse_until_locked(g, t->wait_for.deadline);
		return false;
	}
	g->token = t;
	chess_fair_scheduled(&g->fair, chosen);
	if (nothing || chess_set_has(&g->timed, chosen))
		chess_elapse_usual_locked(g, t, early);
	else if (g->flags & CHESS_RUN_FLAGS_WAKE_ANY)
		chess_queue_decide_locked(g);
	return true;
}

/* Deadlines are alternatives for a policy, unless they are to pass by default only. */
static unsigned int ask_policy_locked(struct chess_group *g, const struct chess_event *e,
				      unsigned int usual, unsigned int want)
	__must_hold(&g->plock)
{
	static const struct chess_set nobody;
	bool late = (g->flags & CHESS_RUN_FLAGS_NO_EARLY) && want == CHESS_TASK_NONE;

	lockdep_assert_held(&g->plock);
	if (late && chess_set_has(&g->timed, usual))
		return usual;
	chess_fair_allowed(&g->fair, &g->enabled, &g->deferral.allowed);
	return chess_policy_decide(&g->policy, e, &(struct chess_policy_choice) {
		.enabled = &g->deferral.allowed, .unfair = &g->enabled,
		.timed = late ? &nobody : chess_spurious_ending_locked(g), .usual = usual,
		.forced = want,
	});
}

/*
 * Is a task on its way out? One that is killed at its own decision, by a timer that goes off
 * before it or by another one's end, takes none any more. One that was dying before waits for
 * the decision.
 */
static bool is_any_dying_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_deferral *d = &g->deferral;

	lockdep_assert_held(&g->plock);
	return chess_settle_others_dying_locked(g, d->dying ? d->event.task : CHESS_TASK_NONE);
}

/* Does nothing stand in the way of the decision: nobody who dies, arrives or is held? */
static bool may_settle_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_deferral *d = &g->deferral;

	lockdep_assert_held(&g->plock);
	if (!d->waits || g->timers.firing || g->adoption.gathering || g->adoption.held ||
	    g->state != CHESS_GROUP_STATE_RUNNING)
		return false;
	if (d->ticks < CHESS_DYING_TICKS && is_any_dying_locked(g))
		return false;
	return !g->naway || g->adoption.process;
}

/* Who was woken from outside joins, where it is time for that. */
static void admit_locked(struct chess_group *g, bool yield)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (g->latches.n && (yield || ++g->latches.points > CHESS_LATCH_POINTS))
		admit_all_locked(g);
}

/**
 * struct choice - a decision that is being taken
 * @want: what the prefix asks for and may have, or CHESS_TASK_NONE
 * @chosen: the task that goes on, or CHESS_TASK_NONE
 * @may_expire: timers could go off early instead
 * @early: the wait of @chosen is to end by the decision, and need not
 */
struct choice {
	unsigned int want;
	unsigned int chosen;
	bool may_expire;
	bool early;
};

/*
 * What the prefix asks for. Returns false where there is no choice now: timers go off
 * instead, or who is asked for may still come.
 */
static bool heed_prefix_locked(struct chess_group *g, const struct chess_event *e,
			       struct choice *c)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	c->want = chess_prefix_peek(&g->prefix);
	c->may_expire = chess_elapse_may_expire_locked(g, e);
	if (c->may_expire && chess_elapse_expire_locked(g, e, c->want))
		return false;
	if (c->want == CHESS_TASK_NONE || (!g->enabled.count && !g->timed.count) ||
	    may_choose_locked(g, c->want))
		return true;
	if (await_locked(g, c->want))
		return false;
	if (!may_choose_locked(g, c->want)) {
		chess_settle_diverged_locked(g, e->task, c->want, g->enabled.words[0],
					     g->timed.words[0] |
					     g->spurious.tasks.words[0]);
		c->want = CHESS_TASK_NONE;
	}
	return true;
}

/* The prefix, or the default policy, or the plan's. @at: the task at the decision, or NULL. */
static void choose_locked(struct chess_group *g, const struct chess_event *e,
			  const struct chess_task *at, bool yield, struct choice *c)
	__must_hold(&g->plock)
{
	unsigned int usual;

	lockdep_assert_held(&g->plock);
	if (yield && at)
		chess_fair_yield(&g->fair, at->fair, at->id, &g->enabled);
	chess_fair_look(&g->fair, &g->enabled);
	usual = default_locked(g, e, yield);
	if (c->want != CHESS_TASK_NONE && !may_choose_locked(g, c->want))
		c->want = CHESS_TASK_NONE;
	c->chosen = c->want == CHESS_TASK_NONE ? usual : c->want;
	if (g->policy.kind && c->chosen != CHESS_TASK_NONE)
		c->chosen = ask_policy_locked(g, e, usual, c->want);
	c->early = c->chosen != usual && (chess_set_has(&g->timed, c->chosen) ||
					  chess_set_has(&g->spurious.tasks, c->chosen));
}

/* Nobody can go on. A task from outside may be waiting for just this. */
static bool idle_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *t = first_latched_locked(g);

	lockdep_assert_held(&g->plock);
	if (!t) {
		/* A service waits most of the time: few want to know. */
		if (g->ntasks && (!g->adoption.process || g->adoption.latching))
			g->notices.due |= BIT(CHESS_NOTICE_IDLE);
		return false;
	}
	chess_task_enable_locked(t);
	g->latches.points = 0;
	g->deferral.waits = true;
	g->deferral.event = (struct chess_event) { .type = CHESS_EVENT_RESUME, .task = t->id };
	g->deferral.dying = false;
	return chess_settle_locked(g);
}

/* The decision is recorded, and takes effect. */
static bool commit_locked(struct chess_group *g, struct chess_task *at, const struct choice *c)
	__must_hold(&g->plock)
{
	struct chess_event *e = &g->deferral.event;

	lockdep_assert_held(&g->plock);
	e->flags |= c->early * CHESS_OPF_EARLY | c->may_expire * CHESS_OPF_TIMER;
	g->deferral.waits = false;
	g->deferral.ticks = 0;
	chess_settle_left_out_locked(g, e->task);
	chess_take_fill_locked(g, e, c->chosen);
	/* No task goes on: a wait that may end spuriously is not a way out. */
	if (c->chosen == CHESS_TASK_NONE)
		e->timed = g->timed.words[0];
	e->seq = chess_record_push_locked(g, e);
	if (at)
		at->seq = e->seq;
	chess_take_trace(g, at, e, c->want);
	if (c->chosen == CHESS_TASK_NONE)
		return idle_locked(g);
	chess_prefix_advance(&g->prefix);
	g->decisions++;
	return hand_over_locked(g, c->chosen, c->early);
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
	struct choice c;
	bool yield;

	lockdep_assert_held(&g->plock);
	if (!may_settle_locked(g))
		return false;
	chess_settle_dying_locked(g);
	if (g->deferral.passing != CHESS_TASK_NONE)
		return pass_on_locked(g);
	yield = e->type == CHESS_EVENT_QUANTUM || (e->flags & CHESS_OPF_YIELD);
	admit_locked(g, yield);
	if (!chess_elapse_pass_locked(g, e, yield) || !heed_prefix_locked(g, e, &c))
		return false;
	at = chess_task_of_id_locked(g, e->task);
	choose_locked(g, e, at, yield, &c);
	return commit_locked(g, at, &c);
}

/**
 * chess_settle_defer_locked() - the token is free: decide who gets it, now or later
 * @t: who had it, or is the first to want it
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
	g->deferral.dying = chess_task_dying(t);
	return chess_settle_locked(g);
}
