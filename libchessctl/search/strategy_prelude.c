// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What comes before a search whose points are accesses that race: hold, and surw by turns
 * with it. Hold shows in a few runs what reversing one access shows; surw shows what takes
 * several. The bounded search would reach either later. The prelude makes a few runs of both
 * and claims nothing about schedules that it did not run.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "search/strategy.h"

/* Hold alone at first: most of what it ever finds it finds with these. */
#define HOLD_FIRST	3
/* Where the caller set no limit; hold ends long before. */
#define PRELUDE_RUNS	10000
#define SURW_RUNS	30

struct prelude {
	void *hold, *surw;
	unsigned int given, drawn;
	bool held_all;
};

static void prelude_free(void *strategy)
{
	struct prelude *p = strategy;

	if (p->hold)
		chess_strategy_hold.free(p->hold);
	if (p->surw)
		chess_strategy_surw.free(p->surw);
	free(p);
}

static void *prelude_new(const struct chess_explore_opts *o)
{
	struct prelude *p = calloc(1, sizeof(*p));

	if (!p) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	p->hold = chess_strategy_hold.new(o);
	p->surw = p->hold ? chess_strategy_surw.new(o) : NULL;
	if (p->surw)
		return p;
	prelude_free(p);
	return NULL;
}

static int next_of_surw(struct prelude *p, struct chess_plan *plan)
{
	int ret;

	if (p->drawn == SURW_RUNS)
		return 0;
	ret = chess_strategy_surw.next(p->surw, plan);
	if (ret > 0) {
		p->drawn++;
		p->given++;
	}
	return ret;
}

/* Whose turn it is depends only on how many plans were handed out. */
static int prelude_next(void *strategy, struct chess_plan *plan)
{
	struct prelude *p = strategy;
	int ret;

	if (p->given >= HOLD_FIRST && (p->given - HOLD_FIRST) % 2 == 0 && p->drawn < SURW_RUNS)
		return next_of_surw(p, plan);
	ret = p->held_all ? 0 : chess_strategy_hold.next(p->hold, plan);
	if (ret < 0)
		return ret;
	if (ret) {
		p->given++;
		return ret;
	}
	p->held_all = true;
	return next_of_surw(p, plan);
}

static bool is_of_surw(const struct chess_plan *plan)
{
	return plan->policy == CHESS_POLICY_KIND_SURW;
}

static int prelude_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	struct prelude *p = strategy;

	return is_of_surw(plan) ? chess_strategy_surw.report(p->surw, plan, r) :
				  chess_strategy_hold.report(p->hold, plan, r);
}

static void prelude_done(void *strategy, struct chess_plan *plan)
{
	struct prelude *p = strategy;

	if (is_of_surw(plan))
		chess_strategy_surw.done(p->surw, plan);
	else
		chess_strategy_hold.done(p->hold, plan);
}

static unsigned int prelude_bound(const void *strategy)
{
	(void)strategy;
	return 0;
}

const struct chess_strategy_ops chess_strategy_prelude = {
	.name = "prelude",
	.default_runs = PRELUDE_RUNS,
	.races = true,
	.new = prelude_new,
	.next = prelude_next,
	.report = prelude_report,
	.done = prelude_done,
	.bound = prelude_bound,
	.free = prelude_free,
};
