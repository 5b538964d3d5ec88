// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Holds tasks at places until no other task can run, so that what usually comes second
 * comes first (Maple calls it active scheduling): a few runs, made before a search that
 * takes many. Places are accesses that race, and calls of sync functions on objects that
 * several tasks use.
 *
 *	all tasks are held at one access;
 *	all at one call, calls where a task already has a lock first;
 *	one task alone at one of either, for each that was seen there;
 *	for two accesses that race, all tasks at both, and either side is released first.
 *
 * Where nothing is known yet, a random walk comes first. The strategy never says that there is
 * no bug. What races, and which tasks were seen where, comes from struct chess_racing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "search/chance.h"
#include "internal.h"
#include "race/racing.h"
#include "search/strategy.h"

/* The most runs where the caller set no limit. */
#define HOLD_RUNS	10000

enum stage { LOOK, ALL, NESTED, CALL, ONE, BOTH };

/**
 * struct hold - a search
 * @g: what races
 * @stage: what kind of plan is next
 * @at: and the number of the next plan in that stage
 * @out: plans that are out; which task comes where is known when there are none
 * @seed: of the first run
 */
struct hold {
	struct chess_racing *g;
	enum stage stage;
	size_t at, out;
	uint64_t seed;
};

static void *hold_new(const struct chess_explore_opts *o)
{
	struct hold *h = calloc(1, sizeof(*h));

	if (!h) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	h->g = o->racing;
	h->seed = o->seed;
	h->stage = chess_racing_count(h->g).runs ? ALL : LOOK;
	return h;
}

/* Sites in the order in which they were found to race; then those of atomic instructions. */
static uint32_t site_at(const struct hold *h, size_t i)
{
	const struct chess_racing_pair *pair;
	const uint32_t *points;
	size_t pairs, n;

	pair = chess_racing_pairs(h->g, &pairs);
	if (i < 2 * pairs)
		return i % 2 ? pair[i / 2].second.site : pair[i / 2].first.site;
	points = chess_racing_points(h->g, &n);
	return i - 2 * pairs < n ? points[i - 2 * pairs] : 0;
}

/* Stores plan number @i of the stage in @v. Return: how many numbers; 0: there is none. */
static size_t plan_of(const struct hold *h, size_t i, uint32_t v[4])
{
	const struct chess_racing_pair *pair;
	const struct chess_visit *visit;
	size_t pairs, points, visits;

	pair = chess_racing_pairs(h->g, &pairs);
	visit = chess_racing_visits(h->g, &visits);
	chess_racing_points(h->g, &points);
	v[1] = v[3] = CHESS_TASK_NONE;
	switch (h->stage) {
	case ALL:
		v[0] = site_at(h, i);
		return i < 2 * pairs + points ? 2 : 0;
	case NESTED:
	case CALL:
	case ONE:
		if (i >= visits)
			return 0;
		v[0] = visit[i].shared && (h->stage != NESTED || visit[i].nested) ?
		       visit[i].place : 0;
		if (h->stage == ONE)
			v[1] = visit[i].task;
		return 2;
	case BOTH:
		if (i >= 2 * pairs)
			return 0;
		v[0] = i % 2 ? pair[i / 2].second.site : pair[i / 2].first.site;
		v[2] = i % 2 ? pair[i / 2].first.site : pair[i / 2].second.site;
		return v[0] == v[2] ? 2 : 4;
	default:
		return 0;
	}
}

/* Return: 1 and a plan that was not run yet; 0: there is none left; -EAGAIN, -ENOMEM */
static int find_plan(struct hold *h, uint32_t v[4], size_t *n)
{
	int ret;

	for (;;) {
		*n = plan_of(h, h->at++, v);
		if (*n && v[0] && (*n == 2 || v[2])) {
			ret = chess_racing_hold(h->g, v, *n);
			if (ret)
				return ret;
		}
		if (*n)
			continue;
		if (h->out)
			return -EAGAIN;
		if (h->stage == BOTH)
			return 0;
		h->stage++;
		h->at = 0;
	}
}

static int hold_next(void *strategy, struct chess_plan *plan)
{
	struct hold *h = strategy;
	uint32_t v[4];
	size_t n;
	int ret;

	/* Where tasks take turns at random, more of them meet than by default. */
	if (h->stage == LOOK && !h->at++) {
		plan->policy = CHESS_POLICY_KIND_RANDOM;
		plan->seed = chess_chance_draw(&h->seed);
		h->out++;
		return 1;
	}
	ret = find_plan(h, v, &n);
	if (ret <= 0)
		return ret;
	plan->changes = calloc(n, sizeof(*plan->changes));
	if (!plan->changes)
		return chess_set_error(ENOMEM, "no memory for a plan");
	memcpy(plan->changes, v, n * sizeof(*v));
	plan->n_changes = n;
	plan->policy = CHESS_POLICY_KIND_HOLD;
	h->out++;
	return 1;
}

/* struct chess_racing has learned all there is to learn. */
static int hold_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	(void)strategy;
	(void)plan;
	(void)r;
	return 0;
}

static void hold_done(void *strategy, struct chess_plan *plan)
{
	struct hold *h = strategy;

	h->out--;
	free(plan->changes);
	memset(plan, 0, sizeof(*plan));
}

static unsigned int hold_bound(const void *strategy)
{
	(void)strategy;
	return 0;
}

static void hold_free(void *strategy)
{
	free(strategy);
}

const struct chess_strategy_ops chess_strategy_hold = {
	.name = "hold",
	.default_runs = HOLD_RUNS,
	.races = true,
	.new = hold_new,
	.next = hold_next,
	.report = hold_report,
	.done = hold_done,
	.bound = hold_bound,
	.free = hold_free,
};
