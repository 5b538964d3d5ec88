// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte,
 * ASPLOS'10): kmod/policy.c has the priorities, here the change points are drawn. The
 * paper needs the number of steps k in advance; this uses the largest number of decisions,
 * counted from the second task on, of any run so far. The first run has no change points.
 */
#include <errno.h>
#include <stdlib.h>

#include "search/chance.h"
#include "internal.h"
#include "search/strategy.h"
#include "record/decision.h"

#define DEPTH	3

struct pct {
	unsigned int depth;
	size_t steps;
};

static int pct_fill(void *data, struct chess_plan *plan)
{
	const struct pct *p = data;
	/* A sequence other than the one from which the module draws. */
	uint64_t state = ~plan->seed;
	size_t i;

	if (!p->steps || p->depth < 2)
		return 0;
	plan->changes = calloc(p->depth - 1, sizeof(*plan->changes));
	if (!plan->changes)
		return chess_set_error(ENOMEM, "no memory for a plan");
	plan->n_changes = p->depth - 1;
	for (i = 0; i < plan->n_changes; i++)
		plan->changes[i] = 1 + chess_chance_below(&state, p->steps);
	return 0;
}

static int pct_learn(void *data, const struct chess_record *r)
{
	size_t i, length = chess_record_length(r), steps = 0;
	struct pct *p = data;

	for (i = 0; i < length && chess_record_event(r, i)->type != CHESS_EVENT_SPAWN; i++)
		;
	for (; i < length; i++)
		steps += chess_event_decides(chess_record_event(r, i));
	if (steps > p->steps)
		p->steps = steps;
	return 0;
}

static void *pct_new(const struct chess_explore_opts *o)
{
	struct pct *p;

	if (o->depth > CHESS_MAX_CHANGES + 1) {
		chess_set_error(EINVAL, "a bug of depth %u is too deep for pct: at most %d",
				o->depth, CHESS_MAX_CHANGES + 1);
		return NULL;
	}
	p = calloc(1, sizeof(*p));
	if (!p) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	p->depth = o->depth ? o->depth : DEPTH;
	return chess_chance_new(&(struct chess_chance_rules) {
		.policy = CHESS_POLICY_KIND_PCT, .fill = pct_fill, .learn = pct_learn,
	}, o->seed, p);
}

const struct chess_strategy_ops chess_strategy_pct = {
	.name = "pct",
	.new = pct_new,
	CHESS_CHANCE_OPS,
};
