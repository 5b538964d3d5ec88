// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury, ASPLOS'25):
 * kmod/policy.c has the walk, here is what it needs to know: an object for each run, and
 * how many points each task has on it. The object is drawn from those that at least two tasks
 * used and one of them wrote in earlier runs, leaving out creation, end and join of tasks;
 * where there is none, as in the first run, each point counts. The paper counts in one run
 * made for this purpose; here the numbers are means over the runs of the search so far.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "search/chance.h"
#include "internal.h"
#include "search/strategy.h"

/**
 * struct use - what one task did with one object
 * @object: which object; kind NONE means all objects together
 * @kind: of @object
 * @task: the task
 * @events: its points on the object in all runs
 * @write: one of those points writes
 */
struct use {
	uint64_t object;
	uint64_t events;
	uint32_t kind;
	uint16_t task;
	bool write;
};

/**
 * struct surw - what was learned
 * @use: sorted by object, then task
 * @runs: number of runs learned from
 * @shared: indices of the first use of each object to choose from
 * @stale: @use changed since @shared was made
 * @parent: the creator of each task; of several the lowest
 * @tasks: length of @parent
 */
struct surw {
	struct use *use;
	size_t n;
	uint64_t runs;
	size_t *shared;
	size_t n_shared;
	bool stale;
	uint16_t parent[CHESS_MAX_TASKS];
	size_t tasks;
};

static int compare_objects(const struct use *a, const struct use *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->object < b->object ? -1 : a->object > b->object;
}

static int compare_uses(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int ret = compare_objects(x, y);

	return ret ? ret : (int)x->task - (int)y->task;
}

/* Sort, and merge entries for the same task and object. */
static size_t merge(struct use *use, size_t n)
{
	size_t i, to = 0;

	qsort(use, n, sizeof(*use), compare_uses);
	for (i = 0; i < n; i++) {
		if (to && !compare_uses(&use[to - 1], &use[i])) {
			use[to - 1].events += use[i].events;
			use[to - 1].write |= use[i].write;
		} else {
			use[to++] = use[i];
		}
	}
	return to;
}

static void learn_parent(struct surw *s, const struct chess_event *e)
{
	if (e->object >= CHESS_MAX_TASKS)
		return;
	for (; s->tasks <= e->object; s->tasks++)
		s->parent[s->tasks] = CHESS_TASK_NONE;
	if (e->task < s->parent[e->object])
		s->parent[e->object] = e->task;
}

/* Creation, end and join of a task are ordered whatever is chosen: there is nothing to draw. */
static bool may_race(const struct chess_event *e)
{
	return e->object_kind != CHESS_OBJECT_NONE && e->op != CHESS_OP_CREATE &&
	       e->op != CHESS_OP_EXIT && e->op != CHESS_OP_JOIN;
}

static int surw_learn(void *data, const struct chess_record *r)
{
	size_t i, length = chess_record_length(r), points = chess_record_points(r), n;
	struct surw *s = data;

	if (chess_array_resize(&s->use, s->n + 2 * points + 1, sizeof(*s->use)))
		return chess_set_error(ENOMEM, "no memory for the objects of a run");
	n = s->n;
	for (i = 0; i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_SPAWN)
			learn_parent(s, e);
		if (e->type != CHESS_EVENT_POINT)
			continue;
		s->use[n++] = (struct use) { .events = 1, .task = e->task };
		if (may_race(e))
			s->use[n++] = (struct use) {
				.object = e->object, .kind = e->object_kind, .events = 1,
				.task = e->task, .write = e->flags & CHESS_OPF_WRITE,
			};
	}
	s->n = merge(s->use, n);
	/* Where it cannot be shrunk, it keeps its size. */
	(void)chess_array_resize(&s->use, s->n + 1, sizeof(*s->use));
	s->runs++;
	s->stale = true;
	return 0;
}

/* The index after the last use of the object of use number @i. */
static size_t end_of(const struct surw *s, size_t i)
{
	size_t end = i + 1;

	while (end < s->n && !compare_objects(&s->use[i], &s->use[end]))
		end++;
	return end;
}

static int find_shared(struct surw *s)
{
	size_t i, end;

	if (chess_array_resize(&s->shared, s->n + 1, sizeof(*s->shared)))
		return chess_set_error(ENOMEM, "no memory for the objects of a program");
	s->n_shared = 0;
	for (i = 0; i < s->n; i = end) {
		bool write = false;
		size_t k;

		end = end_of(s, i);
		for (k = i; k < end; k++)
			write |= s->use[k].write;
		if (s->use[i].kind != CHESS_OBJECT_NONE && end - i > 1 && write)
			s->shared[s->n_shared++] = i;
	}
	s->stale = false;
	return 0;
}

/* Means, rounded; a task that has had an event is expected to have one. */
static uint32_t mean(const struct surw *s, uint64_t events)
{
	uint64_t n = (events + s->runs / 2) / s->runs;

	return n ? n : 1;
}

static int surw_fill(void *data, struct chess_plan *plan)
{
	struct surw *s = data;
	/* A sequence other than the one from which the module draws. */
	uint64_t state = ~plan->seed;
	size_t first = 0, i, end;
	int ret = s->stale ? find_shared(s) : 0;

	if (ret || !s->n)
		return ret;
	if (s->n_shared)
		first = s->shared[chess_chance_below(&state, s->n_shared)];
	plan->object_kind = s->use[first].kind;
	plan->object = s->use[first].object;
	end = end_of(s, first);
	plan->n_weights = s->use[end - 1].task + 1;
	if (plan->n_weights < s->tasks)
		plan->n_weights = s->tasks;
	plan->weights = calloc(plan->n_weights, sizeof(*plan->weights));
	if (!plan->weights)
		return chess_set_error(ENOMEM, "no memory for a plan");
	for (i = first; i < end; i++)
		plan->weights[s->use[i].task] = mean(s, s->use[i].events);
	/* A child has a higher id than its parent, so its own children are in it by then. */
	for (i = s->tasks; i-- > 1;)
		if (s->parent[i] < i)
			plan->weights[s->parent[i]] += plan->weights[i];
	return 0;
}

static void surw_clear(void *data)
{
	struct surw *s = data;

	free(s->use);
	free(s->shared);
}

static void *surw_new(const struct chess_explore_opts *o)
{
	struct surw *s = calloc(1, sizeof(*s));

	if (!s) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	return chess_chance_new(&(struct chess_chance_rules) {
		.policy = CHESS_POLICY_KIND_SURW, .fill = surw_fill, .learn = surw_learn,
		.free = surw_clear,
	}, o->seed, s);
}

const struct chess_strategy_ops chess_strategy_surw = {
	.name = "surw",
	.new = surw_new,
	CHESS_CHANCE_OPS,
};
