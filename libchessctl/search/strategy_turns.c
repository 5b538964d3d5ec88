// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a search does when the user chose no strategy: the bounded search (icb), and by turns
 * with it hold, surw and pct. The bounded search alone comes late to bugs that need many
 * tasks or several preemptions; chance alone never says that there is no bug. It ends when
 * the bounded search ends, and claims what that claims, or more: see below.
 *
 * A bounded search that is going to be over soon needs no other strategy beside it, unless the
 * program yields: in no fair schedule does a task yield several times while another one that
 * could run does not move, as it may on any machine with two processors. hold has such runs.
 *
 * And where it yields, tasks may fail in turn for as long as they move at the same pace: a
 * few runs have them do so (lockstep).
 *
 * With dynamic partial orders the bounded search has hardly two runs that differ in the order of
 * independent ops alone, by which a wrong guess about what is independent would show. So it never
 * runs quite alone: where it ends with fewer runs by chance than it takes, they are made then.
 *
 * Who goes on when a task waits is free, so with many tasks the schedules without any preemption
 * can be too many. While a search is still at these after a while, a part of its runs are those of
 * delay bounding: so much of one scheduler's orders is done then, at least.
 *
 * Dynamic partial orders need fewer runs without a bound than with one, where there are not too
 * many orders in all: a bounded search comes to one order in several ways, of which a cheaper one
 * may be the way on. So it takes turns with a search without a bound (dfs), and the one that is
 * over first ends both.
 *
 * Whose turn it is follows from how many plans were given and from the runs before, so it
 * is the same however many runs are made at a time.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "race/racing.h"
#include "search/forks.h"
#include "search/grow.h"
#include "search/strategy.h"

/*
 * With races known, chance comes first, as in strategy prelude: hold, which finds with a few
 * plans most of what it ever finds, then surw and hold by turns until surw had SURW_FIRST.
 */
#define HOLD_FIRST	3
#define SURW_FIRST	30
/* So many plans that use chance alternate with bounded ones, later ones come once in SPARSE. */
#define DENSE_RUNS	64
#define SPARSE		8
/*
 * A bounded search of fewer runs, by the estimate so far, runs alone: it is over before the
 * same number of random runs would be worth it.
 */
#define SMALL_SEARCH	100
/* So many plans of hold where the program yields. */
#define HOLD_YIELDS	16
/* With dynamic partial orders, so many that use chance at least. */
#define CHECKS		8
/* After so many plans without preemptions, one of delays to each DELAY_EACH of them. */
#define WIDE_RUNS	200
#define DELAY_EACH	2
/* So many delays; the number of schedules grows by a factor of points for each. */
#define DELAYS		2
/*
 * After so many bounded plans, one without a bound to each of them up to ALL_DENSE, then one to
 * each ALL_EACH. Not where more than a part ALL_SHARE of the first run's steps depend on
 * everything: then there are more orders than a bound leaves.
 */
#define ALL_AFTER	24
#define ALL_DENSE	100
#define ALL_EACH	8
#define ALL_SHARE	(1.0 / 3)
/* Of three random plans one is pct's, which is better at depth, worse at width. */
#define PCT_EACH	3

enum part { ICB, ALL, HOLD, SURW, PCT, DELAY, STEP, PARTS };

static const struct chess_strategy_ops *const part_ops[PARTS] = {
	&chess_strategy_icb, &chess_strategy_dfs, &chess_strategy_hold, &chess_strategy_surw,
	&chess_strategy_pct, &chess_strategy_delay, &chess_strategy_lockstep,
};

/**
 * struct order - how many plans each part was given so far
 * @given: by part
 * @first: plans that use chance given before the bounded search, so far
 * @alone: plans of the bounded search while it was small
 * @small: it is small now
 * @races: races are known
 * @yields: the program yields
 * @checks: runs that use chance are needed to check a reduction
 * @done: the bounded search is over
 * @all: there is a search without a bound; it has the first run
 * @begun: that was tried
 * @all_done: and it is over
 * @wide: the bounded search is at plans without preemptions
 * @delayed_all: all schedules with at most DELAYS delays were run
 * @stepped_all: all plans of lockstep were given
 * @held_all: hold has no more plans, or nothing is known that it could hold
 */
