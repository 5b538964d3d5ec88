// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Iterative context bounding (CHESS, OSDI'08, section 4.4; Musuvathi and Qadeer,
 * PLDI'07): all schedules with no preemption, then all with one, and so on up to the
 * bound. Any other task at a point costs one preemption, and so does a deadline that
 * passes, or a timer that goes off, before its time; where the task cannot run, the choice
 * among the others is free.
 */
#include <stdlib.h>

#include "search/forks.h"
#include "search/strategy.h"

/*
 * After the prefix the default was chosen: a deadline only where no task was enabled,
 * and then the earliest. So each other deadline is early.
 */
static int look(struct chess_forks *f, const struct chess_record *r, size_t i,
		unsigned int budget)
{
	size_t ways = chess_forks_ways(r, i), t;
	bool costs = chess_forks_preempts(r, i);
	int ret = 0;

	if (costs && !budget)
		return 0;
	for (t = 0; t < ways && !ret; t++)
		if (chess_forks_may(r, i, t))
			ret = chess_forks_push(f, t, costs || chess_forks_ends_early(r, i, t));
	if (!ret && chess_record_may_expire(r, i))
		ret = chess_forks_push(f, CHESS_TASK_TIMER, 1);
	return ret;
}

static unsigned int cost(const struct chess_record *r, size_t i, uint16_t way)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (way == chess_record_default(r, i))
		return 0;
	if (way == CHESS_TASK_TIMER || chess_forks_ends_early(r, i, way))
		return 1;
	return chess_forks_preempts(r, i) && way != e->task;
}

static void *icb_new(const struct chess_explore_opts *o)
{
	return chess_forks_new(&(struct chess_forks_rules) {
		.look = look, .cost = cost, .max = o->bound, .o = o,
	});
}

const struct chess_strategy_ops chess_strategy_icb = {
	.name = "icb",
	.counts = "preemption",
	.new = icb_new,
	.may_skip = true,
	CHESS_FORKS_OPS,
	.reductions = CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP | CHESS_REDUCE_YIELD |
		CHESS_REDUCE_STATE | CHESS_REDUCE_DPOR,
};
