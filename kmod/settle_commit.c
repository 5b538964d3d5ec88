// SPDX-License-Identifier: GPL-2.0-only
/*
 * A decision takes effect: it is recorded, and the token is handed over. settle.c calls this.
 */
#include "chess.h"
#include "enabled.h"
#include "events.h"
#include "queue.h"
#include "record_push.h"
#include "settle_parts.h"
#include "spurious.h"
#include "take.h"
#include "task.h"
#include "time/deadline.h"
#include "time/timer.h"

/*
 * The tasks that have to let others go first at this decision: the search cannot know them from
 * the enabled set. Where there are none, nothing is recorded.
 */
static void record_left_out_locked(struct chess_group *g, u32 task)
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
 * chess_settle_pass_on_locked() - the deadline that was chosen passes
 * @g: the group; timers that were due before the deadline have gone off
 *
 * Context: any, group->plock held.
 * Return: as chess_settle_locked().
 */
bool chess_settle_pass_on_locked(struct chess_group *g)
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
 * The chosen task continues, once the decision is recorded. Time does not go back: timers that
 * are due before the deadline that was chosen go off first.
 */
static bool hand_over_locked(struct chess_group *g, unsigned int chosen, bool early)
	__must_hold(&g->plock)
{
	struct chess_task *t = chess_settle_find_locked(g, chosen);
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
		/* If it dies of a signal meanwhile, it dies as the token holder. */
		g->deferral.event = (struct chess_event) {
			.type = CHESS_EVENT_BLOCK, .task = chosen,
		};
		chess_settle_fire_until_locked(g, t->wait_for.deadline);
		return false;
	}
	g->token = t;
	chess_fair_scheduled(&g->fair, chosen);
	if (nothing || chess_set_has(&g->timed, chosen))
		chess_deadline_pass_locked(t);
	else if (g->flags & CHESS_RUN_FLAGS_WAKE_ANY)
		chess_queue_decide_locked(g);
	return true;
}

/* No task can continue. One woken from outside may be waiting for just this. */
static bool idle_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *t = chess_settle_first_latched_locked(g);

	lockdep_assert_held(&g->plock);
	if (!t) {
		/* A service waits most of the time: few owners want to know. */
		if (g->ntasks && (!g->adoption.process || g->adoption.latching))
			g->notices.due |= BIT(CHESS_NOTICE_IDLE);
		return false;
	}
	chess_task_enable_locked(t);
	g->latches.points = 0;
	g->deferral.waits = true;
	g->deferral.event = (struct chess_event) { .type = CHESS_EVENT_RESUME, .task = t->id };
	return chess_settle_locked(g);
}

/**
 * chess_settle_commit_locked() - record the decision, and put it into effect
 * @g: the group; group->deferral.event is completed
 * @at: the task at the decision, or NULL
 * @c: the decision
 *
 * Context: any, group->plock held.
 * Return: as chess_settle_locked().
 */
bool chess_settle_commit_locked(struct chess_group *g, struct chess_task *at,
				const struct chess_settle_choice *c)
	__must_hold(&g->plock)
{
	struct chess_event *e = &g->deferral.event;

	lockdep_assert_held(&g->plock);
	e->flags |= c->early * CHESS_OPF_EARLY | c->may_expire * CHESS_OPF_TIMER;
	g->deferral.waits = false;
	g->deferral.ticks = 0;
	record_left_out_locked(g, e->task);
	chess_take_fill_locked(g, e, c->chosen);
	/* No task continues: a wait that may end without a wake-up does not count. */
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
