// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who goes on in the user-space model: kmod/decide.c, fair.c, policy.c and the prefix,
 * asked in the order in which chess_point_settle_locked() of kmod/point.c asks them,
 * and with the events it records. What it does for tasks that die without the token, are
 * woken from outside or run too long is left out: there is nothing of that here.
 */
#include "sim_internal.h"

void sim_push(struct sim *s, struct chess_event *e)
{
	e->seq = ++s->seq;
	s->error = chess_record_push(s->record, e, 1);
	if (s->error)
		sim_end(s, CHESS_VERDICT_INCOMPLETE);
}

/* Of equal deadlines that of the lowest id. */
static struct sim_task *first_deadline(const struct sim *s)
{
	struct sim_task *t, *first = NULL;
	unsigned int id;

	for (id = chess_set_next(&s->timed, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&s->timed, id + 1)) {
		t = s->task[id];
		if (!first || t->deadline < first->deadline)
			first = t;
	}
	return first;
}

static void pass_deadline(struct sim *s, struct sim_task *t)
{
	if (s->now < t->deadline)
		s->now = t->deadline;
	sim_unqueue(s, t);
	/* Whoever waits with a time-out says that it cannot go on. */
	chess_fair_yield(&s->fair, &t->fair, t->id, &s->enabled);
	t->timed_out = true;
	sim_push(s, &(struct chess_event){
		.type = CHESS_EVENT_TIMEOUT,
		.object_kind = CHESS_OBJECT_TIME,
		.task = t->id,
		.chosen = CHESS_TASK_NONE,
		.object = s->now,
	});
}

/* Deadlines that the clock has reached, but not of the task that just blocks. */
static void pass_expired(struct sim *s, const struct chess_event *e)
{
	struct sim_task *t;

	while ((t = first_deadline(s)) && t->deadline <= s->now &&
	       !(e->type == CHESS_EVENT_BLOCK && e->task == t->id))
		pass_deadline(s, t);
}

static bool may_choose(const struct sim *s, unsigned int id)
{
	return id < s->n_tasks && !s->task[id]->dead &&
	       (chess_set_has(&s->enabled, id) || chess_set_has(&s->timed, id));
}

static void diverge(struct sim *s, const struct chess_event *e, unsigned int want)
{
	s->verdict = CHESS_VERDICT_DIVERGED;
	s->diverged_at = s->decisions;
	sim_push(s, &(struct chess_event){
		.type = CHESS_EVENT_DIVERGENCE,
		.object_kind = CHESS_OBJECT_TASK,
		.task = e->task,
		.chosen = CHESS_TASK_NONE,
		.enabled = s->enabled.words[0],
		.timed = s->timed.words[0],
		.object = want,
	});
	chess_prefix_drop(&s->prefix);
}

/* The running task did something after which task number @id is not enabled. */
void sim_disable(struct sim *s, unsigned int id)
{
	if (!chess_set_has(&s->enabled, id))
		return;
	chess_fair_disabled(&s->fair, id, s->token->id);
	chess_set_remove(&s->enabled, id);
}

/* SIM_CHESS: a task at an op that would wait is enabled only while it would not. */
static void look_at_gates(struct sim *s)
{
	unsigned int id;

	for (id = chess_set_next(&s->gated, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&s->gated, id + 1)) {
		if (s->task[id]->gate(s->task[id]))
			chess_set_add(&s->enabled, id);
		else
			sim_disable(s, id);
	}
}

/*
 * What the policy chooses after the prefix, of those that fairness allows. Where
 * nobody can go on, or nobody but a task that says it cannot, time passes until the
 * earliest deadline.
 */
static unsigned int decide(struct sim *s, const struct chess_event *e, bool yield)
{
	unsigned int chosen;

	if (yield)
		chess_fair_yield(&s->fair, &s->token->fair, e->task, &s->enabled);
	chess_fair_look(&s->fair, &s->enabled);
	chosen = chess_fair_default(&s->fair, &s->enabled, e->task, yield);
	if (s->timed.count && (chosen == CHESS_TASK_NONE || (yield && chosen == e->task)))
		chosen = first_deadline(s)->id;
	return chosen;
}

/* Who has to let others go first: the search cannot know it from the enabled set. */
static void record_left_out(struct sim *s, unsigned int task)
{
	unsigned int i;

	for (i = 0; s->fair.out.count && i < CHESS_SET_WORDS; i++)
		if (s->fair.out.words[i])
			sim_push(s, &(struct chess_event){
				.type = CHESS_EVENT_FAIR,
				.task = task,
				.chosen = CHESS_TASK_NONE,
				.enabled = s->fair.out.words[i],
				.object = i,
			});
}

static void record_decision(struct sim *s, struct chess_event *e, unsigned int chosen)
{
	e->enabled = s->enabled.words[0];
	e->timed = s->timed.words[0];
	e->chosen = chosen;
	if (s->enabled.count == 1)
		e->flags |= CHESS_OPF_ALONE;
	sim_push(s, e);
	if (chosen == CHESS_TASK_NONE || !s->program->state)
		return;
	s->error = chess_record_push_state(s->record, sim_state(s, s->program->state()));
	if (s->error)
		sim_end(s, CHESS_VERDICT_INCOMPLETE);
}

/**
 * sim_decide_queue() - the running task is to wake one of several
 * @s: the run
 * @first: who came first
 * @waiters: all of them, as bits
 *
 * As chess_queue_decide_locked() of kmod/queue.c does.
 *
 * Return: who it is.
 */
