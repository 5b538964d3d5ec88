// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See chance.h. Run number N of a search uses the Nth number of the sequence that starts with
 * the search's seed, so seed and strategy reproduce the whole search.
 *
 * A strategy that learns from records does so in batches of 1, 1, 2, 4, 8, .. runs, up to
 * LEARN_RUNS in all: what it has learned changes only between batches, when all plans of the
 * batch are back. So the number of plans out at a time makes no difference.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "search/chance.h"
#include "internal.h"

/* Enough to learn a program's size; bounds the memory this takes. */
#define LEARN_RUNS	1024

/**
 * struct chess_chance - one search
 * @rules: see there
 * @data: the strategy's
 * @state: the state of the sequence of seeds
 * @begun: plans handed out
 * @back: how many of them came back
 * @batch: the current batch ends before this run
 */
struct chess_chance {
	struct chess_chance_rules rules;
	void *data;
	uint64_t state;
	uint64_t begun;
	uint64_t back;
	uint64_t batch;
};

struct chess_chance *chess_chance_new(const struct chess_chance_rules *rules, uint64_t seed,
				      void *data)
{
	struct chess_chance *c = calloc(1, sizeof(*c));

	if (!c) {
		free(data);
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	*c = (struct chess_chance) { .rules = *rules, .data = data, .state = seed, .batch = 1 };
	return c;
}

void chess_chance_free(void *chance)
{
	struct chess_chance *c = chance;

	if (!c)
		return;
	if (c->rules.free && c->data)
		c->rules.free(c->data);
	free(c->data);
	free(c);
}

/* splitmix64, see kmod/policy.c. */
#define DRAW_STEP	0x9e3779b97f4a7c15ULL

uint64_t chess_chance_draw(uint64_t *state)
{
	uint64_t z = *state += DRAW_STEP;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

uint64_t chess_chance_below(uint64_t *state, uint64_t n)
{
	/* Numbers from here on would make some results more likely than others. */
	uint64_t end = UINT64_MAX - UINT64_MAX % n, r;

	do {
		r = chess_chance_draw(state);
	} while (r >= end);
	return r % n;
}

int chess_chance_next(void *chance, struct chess_plan *plan)
{
	struct chess_chance *c = chance;
	int ret = 0;

	if (c->rules.learn && c->begun == c->batch && c->batch < LEARN_RUNS) {
		if (c->back < c->begun)
			return -EAGAIN;
		c->batch *= 2;
	}
	plan->policy = c->rules.policy;
	plan->seed = chess_chance_draw(&c->state);
	c->begun++;
	/* The run's number determines whether its record is still learned from. */
	plan->ticket = (void *)(uintptr_t)c->begun;
	if (c->rules.fill)
		ret = c->rules.fill(c->data, plan);
	if (ret)
		chess_chance_done(c, plan);
	return ret ? ret : 1;
}

/* While records are learned from, plans depend on those that are out. */
int chess_chance_peek(void *chance, size_t k, struct chess_plan *plan)
{
	struct chess_chance *c = chance;
	uint64_t state = c->state;
	int ret;

	if (c->rules.learn && c->begun < LEARN_RUNS)
		return 0;
	state += k * DRAW_STEP;
	plan->policy = c->rules.policy;
	plan->seed = chess_chance_draw(&state);
	ret = c->rules.fill ? c->rules.fill(c->data, plan) : 0;
	return ret ? ret : 1;
}

int chess_chance_report(void *chance, struct chess_plan *plan, const struct chess_record *r)
{
	struct chess_chance *c = chance;

	if (!c->rules.learn || (uintptr_t)plan->ticket > LEARN_RUNS)
		return 0;
	return c->rules.learn(c->data, r);
}

void chess_chance_done(void *chance, struct chess_plan *plan)
{
	struct chess_chance *c = chance;

	c->back++;
	free(plan->changes);
	free(plan->weights);
	memset(plan, 0, sizeof(*plan));
}

unsigned int chess_chance_bound(const void *chance)
{
	(void)chance;
	return 0;
}
