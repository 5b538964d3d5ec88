// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A search whose points are the accesses that race in its own runs (CHESS, OSDI'08, 3.5).
 * Each run is looked at for races. When one shows accesses that were no points they become
 * points, and the search begins again at bound 0: with them each schedule stands for
 * several, and a prefix of the old tree means nothing in the new one. What was run counts.
 *
 * So the last search has had all points from its first run on, and none of its runs showed
 * another race: what it says of its bound it says of that set.
 *
 *	chess_explore() --plan--> run --accesses--> chess_racing_learn()
 *	      ^                                          |
 *	      +----- again, with more points <-----------+
 *
 * What random strategies draw goes on, as otherwise they would draw the same again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "now.h"
#include "racing.h"
#include "strategy.h"

/**
 * struct race_search - one call of chess_explore_races()
 * @x: who makes the runs
 * @o: what was asked for
 * @ro: the same of races
 * @out: what came of the searches that are over
 * @grown: a run of the search in work showed new points, the last one it has
 * @ended: the caller does not want to go on
 * @is_prelude: the search in work is the one before the one that was asked for
 * @start: when it began
 */
struct race_search {
	const struct chess_executor *x;
	struct chess_explore_opts o;
	const struct chess_race_search_opts *ro;
	struct chess_race_search_result *out;
	bool grown, ended, is_prelude;
	double start;
};

static double seconds(void *arg)
{
	const struct race_search *s = arg;

	return s->o.seconds ? s->o.seconds(s->o.seconds_arg) : chess_now() - s->start;
}

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *res)
{
	struct race_search *s = ctx;
	int ret = s->x->run(s->x->ctx, plan, res);

	if (ret)
		return ret;
	ret = chess_racing_learn(s->o.racing, res);
	if (ret < 0) {
		chess_run_result_clear(res);
		return ret;
	}
	s->grown = s->grown || ret > 0;
	return 0;
}

static void drop(void *ctx, struct chess_run_result *res)
{
	struct race_search *s = ctx;

	if (s->x->drop)
		s->x->drop(s->x->ctx, res);
	else
		chess_run_result_clear(res);
}

static void ahead(void *ctx, chess_peek *peek, void *search)
{
	struct race_search *s = ctx;

	if (s->x->ahead)
		s->x->ahead(s->x->ctx, peek, search);
}

static bool progress(void *arg, const struct chess_explore_progress *p)
{
	struct race_search *s = arg;
	struct chess_explore_progress all = *p;

	all.runs += s->out->all.runs;
	all.found += s->out->all.bugs;
	all.estimate = s->is_prelude || p->estimate <= 0 ? 0 : p->estimate + s->out->all.runs;
	s->ended = s->o.progress && !s->o.progress(s->o.progress_arg, &all);
	return !s->ended && !s->grown;
}

/* Runs by preemptions, of all searches. */
static int add_runs(struct chess_explore_result *all, const struct chess_explore_result *one)
{
	size_t i;

	if (one->n_runs_at > all->n_runs_at) {
		if (chess_array_extend(&all->runs_at, all->n_runs_at, one->n_runs_at,
				       sizeof(*all->runs_at)))
			return chess_set_error(ENOMEM, "no memory for a result");
		all->n_runs_at = one->n_runs_at;
	}
	for (i = 0; i < one->n_runs_at; i++)
		all->runs_at[i] += one->runs_at[i];
	all->runs += one->runs;
	all->retries += one->retries;
	all->bugs += one->bugs;
	if (one->max_points > all->max_points)
		all->max_points = one->max_points;
	if (one->max_tasks > all->max_tasks)
		all->max_tasks = one->max_tasks;
	return 0;
}

/* The first bug of all searches is the one that is told. */
static void keep_bug(struct chess_explore_result *all, struct chess_explore_result *one)
{
	if (!one->bugs || all->bad.record)
		return;
	all->bad = one->bad;
	all->verdict = one->verdict;
	memset(&one->bad, 0, sizeof(one->bad));
}

static bool is_whole(const struct race_search *s)
{
	const struct chess_racing_counts c = chess_racing_count(s->o.racing);

	return !c.lost && !c.forgotten && !c.dropped;
}

