// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Depth first without a bound: every schedule there is, the latest fork of the latest
 * run first (VeriSoft: Godefroid, POPL'97; its reductions are in reduce.c). A way costs nothing,
 * so all schedules belong to one level.
 */
#include <stdlib.h>

#include "search/forks.h"
#include "search/strategy.h"

static int look(struct chess_forks *f, const struct chess_record *r, size_t i,
		unsigned int budget)
{
	size_t ways = chess_forks_ways(r, i), t;
	int ret = 0;

	(void)budget;
	for (t = 0; t < ways && !ret; t++)
		if (chess_forks_may(r, i, t))
			ret = chess_forks_push(f, t, 0);
	if (!ret && chess_record_may_expire(r, i))
		ret = chess_forks_push(f, CHESS_TASK_TIMER, 0);
	return ret;
}

static unsigned int cost(const struct chess_record *r, size_t i, uint16_t way)
{
	(void)r;
	(void)i;
	(void)way;
	return 0;
}

static void *dfs_new(const struct chess_explore_opts *o)
{
	return chess_forks_new(&(struct chess_forks_rules) {
		.look = look, .cost = cost, .costs = CHESS_REDUCE_COSTS_NOTHING, .o = o,
	});
}

const struct chess_strategy_ops chess_strategy_dfs = {
	.name = "dfs",
	.new = dfs_new,
	.may_skip = true,
	CHESS_FORKS_OPS,
	.reductions = CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP | CHESS_REDUCE_YIELD |
		CHESS_REDUCE_STATE | CHESS_REDUCE_DPOR,
};
