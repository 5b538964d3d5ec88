// SPDX-License-Identifier: GPL-2.0-only
/*
 * See search.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "record/hb.h"
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

static bool has_yield(const struct chess_record *r)
{
	const struct chess_event *e;
	size_t i;

	for (i = 0; (e = chess_record_event(r, i)); i++)
		if (e->type == CHESS_EVENT_POINT && e->flags & CHESS_OPF_YIELD)
			return true;
	return false;
}

static int run_counted(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct counted *c = ctx;
	uint64_t digest;
	int ret = c->inner.run(c->inner.ctx, plan, out);

	if (ret || !out->record)
		return ret;
	c->search->yields = c->search->yields || has_yield(out->record);
	ret = chess_hb_digest(out->record, &digest);
	if (ret)
		return ret;
	if (c->search->explore.keep_going && out->verdict != CHESS_VERDICT_OK) {
		numbers_at(&c->search->failed, digest, 0);
		return 0;
	}
	numbers_at(&c->search->classes, digest, 0);
	if (c->search->graph)
		numbers_at(&c->search->graphs, c->search->graph(), 0);
	return 0;
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
	numbers_free(&s->failed);
	numbers_free(&s->graphs);
	numbers_free(&s->states);
}