unsigned int sim_decide_queue(struct sim *s, unsigned int first, uint64_t waiters)
{
	unsigned int want = chess_prefix_peek(&s->prefix);
	struct chess_event e = {
		.type = CHESS_EVENT_QUEUE,
		.object_kind = CHESS_OBJECT_TASK,
		.task = s->token->id,
		.enabled = waiters,
		.object = first,
		.chosen = chess_policy_signal(&s->policy, waiters, first),
	};

	if (want < 64 && waiters >> want & 1)
		e.chosen = want;
	else if (want != CHESS_TASK_NONE)
		diverge(s, &e, want);
	sim_push(s, &e);
	if (s->program->state)
		s->error = chess_record_push_state(s->record,
						   ~sim_state(s, s->program->state()));
	if (s->error)
		sim_end(s, CHESS_VERDICT_INCOMPLETE);
	chess_prefix_advance(&s->prefix);
	s->decisions++;
	return e.chosen;
}

/* When the timer goes off without a decision: as are_timers_due_locked() of kmod/elapse.c says. */
static bool is_due(const struct sim *s, bool yield)
{
	const struct sim_task *first = first_deadline(s);
	bool alone = s->enabled.count == 1 && chess_set_has(&s->enabled, s->token->id);
	bool stuck = !s->enabled.count || (yield && alone);

	return s->timer_at <= s->now || (stuck && (!first || s->timer_at <= first->deadline));
}

/* May it go off before its time? As chess_elapse_may_expire_locked() has it. */
static bool may_expire(const struct sim *s, const struct chess_event *e)
{
	if (!s->timer || !(s->enabled.count || s->timed.count))
		return false;
	return !(e->type == CHESS_EVENT_BLOCK && chess_set_has(&s->timed, e->task) &&
		 s->task[e->task]->deadline < s->timer_at);
}

static bool wants_to_expire(struct sim *s, const struct chess_event *e)
{
	unsigned int want = chess_prefix_peek(&s->prefix);

	if (want != CHESS_TASK_NONE)
		return want == CHESS_TASK_TIMER;
	return s->policy.kind && chess_policy_expires(&s->policy, e, &s->enabled, &s->timed);
}

/* A decision of its own, before the one that is due. */
static void expire(struct sim *s, const struct chess_event *at)
{
	struct chess_event e = {
		.type = CHESS_EVENT_EXPIRE,
		.flags = CHESS_OPF_EARLY,
		.object_kind = CHESS_OBJECT_TIME,
		.task = at->task,
		.chosen = CHESS_TASK_TIMER,
		.enabled = s->enabled.words[0],
		.timed = s->timed.words[0],
		.object = s->timer_at,
	};
	struct sim_task *t;

	sim_push(s, &e);
	chess_prefix_advance(&s->prefix);
	s->decisions++;
	while ((t = first_deadline(s)) && t->deadline < s->timer_at)
		pass_deadline(s, t);
	sim_timer_fire(s);
}

/* Nobody can go on. */
static _Noreturn void end_of_run(struct sim *s)
{
	sim_end(s, s->n_alive ? CHESS_VERDICT_DEADLOCK : CHESS_VERDICT_OK);
}

/* Returns once s->token, which is at @e, goes on: at once or after others did. */
void sim_decide(struct sim *s, struct chess_event *e)
{
	bool yield = e->flags & CHESS_OPF_YIELD;
	unsigned int want, usual, chosen;

	e->task = s->token->id;
	if (s->gated.count)
		look_at_gates(s);
	if (s->opts.visit)
		s->opts.visit(s->opts.arg, s->program->state());
	if (s->timed.count || s->timer) {
		/* Tasks that take turns in yielding wait for time to pass as well. */
		if (yield)
			s->now += SIM_CLOCK_STEP;
		pass_expired(s, e);
	}
	if (s->timer && is_due(s, yield))
		sim_timer_fire(s);
	if (may_expire(s, e) && wants_to_expire(s, e))
		expire(s, e);
	e->flags |= may_expire(s, e) ? CHESS_OPF_TIMER : 0;
	want = chess_prefix_peek(&s->prefix);
	if (want != CHESS_TASK_NONE && (s->enabled.count || s->timed.count) &&
	    !may_choose(s, want)) {
		diverge(s, e, want);
		want = CHESS_TASK_NONE;
	}
	usual = decide(s, e, yield);
	if (usual == CHESS_TASK_NONE)
		want = CHESS_TASK_NONE;
	chosen = want == CHESS_TASK_NONE ? usual : want;
	if (s->policy.kind && chosen != CHESS_TASK_NONE) {
		struct chess_set allowed;

		chess_fair_allowed(&s->fair, &s->enabled, &allowed);
		chosen = chess_policy_decide(&s->policy, e, &(struct chess_policy_choice) {
			.enabled = &allowed, .unfair = &s->enabled, .timed = &s->timed,
			.usual = usual, .forced = want,
		});
	}
	if (chosen != usual && chess_set_has(&s->timed, chosen))
		e->flags |= CHESS_OPF_EARLY;
	record_left_out(s, e->task);
	record_decision(s, e, chosen);
	if (chosen == CHESS_TASK_NONE)
		end_of_run(s);
	chess_prefix_advance(&s->prefix);
	s->decisions++;
	chess_fair_scheduled(&s->fair, chosen);
	if (chess_set_has(&s->timed, chosen))
		pass_deadline(s, s->task[chosen]);
	sim_go_to(s, chosen);
}
