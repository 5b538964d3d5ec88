// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tasks in lockstep, as on processors of the same speed: a part of strategy turns, and no
 * strategy by itself. Two tasks that take what the other one needs, see it, give back and
 * begin again do so for ever as long as they move at the same pace. That needs a preemption in
 * each round, so it is in no bounded search, and by chance they soon fall out of step.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "search/strategy.h"

/* Steps of a slice, of one plan each. */
static const uint32_t slices[] = { 1, 2 };

struct lockstep {
	size_t given;
};

static void *lockstep_new(const struct chess_explore_opts *o)
{
	struct lockstep *s = calloc(1, sizeof(*s));

	(void)o;
	if (!s)
		chess_set_error(ENOMEM, "no memory for a search");
	return s;
}

static int lockstep_peek(void *strategy, size_t k, struct chess_plan *plan)
{
	const struct lockstep *s = strategy;

	if (s->given + k >= sizeof(slices) / sizeof(*slices))
		return 0;
	plan->changes = malloc(sizeof(*plan->changes));
	if (!plan->changes)
		return chess_set_error(ENOMEM, "no memory for a plan");
	plan->policy = CHESS_POLICY_KIND_ROUND_ROBIN;
	plan->changes[0] = slices[s->given + k];
	plan->n_changes = 1;
	return 1;
}

static int lockstep_next(void *strategy, struct chess_plan *plan)
{
	struct lockstep *s = strategy;
	int ret = lockstep_peek(s, 0, plan);

	s->given += ret > 0;
	return ret;
}

static int lockstep_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	(void)strategy;
	(void)plan;
	(void)r;
	return 0;
}

static void lockstep_done(void *strategy, struct chess_plan *plan)
{
	(void)strategy;
	free(plan->changes);
	memset(plan, 0, sizeof(*plan));
}

static unsigned int lockstep_bound(const void *strategy)
{
	(void)strategy;
	return 0;
}

const struct chess_strategy_ops chess_strategy_lockstep = {
	.name = "lockstep",
	.new = lockstep_new,
	.next = lockstep_next,
	.peek = lockstep_peek,
	.report = lockstep_report,
	.done = lockstep_done,
	.bound = lockstep_bound,
	.free = free,
};
