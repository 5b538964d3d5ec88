// SPDX-License-Identifier: GPL-2.0-only
/*
 * The runs of a search in order; see run_order.h.
 */
#include <string.h>

#include "record/hb.h"
#include "mix.h"
#include "run_order.h"
#include "../harness.h"

int run_order_add(struct run_order *o, const struct chess_run_result *run)
{
	uint64_t class;
	int ret = chess_hb_digest(run->record, &class);

	ASSERT_LT(o->n, (size_t)RUN_ORDER_MOST);
	o->hash[o->n++] = chess_mix(chess_mix(chess_record_hash(run->record), class),
				    run->verdict);
	return ret;
}

int run_order_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct run_order *o = ctx;
	int ret = o->x.run(o->x.ctx, plan, out);

	return ret ? ret : run_order_add(o, out);
}

void run_order_ahead(void *ctx, chess_peek *peek, void *search)
{
	struct run_order *o = ctx;

	if (o->x.ahead)
		o->x.ahead(o->x.ctx, peek, search);
}

void run_order_expect_same(const struct run_order *one, const struct run_order *other)
{
	EXPECT_EQ(0, other->ret);
	EXPECT_EQ(one->n, other->n);
	EXPECT_EQ(0, memcmp(one->hash, other->hash, one->n * sizeof(*one->hash)));
	EXPECT_EQ(one->res.verdict, other->res.verdict);
	EXPECT_EQ(one->res.complete, other->res.complete);
	EXPECT_EQ(one->res.stopped, other->res.stopped);
	EXPECT_EQ(one->res.bound, other->res.bound);
	EXPECT_EQ(one->res.runs, other->res.runs);
	EXPECT_EQ(one->res.bugs, other->res.bugs);
	EXPECT_EQ(one->res.diverged, other->res.diverged);
	EXPECT_EQ(one->res.retries, other->res.retries);
	EXPECT_EQ(one->res.max_points, other->res.max_points);
	EXPECT_EQ(one->res.max_tasks, other->res.max_tasks);
	EXPECT_TRUE(one->res.estimate == other->res.estimate);
	EXPECT_EQ(!one->res.why, !other->res.why);
	if (one->res.why && other->res.why)
		EXPECT_STREQ(one->res.why, other->res.why);
	EXPECT_EQ(one->res.n_runs_at, other->res.n_runs_at);
	EXPECT_EQ(0, memcmp(one->res.runs_at, other->res.runs_at,
			    one->res.n_runs_at * sizeof(*one->res.runs_at)));
	EXPECT_EQ(!one->res.bad.record, !other->res.bad.record);
	if (one->res.bad.record && other->res.bad.record)
		EXPECT_EQ(SIZE_MAX, chess_record_compare(one->res.bad.record,
							 other->res.bad.record));
}