struct order {
	uint64_t given[PARTS], first, alone;
	bool races, yields, checks, done, begun, all, all_done, held_all, small, wide, delayed_all;
	bool stepped_all;
};

struct turns {
	void *part[PARTS];
	struct chess_explore_opts all, delay;	/* of those parts */
	unsigned int highest;			/* bound that the search may come to */
	struct order order;
};

static enum part turn_of_first(const struct order *o, uint64_t chance)
{
	if (o->held_all)
		return SURW;
	return chance < HOLD_FIRST || (chance - HOLD_FIRST) % 2 ? HOLD : SURW;
}

static enum part turn_of_chance(const struct order *o, uint64_t chance)
{
	if (!o->held_all && (chance < HOLD_FIRST || chance % 2))
		return HOLD;
	return (o->given[SURW] + o->given[PCT]) % PCT_EACH == PCT_EACH - 1 ? PCT : SURW;
}

static bool is_first(const struct order *o)
{
	return o->races && o->given[SURW] < SURW_FIRST;
}

static void give(struct order *o, enum part part)
{
	/* Before this one is counted: the last plan of the first phase belongs to it too. */
	o->first += is_first(o);
	o->alone += part == ICB && o->small;
	o->given[part]++;
}

/* With so many schedules without preemptions there are too many in all. */
static bool is_turn_of_all(const struct order *o)
{
	uint64_t due = o->given[ICB] < ALL_AFTER ? 0 : o->given[ICB] - ALL_AFTER;

	if (!o->all || (o->wide && o->given[ICB] >= WIDE_RUNS))
		return false;
	if (due > ALL_DENSE)
		due = ALL_DENSE + (due - ALL_DENSE) / ALL_EACH;
	return o->given[ALL] < due;
}

/* A plan that needed no run does not count: the parts share the runs. */
static void take_back(struct order *o, enum part part)
{
	o->given[part]--;
	o->alone -= part == ICB && o->small;
}

/* PARTS: the search is over. */
static enum part whose_turn(const struct order *o)
{
	uint64_t chance = o->given[HOLD] + o->given[SURW] + o->given[PCT];
	uint64_t due = o->given[ICB] - o->alone;

	if (is_first(o))
		return turn_of_first(o, chance);
	if (o->yields && !o->held_all && o->given[HOLD] < HOLD_YIELDS)
		return HOLD;
	if (o->yields && !o->stepped_all)
		return STEP;
	if (o->done || o->all_done)
		return o->checks && chance < CHECKS ? turn_of_chance(o, chance) : PARTS;
	if (is_turn_of_all(o))
		return ALL;
	if (o->small)
		return ICB;
	if (o->wide && !o->delayed_all && o->given[ICB] >= WIDE_RUNS &&
	    o->given[DELAY] < (o->given[ICB] - WIDE_RUNS) / DELAY_EACH)
		return DELAY;
	chance -= o->first;
	if (due > DENSE_RUNS)
		due = DENSE_RUNS + (due - DENSE_RUNS) / SPARSE;
	return chance < due ? turn_of_chance(o, chance) : ICB;
}

static void turns_free(void *strategy)
{
	struct turns *t = strategy;
	unsigned int i;

	for (i = 0; i < PARTS; i++)
		if (t->part[i])
			part_ops[i]->free(t->part[i]);
	free(t);
}

/* Another bound, which does not rise, and another reduction. */
static struct chess_explore_opts delay_options(const struct chess_explore_opts *o)
{
	struct chess_explore_opts mine = *o;

	mine.bound = DELAYS;
	mine.grow_runs = 0;
	mine.skip_ordered = false;
	mine.reduce = o->reduce & CHESS_REDUCE_DPOR ? CHESS_REDUCE_HB :
		      o->reduce & chess_strategy_delay.reductions;
	return mine;
}

