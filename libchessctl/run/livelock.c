// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Runs that never end although every task has its turn (Musuvathi and Qadeer, PLDI'08,
 * section 2). A run that is longer than any a correct program should have is looked at:
 * if all of its second half is one cycle of steps over and over, then
 *  - either every task in the cycle yields in it: a livelock,
 *  - or one never does, and others could go on at each of its points: it breaks the good
 *    samaritan property, by which who makes no progress lets others go on.
 * A task that could go on in each round and never gets past the op it is at starves: that
 * is the livelock where nobody breaks a rule.
 *
 * Where chance decides who goes on, the steps of all tasks together are no cycle. There each task
 * is looked at by itself: it has a cycle of its own, of ops, as where it has to wait is chance too.
 * Anything else is a long run and no more: a task that computes, alone or in steps that
 * differ. runner.c asks while a run goes on and when it is over, report.c of a trace.
 */
#include <stdlib.h>

#include "internal.h"
#include "record/decision.h"
#include "run/livelock.h"

/*
 * A quantum that is used up stands for this many points: a loop without any has few
 * decisions, half a second each.
 */
#define QUANTUM_POINTS	1000

/* So often at least the cycle is repeated. */
#define ROUNDS_MIN	3

static size_t weight(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_QUANTUM ? QUANTUM_POINTS : e->type == CHESS_EVENT_POINT;
}

/* The same step: of the same task, the same op on the same object at the same place. A
 * quantum ends anywhere in a loop.
 */
static bool same_op(const struct chess_event *a, const struct chess_event *b)
{
	if (a->type != b->type || a->task != b->task)
		return false;
	return a->type == CHESS_EVENT_QUANTUM ||
	       (a->op == b->op && a->nr == b->nr && a->object_kind == b->object_kind &&
		a->object == b->object && a->ip == b->ip);
}

static bool same_step(const struct chess_event *a, const struct chess_event *b)
{
	return a->chosen == b->chosen && same_op(a, b);
}

/*
 * Shortest period of the @n steps in @step, seen from the last: Knuth, Morris and Pratt.
 * border[i] is how many of the last i + 1 steps stand before them once more.
 */
static size_t find_period(const struct chess_event **step, size_t n, size_t *border,
			  bool (*same)(const struct chess_event *, const struct chess_event *))
{
	size_t i, k = 0;

	border[0] = 0;
	for (i = 1; i < n; i++) {
		while (k && !same(step[n - 1 - i], step[n - 1 - k]))
			k = border[k - 1];
		k += same(step[n - 1 - i], step[n - 1 - k]);
		border[i] = k;
	}
	return n - border[n - 1];
}

size_t chess_record_weight(const struct chess_record *r)
{
	size_t i, sum = 0;

	for (i = 0; i < chess_record_length(r); i++)
		sum += weight(chess_record_event(r, i));
	return sum;
}

/* Steps of the second half of the first @length events; *@step is malloc'ed. */
static size_t second_half(const struct chess_record *r, size_t length,
			  const struct chess_event ***step)
{
	size_t i, n = 0, sum = 0, seen = 0;

	for (i = 0; i < length; i++)
		sum += weight(chess_record_event(r, i));
	*step = malloc((length ? length : 1) * sizeof(**step));
	for (i = 0; *step && i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		seen += weight(e);
		if (chess_event_is_decision(e) && seen > sum / 2)
			(*step)[n++] = e;
	}
	return n;
}

/* What a task does in one round: may it be waiting? */
struct part {
	bool yields;		/* of its own accord, or it was cut, or timed out */
	bool others;		/* could go on at each of its points */
};

/*
 * The module takes a task to yield after many points in a row: the same step is there
 * without that then.
 */
static bool is_own_yield(const struct chess_event **step, size_t n, const struct chess_event *e)
{
	size_t i;

	if (e->type == CHESS_EVENT_QUANTUM)
		return false;
	if (e->type != CHESS_EVENT_POINT || !(e->flags & CHESS_OPF_YIELD))
		return false;
	for (i = 0; i < n; i++)
		if (step[i]->type == e->type && step[i]->task == e->task &&
		    step[i]->ip == e->ip && step[i]->op == e->op &&
		    !(step[i]->flags & CHESS_OPF_YIELD))
			return false;
	return true;
}

/*
 * The part of @task in a round of @n steps, which @all steps that are known end with; events of
 * the round begin at index @first.
 */
static struct part part_of(const struct chess_record *r, const struct chess_event **step, size_t n,
			   size_t all, size_t first, uint16_t task)
{
	struct part p = { .others = true };
	size_t i, until = step[n - 1]->seq;

	for (i = 0; i < n; i++) {
		const struct chess_event *e = step[i];

		if (e->task != task || !weight(e))
			continue;
		p.yields |= is_own_yield(step + n - all, all, e);
		p.others &= !(e->flags & CHESS_OPF_ALONE);
	}
	for (i = first; i < until; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		p.yields |= e->type == CHESS_EVENT_TIMEOUT && e->task == task;
	}
	return p;
}

/* Are the @n steps of one round a livelock? Sets who breaks the rule, or -1. */
static bool judge_round(const struct chess_record *r, const struct chess_event **step, size_t n,
			int *selfish)
{
	struct part p;
	size_t i;

	*selfish = -1;
	for (i = 0; i < n; i++) {
		if (!weight(step[i]) || step[i]->task == *selfish)
			continue;
		/* There is a round before this one. */
		p = part_of(r, step, n, n, step[-1]->seq, step[i]->task);
		if (p.yields)
			continue;
		if (!p.others || *selfish >= 0)
			return false;
		*selfish = step[i]->task;
	}
	return true;
}

