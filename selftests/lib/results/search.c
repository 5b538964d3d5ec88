// SPDX-License-Identifier: GPL-2.0-only
/*
 * chess_explore() on a modelled program, with what the tables want to know besides.
 */
#include <stdio.h>
#include <stdlib.h>

#include "hb.h"
#include "results.h"

struct counted {
	struct chess_executor inner;
	struct search *search;
};

static void fail(const char *what)
{
	fprintf(stderr, "results: %s: %s\n", what, chess_error());
	exit(1);
}

static void visit(void *arg, uint64_t state)
{
	struct search *s = arg;

	numbers_at(&s->states, state, 0);
}

static int run_counted(void *ctx, const struct chess_schedule *prefix, size_t length,
		       struct chess_run_result *out)
{
	struct counted *c = ctx;
	uint64_t digest;
	int ret = c->inner.run(c->inner.ctx, prefix, length, out);

	if (!ret && c->search->count_classes && out->record) {
		ret = chess_hb_digest(out->record, &digest);
		if (!ret)
			numbers_at(&c->search->classes, digest, 0);
	}
	return ret;
}

void search_run(struct search *s)
{
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = s->bound, .strategy = s->strategy,
		.max_runs = s->runs_max, .max_seconds = s->seconds_max, .seed = s->seed,
	};
	struct chess_explore_result result;
	struct counted c = { .search = s };
	struct sim *sim;

	if (s->program->state) {
		s->opts.visit = visit;
		s->opts.arg = s;
	}
	sim = sim_new(s->program, &s->opts);
	c.inner = sim_executor(sim);
	if (chess_explore(&(struct chess_executor){ .run = run_counted, .ctx = &c }, &o, &result))
		fail(s->program->name);
	s->runs = result.runs;
	s->bound_seen = result.n_runs_at ? result.n_runs_at - 1 : 0;
	s->complete = result.complete;
	s->verdict = result.verdict;
	chess_explore_result_clear(&result);
	sim_free(sim);
}

void search_free(struct search *s)
{
	numbers_free(&s->classes);
	numbers_free(&s->states);
}

bool have_strategy(const char *name)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .strategy = name };

	return !chess_explore_check(&o);
}

/* Two that wait for a third, which each of them may keep from running for ever. */
static int told;

static void reset(void)
{
	told = 0;
}

static void ask(void *arg)
{
	(void)arg;
	while (!told)
		sim_yield();
}

static void tell(void *arg)
{
	(void)arg;
	told = 1;
}

static void three(void *arg)
{
	(void)arg;
	sim_create(ask, NULL);
	sim_create(ask, NULL);
	sim_create(tell, NULL);
}

bool model_is_fair(void)
{
	static const struct sim_program p = { .name = "three", .reset = reset, .main = three };
	struct search s = {
		.program = &p, .opts = { .enabled = SIM_CHESS, .max_points = 26 }, .bound = 10,
		.runs_max = 100000,
	};

	search_run(&s);
	return s.verdict == CHESS_VERDICT_OK;
}
