/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decision at most points: the running task goes on, and nobody is on the way
 * in or out. This is the cost of control for a program that calls and calls, so it
 * is inline in the two places that take points, and the event is written where it
 * stays, once. What is not like that is deferred to settle.c, with the same result.
 *
 *	raw_spin_lock(&g->plock);
 *	if (chess_take_begin_locked(t, &take)) {
 *		e = chess_record_slot_locked(g);
 *		*e = ...
 *		take = chess_take_end_locked(t, e, &seq);
 *	}
 *	raw_spin_unlock(&g->plock);
 *	chess_take_stack(g, seq, regs);
 */
#ifndef _CHESS_TAKE_H
#define _CHESS_TAKE_H

#include "decide.h"
#include "events.h"
#include "point.h"
#include "record_push.h"
#include "settle.h"
#include "time/timer.h"

/* Of so many points a row consists of parts. At the end of each the two rules below apply. */
#define CHESS_FAIR_POINTS	1000
/*
 * Alone it can only wait for time. Enough for sleeps of seconds to end before the
 * record is full, too little for an alarm of half a minute to end a busy program.
 */
#define CHESS_FAIR_STEP		(100 * NSEC_PER_MSEC)

/*
 * A loop with points in it that only another task ends, such as poll() without a
 * time-out, would go on for ever under a policy that never preempts. Depends on the
 * record alone, as all decisions do.
 */
static __always_inline void chess_take_be_fair_locked(struct chess_group *g,
						      struct chess_task *t,
						      struct chess_event *e)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (g->streak.task != t->id) {
		g->streak.task = t->id;
		g->streak.points = 0;
		g->streak.parts = 0;
	}
	if (++g->streak.points < CHESS_FAIR_POINTS)
		return;
	g->streak.points = 0;
	if (g->enabled.count > 1) {
		if (++g->streak.parts < g->streak.limit)
			return;
		g->streak.parts = 0;
		e->flags |= CHESS_OPF_YIELD;
	} else if (g->timed.count | g->timers.narmed | g->timers.ncpu) {
		chess_timer_ran_locked(t, CHESS_FAIR_STEP);
	}
}

/**
 * chess_take_fill_locked() - what the decision adds to its event
 * @g: the group
 * @e: the event
 * @chosen: the task that continues
 *
 * Context: any, group->plock held.
 */
static __always_inline void chess_take_fill_locked(const struct chess_group *g,
						   struct chess_event *e, unsigned int chosen)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	e->enabled = g->enabled.words[0];
	e->timed = g->timed.words[0] | g->spurious.tasks.words[0];
	e->chosen = chosen;
	/* Not as a condition: a jump costs more. */
	e->flags |= (g->enabled.count == 1) * CHESS_OPF_ALONE;
}

/**
 * chess_take_trace() - a decision is recorded
 * @g: the group
 * @t: the task at it, or NULL when it is dead
 * @e: the event
 * @want: what the prefix asked for
 *
 * Context: any.
 */
static __always_inline void chess_take_trace(const struct chess_group *g,
					     const struct chess_task *t,
					     const struct chess_event *e, unsigned int want)
{
	if (trace_point_enabled() && t && e->type == CHESS_EVENT_POINT)
		trace_point(g->id, t->task->pid, e);
	if (trace_decision_enabled())
		trace_decision(g->id, e, e->chosen != CHESS_TASK_NONE && e->chosen == want);
}

static __always_inline bool chess_take_is_quiet_locked(const struct chess_group *g,
						       const struct chess_task *t,
						       const struct chess_event *e,
						       unsigned int edges)
	__must_hold(&g->plock)
{
	bool has_killed = !list_empty(&g->killed);

	lockdep_assert_held(&g->plock);
	/*
	 * Whoever dies without the token was enabled, or was about to be. One that was woken to be
	 * frozen may have missed a wake-up of the task at the point.
	 */
	return !(g->latches.n | g->nwoken | g->naway | g->timed.count | g->timers.narmed |
		 g->timers.ncpu | g->policy.kind |
		 (g->flags & CHESS_RUN_FLAGS_WAKE_ANY) | edges |
		 (e->flags & CHESS_OPF_YIELD) | has_killed) &&
	       (g->enabled.count <= 1 || !chess_settle_others_dying_locked(g, t->id));
}

