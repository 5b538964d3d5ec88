// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which task a decision chooses: what the prefix asks for, where that is possible, else what the
 * default policy or the plan's policy (policy.c) chooses. settle.c calls this.
 */
#include "chess.h"
#include "enabled.h"
#include "record_push.h"
#include "settle_parts.h"
#include "spurious.h"
#include "task.h"
#include "time/deadline.h"
#include "watchdog.h"

/*
 * Where no task can continue, or only one that says it cannot, time passes until the earliest
 * deadline; tasks woken from outside come before that.
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

static bool may_choose_locked(const struct chess_group *g, unsigned int id)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return id < CHESS_MAX_TASKS &&
	       (chess_set_has(&g->enabled, id) || chess_set_has(&g->timed, id) ||
		chess_set_has(&g->spurious.tasks, id));
}

/* The prefix asks for @want, which is not enabled. May it still come? */
static bool await_locked(struct chess_group *g, unsigned int want)
	__must_hold(&g->plock)
{
	struct chess_task *t = chess_settle_find_locked(g, want);

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
 * chess_settle_diverged_locked() - the prefix asks for a task that cannot be chosen
 * @g: the group
 * @task: the task at the decision
 * @want: the task that is asked for
 * @enabled: tasks that could be chosen, up to id 63
 * @timed: tasks that could be timed out
 *
 * The rest of the prefix is dropped.
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

/**
 * chess_settle_heed_locked() - what the prefix asks for
 * @g: the group
 * @e: the event of the decision
 * @c: gets it
 *
 * Context: any, group->plock held.
 * Return: false where there is no choice now: timers go off instead, or the task that is asked
 * for may still come.
 */
bool chess_settle_heed_locked(struct chess_group *g, const struct chess_event *e,
			      struct chess_settle_choice *c)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	c->want = chess_prefix_peek(&g->prefix);
	c->may_expire = chess_settle_may_expire_locked(g, e);
	if (c->may_expire && wants_to_expire_locked(g, e, c->want)) {
		chess_settle_expire_locked(g, e);
		return false;
	}
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

/**
 * chess_settle_choose_locked() - which task continues: by prefix, default policy or plan's policy
 * @g: the group
 * @e: the event of the decision
 * @at: the task at the decision, or NULL
 * @yield: it yields there
 * @c: has what the prefix asks for; gets the answer
 *
 * Context: any, group->plock held.
 */
void chess_settle_choose_locked(struct chess_group *g, const struct chess_event *e,
				const struct chess_task *at, bool yield,
				struct chess_settle_choice *c)
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