static void *turns_new(const struct chess_explore_opts *o)
{
	struct turns *t = calloc(1, sizeof(*t));
	unsigned int i;

	if (!t) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	t->order.races = chess_racing_has_points(o->racing);
	t->order.checks = o->reduce & CHESS_REDUCE_DPOR;
	t->order.held_all = !o->racing;
	t->all = *o;
	t->all.branch = NULL;
	t->delay = delay_options(o);
	t->highest = o->bound + (o->grow_runs ? CHESS_GROW_LEVELS : 0);
	for (i = 0; i < PARTS; i++) {
		if (part_ops[i]->races && !o->racing)
			continue;
		if (i == ALL && !(o->reduce & CHESS_REDUCE_DPOR))
			continue;
		t->part[i] = part_ops[i]->new(i == DELAY ? &t->delay : i == ALL ? &t->all : o);
		if (!t->part[i]) {
			turns_free(t);
			return NULL;
		}
	}
	return t;
}

static bool is_small(const struct turns *t)
{
	double runs = chess_strategy_icb.estimate(t->part[ICB]);

	return runs > 0 && runs < SMALL_SEARCH;
}

/* Whether all plans of a part were given; NULL: it never runs out, or ends the search. */
static bool *all_of(struct order *o, enum part part)
{
	switch (part) {
	case ICB:
		return &o->done;
	case HOLD:
		return &o->held_all;
	case DELAY:
		return &o->delayed_all;
	case STEP:
		return &o->stepped_all;
	default:
		return NULL;
	}
}

static int turns_next(void *strategy, struct chess_plan *plan)
{
	struct turns *t = strategy;
	enum part part;
	bool *over;
	int ret;

	t->order.small = is_small(t);
	t->order.all_done = t->order.all && chess_forks_is_over(t->part[ALL]);
	t->order.wide = !chess_strategy_icb.bound(t->part[ICB]);
	part = whose_turn(&t->order);
	if (part == PARTS)
		return 0;
	ret = part_ops[part]->next(t->part[part], plan);
	plan->unbounded = part == ALL;
	over = all_of(&t->order, part);
	if (!ret && over) {
		*over = true;
		return turns_next(t, plan);
	}
	if (ret > 0)
		give(&t->order, part);
	return ret;
}

static int turns_peek(void *strategy, size_t k, struct chess_plan *plan)
{
	const struct turns *t = strategy;
	struct order order = t->order;
	enum part part = whose_turn(&order);

	while (k--) {
		give(&order, part);
		part = whose_turn(&order);
	}
	if (part == PARTS || !part_ops[part]->peek)
		return 0;
	plan->unbounded = part == ALL;
	return part_ops[part]->peek(t->part[part], order.given[part] - t->order.given[part], plan);
}

/* A random walk is the first plan of hold. */
static enum part part_of(const struct chess_plan *plan)
{
	if (plan->unbounded)
		return ALL;
	switch (plan->policy) {
	case CHESS_POLICY_KIND_SURW:
		return SURW;
	case CHESS_POLICY_KIND_PCT:
		return PCT;
	case CHESS_POLICY_KIND_ROUND_ROBIN:
		return plan->n_changes ? STEP : DELAY;
	case CHESS_POLICY_KIND_HOLD:
	case CHESS_POLICY_KIND_RANDOM:
		return HOLD;
	default:
		return ICB;
	}
}

/* An access that is a yield: of a task that waits in a loop, or took too many points in a row. */
static bool is_await(const struct chess_record *r, const struct chess_event *e)
{
	return chess_record_yield_await(r) && e->flags & CHESS_OPF_YIELD &&
	       (e->op == CHESS_OP_LOAD || e->op == CHESS_OP_UPDATE);
}

static bool has_yield(const struct chess_record *r)
{
	size_t i, n = chess_record_length(r);

	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_POINT &&
		    (e->op == CHESS_OP_YIELD || is_await(r, e)))
			return true;
	}
	return false;
}

/* The first run has no prefix, with a bound and without. */
static int begin_all(struct turns *t, const struct chess_record *r)
{
	struct chess_plan first = { 0 };
	int ret = chess_strategy_dfs.next(t->part[ALL], &first);

	t->order.begun = true;
	if (ret <= 0)
		return ret;
	ret = chess_strategy_dfs.report(t->part[ALL], &first, r);
	chess_strategy_dfs.done(t->part[ALL], &first);
	t->order.all = chess_forks_on_all(t->part[ALL]) <= ALL_SHARE;
	return ret;
}

