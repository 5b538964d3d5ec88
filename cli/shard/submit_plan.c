// SPDX-License-Identifier: GPL-2.0-only
/*
 * See submit_plan.h. How long a shard takes is not known: estimates of the size of a tree are wrong
 * by ten. So a worker keeps a shard until it is done, unless others have nothing to do and nothing
 * waits: then those that have had one for the longest time hand back what is left of it, and that
 * is cut. A worker that is done with a level goes on with the next one of its shard, as
 * to wait for the others would cost more than a bug that is found too early: the lower levels
 * are finished before it counts.
 */
#include <limits.h>
#include <stdlib.h>

#include "cli.h"
#include "shard/submit_plan.h"

/* Pieces for each worker that has nothing to do. */
#define PIECES		1
/* Of prefixes that may be no more than a run each, a piece has so many at least. */
#define LEAVES		16
/* With more shards than this for each worker, they are too small. */
#define CROWD		8
/* Each shard that is called back is work for so many workers. */
#define FEEDS		4

/* The level that is next; UINT_MAX: none */
static unsigned int lowest(const struct submit_state *s)
{
	unsigned int level = UINT_MAX;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->waiting[i].level < level)
			level = s->waiting[i].level;
	return level < s->stop ? level : UINT_MAX;
}

/* What a shard is sorted by: the largest goes first. */
struct ranked {
	double by;
	size_t number;
};

static int largest_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* The numbers of the first @most of them; malloc'ed */
static size_t *numbers_of(struct ranked *all, size_t n, size_t most)
{
	size_t *out = cli_alloc(most, sizeof(*out)), i;

	qsort(all, n, sizeof(*all), largest_first);
	for (i = 0; i < most && i < n; i++)
		out[i] = all[i].number;
	return out;
}

static void hand_out(const struct submit_state *s, unsigned int level, size_t idle,
		     struct submit_plan *out)
{
	struct ranked *shard = cli_alloc(s->n, sizeof(*shard));
	uint64_t prefixes = 0, pieces;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (s->waiting[i].level != level)
			continue;
		shard[n++] = (struct ranked){ s->waiting[i].weight, i };
		prefixes += s->waiting[i].prefixes;
	}
	pieces = level < s->bound ? prefixes : (prefixes + LEAVES - 1) / LEAVES;
	if (pieces > PIECES * (uint64_t)idle)
		pieces = PIECES * (uint64_t)idle;
	if ((n < idle && pieces > n) || (n > CROWD * s->workers && pieces < n / 2)) {
		out->again = numbers_of(shard, n, n);
		out->n_again = n;
		out->pieces = pieces;
	} else {
		out->n_run = n < idle ? n : idle;
		out->run = numbers_of(shard, n, out->n_run);
	}
	free(shard);
}

static void call_back(const struct submit_state *s, size_t idle, struct submit_plan *out)
{
	struct ranked *shard = cli_alloc(s->running + 1, sizeof(*shard));
	size_t i, n = 0, most = (idle + FEEDS - 1) / FEEDS;

	for (i = 0; i < s->running; i++)
		if (s->age[i] >= s->share)
			shard[n++] = (struct ranked){ s->age[i], i };
	out->n_call = n < most ? n : most;
	out->call = numbers_of(shard, n, out->n_call);
	free(shard);
}

void submit_plan(const struct submit_state *s, struct submit_plan *out)
{
	size_t idle = s->workers > s->running ? s->workers - s->running : 0;
	unsigned int level = lowest(s);

	*out = (struct submit_plan){ 0 };
	if (idle && level != UINT_MAX)
		hand_out(s, level, idle, out);
	if (!out->n_again && idle > out->n_run && s->age)
		call_back(s, idle - out->n_run, out);
}

void submit_plan_clear(struct submit_plan *p)
{
	free(p->run);
	free(p->again);
	free(p->call);
	*p = (struct submit_plan){ 0 };
}