static bool is_enabled_in(const struct chess_record *r, const struct chess_cycle *c, uint16_t task)
{
	size_t i;

	for (i = c->first; i < c->end; i++)
		if (chess_event_is_decision(chess_record_event(r, i)) &&
		    chess_record_enabled(r, i, task))
			return true;
	return false;
}

static bool gets_on_in(const struct chess_record *r, const struct chess_cycle *c, uint16_t task)
{
	const struct chess_event *e;
	size_t i;

	for (i = c->first; i < c->end; i++) {
		e = chess_record_event(r, i);
		if (e->task == task && (weight(e) || e->type == CHESS_EVENT_TIMEOUT))
			return true;
	}
	return false;
}

/*
 * Who could go on in each round, and is at the same op at its end: scheduled in vain,
 * as a task that is woken for a lock and finds it taken again.
 */
static int find_starved(const struct chess_record *r, const struct chess_cycle *c)
{
	uint16_t task;

	for (task = 0; task < chess_record_tasks(r); task++)
		if (is_enabled_in(r, c, task) && !gets_on_in(r, c, task))
			return task;
	return -1;
}

const char *chess_cycle_kind(const struct chess_cycle *cycle)
{
	if (cycle->selfish >= 0)
		return "good-samaritan";
	return cycle->starved >= 0 ? "starvation" : "livelock";
}

/* All tasks together. */
static bool find_common(const struct chess_record *r, const struct chess_event **step, size_t n,
			size_t *border, struct chess_cycle *out)
{
	size_t period = find_period(step, n, border, same_step);
	bool found;

	out->rounds = n / period;
	if (out->rounds < ROUNDS_MIN)
		return false;
	out->separate = false;
	out->first = step[n - period - 1]->seq;
	out->end = step[n - 1]->seq;
	found = judge_round(r, step + n - period, period, &out->selfish);
	out->starved = found ? find_starved(r, out) : -1;
	return found;
}

/* Those of @task, of the @n, that are in the record because it was there; and how many. */
static size_t own_steps(const struct chess_event **step, size_t n, uint16_t task,
			const struct chess_event **own)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++)
		if (step[i]->task == task && weight(step[i]))
			own[k++] = step[i];
	return k;
}

/* May what @task does, @n steps, be part of a livelock? Its last round becomes a part of @out. */
static bool is_round_of(const struct chess_record *r, const struct chess_event **own, size_t n,
			size_t *border, uint16_t task, struct chess_cycle *out)
{
	size_t period = find_period(own, n, border, same_op), first;
	struct part p;

	if (n / period < ROUNDS_MIN)
		return false;
	first = own[n - period]->seq - 1;
	if (first < out->first)
		out->first = first;
	if (n / period < out->rounds)
		out->rounds = n / period;
	p = part_of(r, own + n - period, period, n, first, task);
	if (p.yields)
		return true;
	if (!p.others || out->selfish >= 0)
		return false;
	out->selfish = task;
	return true;
}

/* Each task by itself; @own has as much room as @step. */
static bool find_separate(const struct chess_record *r, const struct chess_event **step, size_t n,
			  const struct chess_event **own, size_t *border, struct chess_cycle *out)
{
	struct chess_cycle half = { .first = step[0]->seq - 1, .end = step[n - 1]->seq };
	uint16_t task;
	size_t k;

	*out = (struct chess_cycle) {
		.first = half.end, .end = half.end, .rounds = n, .selfish = -1, .separate = true,
	};
	for (task = 0; task < chess_record_tasks(r); task++) {
		k = own_steps(step, n, task, own);
		if (k && !is_round_of(r, own, k, border, task, out))
			return false;
	}
	/* In a single round chance may not come to it. */
	out->starved = find_starved(r, &half);
	return out->first < out->end;
}

static bool find_cycle(const struct chess_record *r, size_t length, struct chess_cycle *out)
{
	const struct chess_event **step, **own;
	size_t n = second_half(r, length, &step);
	size_t *border = n ? malloc(n * sizeof(*border)) : NULL;
	bool found = false;

	own = n ? malloc(n * sizeof(*own)) : NULL;
	/* Which task goes on after the last step may have been chosen for the first time there. */
	if (step && own && border)
		found = find_common(r, step, n, border, out) ||
			(n > 1 && find_common(r, step, n - 1, border, out)) ||
			find_separate(r, step, n, own, border, out);
	free(border);
	free(own);
	free(step);
	return found;
}

bool chess_record_cycle(const struct chess_record *r, struct chess_cycle *out)
{
	return find_cycle(r, chess_record_length(r), out);
}

size_t chess_livelock_find(const struct chess_record *r, size_t max)
{
	size_t i, sum = 0, length = chess_record_length(r);
	struct chess_cycle cycle;

	/* It may have come into its cycle late: asked again at twice as many. */
	for (i = 0; i < length; max *= 2) {
		for (; i < length && sum <= max; i++)
			sum += weight(chess_record_event(r, i));
		if (sum > max && find_cycle(r, i, &cycle))
			return i;
	}
	return 0;
}
