// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Holds tasks at accesses that race until nobody else can go on, so that what usually
 * comes second comes first (issue of CHESS's and Maple's "active testing"): a few runs,
 * made before a search that takes many. For each access
 *
 *	all tasks are held there;
 *	then one task alone, each that was seen there;
 *	then, for two that race, all tasks at both, and either side goes on first.
 *
 * It never says that there is no bug. What races comes from struct chess_racing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "racing.h"
#include "strategy.h"

/* No more than that without a limit of the caller's. */
#define HOLD_RUNS	10000

enum stage { LOOK, ALL, ONE, BOTH };

struct visit {
	uint32_t site;
	uint16_t task;
};

/**
 * struct hold - a search
 * @g: what races
 * @stage: what kind of plan is next
 * @at: and which of them
 * @out: plans that are out; who comes where is known when none is
 * @visit: tasks at sites, in the order in which they were seen
 * @n: of @visit
 * @room: of @visit
 */
struct hold {
	struct chess_racing *g;
	enum stage stage;
	size_t at, out;
	struct visit *visit;
	size_t n, room;
};

static void *hold_new(const struct chess_explore_opts *o)
{
	struct hold *h = calloc(1, sizeof(*h));

	if (!h) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	h->g = o->racing;
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

/* The next plan of the stage in @v. Return: how many numbers; 0: there is none. */
static size_t next_of_stage(struct hold *h, uint32_t v[4])
{
	const struct chess_racing_pair *pair;
	size_t pairs, points, i = h->at;

	pair = chess_racing_pairs(h->g, &pairs);
	chess_racing_points(h->g, &points);
	v[1] = v[3] = CHESS_TASK_NONE;
	switch (h->stage) {
	case ALL:
		if (i >= 2 * pairs + points)
			return 0;
		v[0] = site_at(h, i);
		break;
	case ONE:
		if (i >= h->n)
			return 0;
		v[0] = h->visit[i].site;
		v[1] = h->visit[i].task;
		break;
	case BOTH:
		if (i >= 2 * pairs)
			return 0;
		v[0] = i % 2 ? pair[i / 2].second.site : pair[i / 2].first.site;
		v[2] = i % 2 ? pair[i / 2].first.site : pair[i / 2].second.site;
		h->at++;
		return v[0] == v[2] ? 2 : 4;
	default:
		return 0;
	}
	h->at++;
	return 2;
}

/* 1, and a plan that was not run yet; 0: there is no more; -EAGAIN, -ENOMEM */
static int find_plan(struct hold *h, uint32_t v[4], size_t *n)
{
	int ret;

	for (;;) {
		*n = next_of_stage(h, v);
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

	if (h->stage == LOOK) {
		if (h->at++)
			return h->out ? -EAGAIN : 0;
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

static int add_visit(struct hold *h, uint32_t site, uint16_t task)
{
	struct visit *more;
	size_t i, room;

	for (i = 0; i < h->n; i++)
		if (h->visit[i].site == site && h->visit[i].task == task)
			return 0;
	if (h->n == h->room) {
		room = h->room ? h->room * 2 : 32;
		more = realloc(h->visit, room * sizeof(*more));
		if (!more)
			return chess_set_error(ENOMEM, "no memory for %zu accesses", room);
		h->visit = more;
		h->room = room;
	}
	h->visit[h->n++] = (struct visit) { .site = site, .task = task };
	return 0;
}

static int hold_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	struct hold *h = strategy;
	const struct chess_event *e;
	size_t i;
	int ret = 0;

	(void)plan;
	for (i = 0; !ret && (e = chess_record_event(r, i)); i++)
		if (chess_event_is_access(e))
			ret = add_visit(h, e->nr, e->task);
	return ret;
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
	struct hold *h = strategy;

	free(h->visit);
	free(h);
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