/* What only the last search can say. */
static void conclude(const struct race_search *s, struct chess_explore_result *all,
		     struct chess_explore_result *one)
{
	all->complete = one->complete;
	all->bound = one->bound;
	all->diverged = one->diverged;
	all->classes = one->classes;
	all->stopped = one->stopped || s->is_prelude;
	all->estimate = one->estimate > 0 ? one->estimate + all->runs - one->runs : 0;
	memcpy(all->left_out, one->left_out, sizeof(all->left_out));
	all->why = one->why;
	one->why = NULL;
	if (!all->bad.record)
		all->verdict = one->verdict;
	if (is_whole(s) || all->verdict != CHESS_VERDICT_OK)
		return;
	all->complete = false;
	all->verdict = CHESS_VERDICT_INCOMPLETE;
	if (!all->why)
		all->why = strdup("accesses to memory were not recorded or not kept, so races, and points with them, may be missing");
}

/* Is there to be another search behind this one? One that grew was stopped by us. */
static bool goes_on(const struct race_search *s, const struct chess_explore_result *one)
{
	const struct chess_explore_result *all = &s->out->all;

	if (s->ended || (all->bad.record && !s->o.keep_going))
		return false;
	if (s->o.max_runs && all->runs >= s->o.max_runs)
		return false;
	return s->grown || (s->is_prelude && !one->stopped);
}

/*
 * One search. Return: 1, there is to be another one; 0; -errno
 */
static int search_once(struct race_search *s, const char *strategy)
{
	const struct chess_executor x = {
		.run = run, .ctx = s, .drop = drop, .ahead = s->x->ahead ? ahead : NULL,
	};
	struct chess_explore_result *all = &s->out->all, one;
	struct chess_explore_opts o = s->o;
	bool again;
	size_t n;
	int ret;

	o.strategy = strategy;
	o.progress = progress;
	o.progress_arg = s;
	o.seconds = seconds;
	o.seconds_arg = s;
	o.max_runs = s->o.max_runs ? s->o.max_runs - all->runs : 0;
	/* It is a few runs, whose plans are none of the search's that was asked for. */
	if (s->is_prelude) {
		o.reduce = 0;
		o.skip_ordered = false;
		o.in_scope = NULL;
	}
	if (!chess_strategy_is_exhaustive(strategy))
		o.seed += all->runs;
	s->grown = false;
	s->ended = false;
	ret = chess_explore(&x, &o, &one);
	if (ret)
		return ret;
	ret = add_runs(all, &one);
	keep_bug(all, &one);
	again = goes_on(s, &one);
	if (!again)
		conclude(s, all, &one);
	if (s->is_prelude)
		s->out->prelude_runs += one.runs;
	chess_explore_result_clear(&one);
	if (ret)
		return ret;
	s->out->searches++;
	chess_racing_points(s->o.racing, &n);
	if (again && s->grown && s->ro->grown)
		s->ro->grown(s->ro->arg, all->runs, n);
	return again;
}

static int set_points(struct race_search *s)
{
	size_t n;
	const uint32_t *points = chess_racing_points(s->o.racing, &n);

	return s->ro->set_points(s->ro->arg, points, n);
}

/* Those that it is made of need it not before them. */
static bool wants_prelude(const struct race_search *s)
{
	const char *strategy = s->o.strategy;

	return s->ro->prelude && !(strategy && (!strcmp(strategy, chess_strategy_hold.name) ||
						!strcmp(strategy, chess_strategy_prelude.name)));
}

/* Whenever there are new points a few runs are made with them first. */
static int search_all(struct race_search *s)
{
	int ret;

	s->grown = true;
	do {
		ret = set_points(s);
		if (ret)
			return ret;
		s->is_prelude = s->grown && wants_prelude(s);
		ret = search_once(s, s->is_prelude ? chess_strategy_prelude.name : s->o.strategy);
	} while (ret > 0);
	return ret;
}

/**
 * chess_explore_races() - search with points at the accesses that race
 * @x: who executes one run; its results have accesses
 * @o: bound, limits and strategy; with @racing
 * @ro: what of races
 * @out: what was found; chess_explore_result_clear() out->all when this returns 0
 *
 * Return: 0, or a negative errno with chess_error() when no result can be given.
 */
int chess_explore_races(const struct chess_executor *x, const struct chess_explore_opts *o,
			const struct chess_race_search_opts *ro,
			struct chess_race_search_result *out)
{
	struct race_search s = { .x = x, .ro = ro, .out = out, .start = chess_now() };
	int ret;

	memset(out, 0, sizeof(*out));
	memcpy(&s.o, o, o->sz < sizeof(s.o) ? o->sz : sizeof(s.o));
	s.o.sz = sizeof(s.o);
	if (!s.o.racing)
		return chess_set_error(EINVAL, "a search with races needs to know of some");
	ret = search_all(&s);
	out->all.seconds = seconds(&s);
	if (ret)
		chess_explore_result_clear(&out->all);
	return ret;
}