/* Nobody is on the way out or in, yields, or has to let others go first. */
static __always_inline bool chess_take_is_plain_locked(const struct chess_group *g,
						       const struct chess_task *t,
						       const struct chess_event *e)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return chess_take_is_quiet_locked(g, t, e, g->fair.edges);
}

/**
 * chess_take_is_fair_locked() - as if it were plain, the same task goes on
 * @g: the group
 * @t: the task, which has the token and does not yield
 *
 * Nothing but the rules of fairness stands in the way of a plain point, and they let this task
 * go on. As long as it does, its points change nothing in what they say: see
 * chess_fair_scheduled(). At each of them chess_settle_left_out_locked() has the same to record.
 *
 * Context: any, group->plock held.
 * Return: whether it does.
 */
static inline bool chess_take_is_fair_locked(struct chess_group *g, const struct chess_task *t)
	__must_hold(&g->plock)
{
	static const struct chess_event plain;

	lockdep_assert_held(&g->plock);
	if (!chess_take_is_quiet_locked(g, t, &plain, 0))
		return false;
	chess_fair_look(&g->fair, &g->enabled);
	return chess_fair_allows(&g->fair, &g->enabled, t->id);
}

/* What is recorded is what settling would have recorded. */
static __always_inline u32 chess_take_record_locked(struct chess_group *g, struct chess_task *t,
						    struct chess_event *e, unsigned int chosen,
						    unsigned int want)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	chess_take_fill_locked(g, e, chosen);
	t->seq = chess_record_commit_locked(g, e);
	chess_take_trace(g, t, e, want);
	g->decisions++;
	return t->seq;
}

/**
 * chess_take_begin_locked() - the running task is at a point
 * @t: the task, which is current
 * @take: set where the answer is false
 *
 * Context: probe (sys_enter or trap of current), IRQs off, group->plock held until
 * chess_take_end_locked() returned.
 * Return: whether there is an event, to be written to chess_record_slot_locked().
 */
static __always_inline bool chess_take_begin_locked(const struct chess_task *t,
						    enum chess_take *take)
	__must_hold(&t->group->plock)
{
	const struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	lockdep_assert_irqs_disabled();
	if (likely(g->token == t && !chess_kept_is_due(g)))
		return true;
	*take = g->state == CHESS_GROUP_STATE_RUNNING && t->alive ?
		CHESS_TAKE_AGAIN : CHESS_TAKE_GO;
	return false;
}

/* The token may have moved. */
static __always_inline enum chess_take chess_take_answer_locked(struct chess_group *g,
								const struct chess_task *t)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (g->token == t)
		return CHESS_TAKE_GO;
	if (g->notices.due)
		irq_work_queue(&g->irq_work);
	return CHESS_TAKE_WAIT;
}

/**
 * chess_take_end_locked() - decide
 * @t: the task, which is current
 * @e: the event, in its slot; all filled in but for what the decision adds
 * @seq: set to the number of the event; zero where it has none yet
 *
 * Context: probe (sys_enter or trap of current), IRQs off, group->plock held.
 * Return: enum chess_take.
 */
static __always_inline enum chess_take chess_take_end_locked(struct chess_task *t,
							     struct chess_event *e, u32 *seq)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	unsigned int want;

	lockdep_assert_held(&t->group->plock);
	chess_take_be_fair_locked(g, t, e);
	if (!chess_take_is_plain_locked(g, t, e))
		goto defer;
	want = chess_prefix_peek(&g->prefix);
	if (want == CHESS_TASK_NONE) {
		*seq = chess_take_record_locked(g, t, e, t->id, want);
		return CHESS_TAKE_GO;
	}
	if (want >= CHESS_MAX_TASKS || !chess_set_has(&g->enabled, want))
		goto defer;
	*seq = chess_point_forced_locked(t, e, want);
	return chess_take_answer_locked(g, t);

defer:
	*seq = chess_settle_defer_locked(t, e) ? g->deferral.event.seq : 0;
	return chess_take_answer_locked(g, t);
}

/**
 * chess_take_stack() - keep the stack of the task at this event, where that is asked for
 * @g: the group
 * @seq: number of the event; zero: none
 * @regs: user registers of current
 *
 * Context: probe, IRQs off.
 */
static __always_inline void chess_take_stack(struct chess_group *g, u32 seq,
					     const struct pt_regs *regs)
{
	if (g->record.nseqs && seq)
		chess_record_stack(g, seq, regs);
}

#endif /* _CHESS_TAKE_H */
