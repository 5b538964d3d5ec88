// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Delay bounding (Emmi, Qadeer, Rakamaric, Delay-Bounded Scheduling, POPL'11): a
 * deterministic scheduler, and all schedules that deviate from it at most so many times. The
 * scheduler is the module's round robin: a task runs until it blocks, ends or yields,
 * then the next id in turn does. A delay passes over the task whose turn it is, so the
 * task K places after it in turn costs K delays. After the enabled tasks come, in turn
 * as well, those whose deadline may pass, and last of all the timers. Which thread takes
 * a signal is not the scheduler's decision and costs nothing.
 */
#include <stdlib.h>

#include "search/forks.h"
#include "search/strategy.h"

/* The places of the tasks between the chosen one and @task, in turn. */
static unsigned int count_between(const struct chess_record *r, size_t i, uint16_t task,
				  bool timed)
{
	const struct chess_event *e = chess_record_event(r, i);
	size_t tasks = chess_record_tasks(r), t;
	unsigned int n = 0;

	for (t = (e->chosen + 1) % tasks; t != task; t = (t + 1) % tasks)
		n += chess_forks_may(r, i, t) && chess_record_timed(r, i, t) == timed;
	return n;
}

static unsigned int count_enabled(const struct chess_record *r, size_t i)
{
	size_t tasks = chess_record_tasks(r), t;
	unsigned int n = 0;

	for (t = 0; t < tasks; t++)
		n += chess_forks_may(r, i, t) && !chess_record_timed(r, i, t);
	return n;
}

/* All tasks whose turn comes before that of the timers. */
static unsigned int count_others(const struct chess_record *r, size_t i)
{
	size_t tasks = chess_record_tasks(r), t;
	unsigned int n = 0;

	for (t = 0; t < tasks; t++)
		n += chess_forks_may(r, i, t);
	return n;
}

static int look(struct chess_forks *f, const struct chess_record *r, size_t i,
		unsigned int budget)
{
	bool free_way = !CHESS_EVENT_IS_TURN(chess_record_event(r, i)->type);
	size_t ways = chess_forks_ways(r, i), t;
	unsigned int cost;
	int ret = 0;

	if (!budget && !free_way)
		return 0;
	for (t = 0; t < ways && !ret; t++) {
		bool timed = chess_record_timed(r, i, t);

		if (!chess_forks_may(r, i, t))
			continue;
		cost = 1 + count_between(r, i, t, timed) + (timed ? count_enabled(r, i) : 0);
		ret = chess_forks_push(f, t, free_way ? chess_forks_ends_early(r, i, t) : cost);
	}
	if (!ret && chess_record_may_expire(r, i))
		ret = chess_forks_push(f, CHESS_TASK_TIMER, 1 + count_others(r, i));
	return ret;
}

static void *delay_new(const struct chess_explore_opts *o)
{
	return chess_forks_new(&(struct chess_forks_rules) {
		.look = look, .policy = CHESS_POLICY_KIND_ROUND_ROBIN, .max = o->bound,
		.costs = CHESS_REDUCE_COSTS_TURNS, .o = o,
	});
}

const struct chess_strategy_ops chess_strategy_delay = {
	.name = "delay",
	.counts = "delay",
	.new = delay_new,
	CHESS_FORKS_OPS,
	.reductions = CHESS_REDUCE_HB | CHESS_REDUCE_YIELD | CHESS_REDUCE_STATE,
};
