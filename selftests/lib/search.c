// SPDX-License-Identifier: GPL-2.0-only
/*
 * See search.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "hb.h"
#include "search.h"

struct counted {
	struct chess_executor inner;
	struct search *search;
};

static void visit(void *arg, uint64_t state)
{
	struct search *s = arg;

	numbers_at(&s->states, state, 0);
}

static int run_counted(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct counted *c = ctx;
	uint64_t digest;
	int ret = c->inner.run(c->inner.ctx, plan, out);

	if (ret || !out->record)
		return ret;
	ret = chess_hb_digest(out->record, &digest);
	if (!ret)
		numbers_at(&c->search->classes, digest, 0);
	return ret;
}

void search_run(struct search *s)
{
	struct counted c = { .search = s };
	struct chess_executor x = { .run = run_counted, .ctx = &c };
	struct sim *sim;

	if (s->program->state) {
		s->opts.visit = visit;
		s->opts.arg = s;
	}
	s->explore.sz = sizeof(s->explore);
	sim = sim_new(s->program, &s->opts);
	c.inner = sim_executor(sim);
	if (chess_explore(&x, &s->explore, &s->result)) {
		fprintf(stderr, "%s: %s\n", s->program->name, chess_error());
		exit(1);
	}
	sim_free(sim);
}

void search_free(struct search *s)
{
	chess_explore_result_clear(&s->result);
	numbers_free(&s->classes);
	numbers_free(&s->states);
}
