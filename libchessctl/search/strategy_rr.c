// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Round robin replay check: the default schedule again and again. A program whose runs
 * are not all the same depends on something that is not controlled, and then no search can
 * promise anything about it.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "search/strategy.h"

#define RUNS	100

struct rr {
	struct chess_record *first;
	uint64_t runs;
};

static void *rr_new(const struct chess_explore_opts *o)
{
	struct rr *s = calloc(1, sizeof(*s));

	(void)o;
	if (!s)
		chess_set_error(ENOMEM, "no memory for a search");
	return s;
}

static int rr_next(void *strategy, struct chess_plan *plan)
{
	(void)strategy;
	(void)plan;
	return 1;
}

static int rr_peek(void *strategy, size_t k, struct chess_plan *plan)
{
	(void)k;
	return rr_next(strategy, plan);
}

static int rr_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	struct rr *s = strategy;
	size_t at;

	(void)plan;
	s->runs++;
	if (!s->first) {
		s->first = chess_record_cut(r, chess_record_length(r));
		return s->first ? 0 : -errno;
	}
	at = chess_record_compare(s->first, r);
	if (at == SIZE_MAX)
		return 0;
	chess_set_error(EILSEQ, "run %llu of the default schedule differs from the first one at event %zu: 'chessctl doctor -- PROGRAM' looks for the cause",
			(unsigned long long)s->runs, at + 1);
	return 1;
}

static void rr_done(void *strategy, struct chess_plan *plan)
{
	(void)strategy;
	(void)plan;
}

static unsigned int rr_bound(const void *strategy)
{
	(void)strategy;
	return 0;
}

static void rr_free(void *strategy)
{
	struct rr *s = strategy;

	chess_record_free(s->first);
	free(s);
}

const struct chess_strategy_ops chess_strategy_rr = {
	.name = "rr",
	.default_runs = RUNS,
	.once = true,
	.new = rr_new,
	.next = rr_next,
	.peek = rr_peek,
	.report = rr_report,
	.done = rr_done,
	.bound = rr_bound,
	.free = rr_free,
};