static int turns_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	struct turns *t = strategy;
	enum part part = part_of(plan);
	int ret = part_ops[part]->report(t->part[part], plan, r);

	t->order.yields = t->order.yields || has_yield(r);
	if (ret)
		return ret;
	if (plan->predicted)
		take_back(&t->order, part);
	if (part != ICB)
		return plan->predicted ? 0 : chess_forks_check(t->part[ICB], r);
	return t->part[ALL] && !t->order.begun ? begin_all(t, r) : 0;
}

static void turns_done(void *strategy, struct chess_plan *plan)
{
	struct turns *t = strategy;
	enum part part = part_of(plan);

	part_ops[part]->done(t->part[part], plan);
}

static unsigned int turns_bound(const void *strategy)
{
	const struct turns *t = strategy;

	if (t->order.all_done)
		return t->highest;
	return chess_strategy_icb.bound(t->part[ICB]);
}

static bool turns_beyond(const void *strategy)
{
	const struct turns *t = strategy;

	return !t->order.all_done && chess_strategy_icb.beyond(t->part[ICB]);
}

static void turns_give_up(void *strategy)
{
	struct turns *t = strategy;

	t->order.all = false;
}

static double turns_estimate(const void *strategy)
{
	const struct turns *t = strategy;
	double all = chess_strategy_icb.estimate(t->part[ICB]);
	unsigned int i;

	for (i = ICB + 1; i < PARTS && all > 0; i++)
		all += t->order.given[i];
	return all;
}

static const char *turns_flaw(const void *strategy)
{
	const struct turns *t = strategy;
	const char *flaw = chess_strategy_icb.flaw(t->part[ICB]);

	if (!flaw && t->part[ALL])
		flaw = chess_strategy_dfs.flaw(t->part[ALL]);
	return flaw ? flaw : chess_strategy_delay.flaw(t->part[DELAY]);
}

/* A flaw that any part has seen is one of the program, and so of what the others left out. */
static void turns_left_out(const void *strategy, uint64_t n[CHESS_LEFT_OUT_CAUSES])
{
	const struct turns *t = strategy;
	enum part part = t->order.all_done ? ALL : ICB;
	uint64_t unsound = n[CHESS_LEFT_OUT_UNSOUND];

	part_ops[part]->left_out(t->part[part], n);
	if (turns_flaw(strategy) && n[CHESS_LEFT_OUT_UNSOUND] == unsound)
		n[CHESS_LEFT_OUT_UNSOUND]++;
}

static uint64_t at_most(uint64_t n, uint64_t most)
{
	return n < most ? n : most;
}

/* All with fewer delays are run before the first one with more. */
static void turns_covered(void *strategy, struct chess_explore_result *out)
{
	const struct turns *t = strategy;

	/* The last plan may be one that was not run. */
	out->delay_runs = at_most(t->order.given[DELAY], out->chance_runs);
	out->unbounded_runs = at_most(t->order.given[ALL], out->chance_runs - out->delay_runs);
	/* In the middle of a bound the last plan may be one that was not run. */
	out->unbounded = t->order.all_done || (t->order.checks && !turns_beyond(strategy) &&
					       chess_forks_is_over(t->part[ICB]));
	out->delay_levels = t->order.delayed_all ? DELAYS + 1 :
			    chess_strategy_delay.bound(t->part[DELAY]);
}

const struct chess_strategy_ops chess_strategy_turns = {
	.name = "turns",
	.counts = "preemption",
	.mixes = true,
	.new = turns_new,
	.next = turns_next,
	.peek = turns_peek,
	.report = turns_report,
	.done = turns_done,
	.bound = turns_bound,
	.beyond = turns_beyond,
	.give_up = turns_give_up,
	.estimate = turns_estimate,
	.left_out = turns_left_out,
	.reductions = CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP | CHESS_REDUCE_YIELD |
		CHESS_REDUCE_DPOR,
	.flaw = turns_flaw,
	.covered = turns_covered,
	.free = turns_free,
};
