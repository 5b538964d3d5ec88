// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every schedule of a program of sim_mixed.h, and what comes of it: each branch at each decision of
 * the interpreter is taken.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_mixed_step.h"

static void add(struct mixed_outcomes *out, uint64_t number, unsigned int cost)
{
	size_t i;

	for (i = 0; i < out->n && out->outcome[i].number != number; i++)
		;
	if (i == MIXED_OUTCOMES)
		abort();
	if (i == out->n) {
		out->outcome[out->n].number = number;
		out->outcome[out->n].preemptions = cost;
		out->outcome[out->n++].seen = 0;
	}
	if (cost < out->outcome[i].preemptions)
		out->outcome[i].preemptions = cost;
}

static bool ends(const struct mixed_state *s, bool fails, unsigned int cost, uint64_t max,
		 struct mixed_outcomes *out)
{
	int at[MIXED_TASKS], i;
	uint64_t log[MIXED_TASKS];

	for (i = 0; i < MIXED_TASKS; i++) {
		at[i] = s->task[i].pc;
		log[i] = s->task[i].log;
	}
	add(out, mixed_number(s->p, fails, !fails && !mixed_all_dead(s), s->cur, at, log), cost);
	for (i = cost; i <= MIXED_BOUND; i++)
		out->within[i]++;
	return ++out->schedules <= max;
}

static bool enumerate(struct mixed_state s, unsigned int cost, uint64_t max,
		      struct mixed_outcomes *out);

/* Somebody is chosen at @d. */
static bool choose(const struct mixed_state *s, enum mixed_decision d, unsigned int cost,
		   uint64_t max, struct mixed_outcomes *out)
{
	struct mixed_state next;
	int t;

	for (t = 0; t < s->p->tasks; t++) {
		if (!mixed_may(s, d, t))
			continue;
		next = *s;
		mixed_choose(&next, t);
		if (!enumerate(next, cost + mixed_preempts(s, d, t), max, out))
			return false;
	}
	return true;
}

static bool enumerate(struct mixed_state s, unsigned int cost, uint64_t max,
		      struct mixed_outcomes *out)
{
	enum mixed_decision d = mixed_advance(&s);
	struct mixed_state next;

	if (d == MIXED_FAILED)
		return ends(&s, true, cost, max, out);
	mixed_settle(&s, d);
	if (mixed_is_over(&s))
		return ends(&s, false, cost, max, out);
	if (mixed_may_expire(&s, d)) {
		next = s;
		mixed_expire(&next);
		mixed_yield(&next, d);
		if (!choose(&next, d, cost + 1, max, out))
			return false;
	}
	mixed_yield(&s, d);
	return choose(&s, d, cost, max, out);
}

/**
 * mixed_count() - what can come of a program
 * @p: the program
 * @fair_k: which yields count for fairness; 0: nothing is fair
 * @max: how many schedules it may have at most
 * @out: filled in
 *
 * Return: false: it has more.
 */
bool mixed_count(const struct mixed_program *p, int fair_k, uint64_t max,
		 struct mixed_outcomes *out)
{
	struct mixed_state s;

	memset(out, 0, sizeof(*out));
	mixed_start(&s, p, fair_k);
	return enumerate(s, 0, max, out);
}
