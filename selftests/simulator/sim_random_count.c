// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every schedule of a program of sim_random.h, counted: each branch at each decision of the
 * interpreter is taken.
 */
#include <string.h>

#include "sim_random_step.h"

static void enumerate(struct random_state s, int cost, int bound, struct random_count *out)
{
	enum random_decision d = random_advance(&s);
	enum random_verdict v = random_end(&s, d);
	struct random_state next;
	int t, c;

	if (d == RANDOM_WAKES) {
		for (t = 0; t < s.p->tasks; t++) {
			if (!random_is_woken(&s, t))
				continue;
			next = s;
			next.wakes = t;
			enumerate(next, cost, bound, out);
		}
		return;
	}
	if (v != __RANDOM_VERDICTS) {
		out->runs[cost][v]++;
		return;
	}
	random_look(&s, d);
	for (t = 0; t < s.p->tasks; t++) {
		if (!random_may(&s, d, t))
			continue;
		c = cost + random_preempts(&s, d, t);
		if (c > bound)
			continue;
		next = s;
		next.cur = t;
		enumerate(next, c, bound, out);
	}
}

/**
 * random_count() - count all schedules
 * @p: the program
 * @way: how runs are made
 * @bound: preemptions at most, up to RANDOM_BOUND
 * @out: how many there are
 */
void random_count(const struct random_program *p, const struct random_way *way, int bound,
		  struct random_count *out)
{
	struct random_state s;

	memset(out, 0, sizeof(*out));
	random_start(&s, p, way->enabled, way->fair_k);
	s.wake_any = way->wake_any;
	enumerate(s, 0, bound, out);
}
