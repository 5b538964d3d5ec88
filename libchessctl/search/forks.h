/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every schedule of a program once, cheapest first: what the strategies that end by
 * themselves have in common. They say what it costs to choose another task at a
 * decision; forks.c keeps the prefixes that wait, in levels of equal cost.
 */
#ifndef CHESSCTL_FORKS_H
#define CHESSCTL_FORKS_H

#include "chessctl/chessctl.h"
#include "search/reduce.h"

struct chess_forks;

/**
 * struct chess_forks_rules - what a strategy adds
 * @look: call chess_forks_push() for each way at decision @i of the record but the one
 *	taken, in order of ids, with its cost; no way that costs more than @budget need be
 *	pushed. Returns 0 or negative errno
 * @cost: of taking a way at decision @i of the record
 * @policy: what decides after the prefixes
 * @max: what a schedule may cost at most, unless grow_runs of @o lets the bound rise
 * @costs: what ways cost, for reductions
 * @o: the other options; stays as long as the search
 */
struct chess_forks_rules {
	int (*look)(struct chess_forks *f, const struct chess_record *r, size_t i,
		    unsigned int budget);
	unsigned int (*cost)(const struct chess_record *r, size_t i, uint16_t way);
	enum chess_policy_kind policy;
	unsigned int max;
	enum chess_reduce_costs costs;
	const struct chess_explore_opts *o;
};

struct chess_forks *chess_forks_new(const struct chess_forks_rules *rules);
int chess_forks_push(struct chess_forks *f, uint16_t task, unsigned int cost);

/* ways.c */
bool chess_forks_may(const struct chess_record *r, size_t i, uint16_t task);
size_t chess_forks_ways(const struct chess_record *r, size_t i);
bool chess_forks_ends_early(const struct chess_record *r, size_t i, uint16_t way);
bool chess_forks_preempts(const struct chess_record *r, size_t i);

/* As in struct chess_strategy_ops. */
int chess_forks_next(void *forks, struct chess_plan *plan);
int chess_forks_begin(void *forks, const struct chess_frontier *from);
int chess_forks_back(void *forks, const struct chess_plan *plan);
int chess_forks_leave(void *forks, struct chess_frontier *to);
uint64_t chess_forks_waiting(const void *forks);
int chess_forks_peek(void *forks, size_t k, struct chess_plan *plan);
int chess_forks_report(void *forks, struct chess_plan *plan, const struct chess_record *r);
int chess_forks_check(void *forks, const struct chess_record *r);
double chess_forks_on_all(const void *forks);
bool chess_forks_is_over(const void *forks);
void chess_forks_done(void *forks, struct chess_plan *plan);
unsigned int chess_forks_bound(const void *forks);
bool chess_forks_beyond(const void *forks);
double chess_forks_estimate(const void *forks);
void chess_forks_left_out(const void *forks, uint64_t n[CHESS_LEFT_OUT_CAUSES]);
const char *chess_forks_flaw(const void *forks);
void chess_forks_free(void *forks);

/* What the strategies that use forks have in common. */
#define CHESS_FORKS_OPS				\
	.begin = chess_forks_begin,		\
	.next = chess_forks_next,		\
	.back = chess_forks_back,		\
	.leave = chess_forks_leave,		\
	.waiting = chess_forks_waiting,		\
	.peek = chess_forks_peek,		\
	.report = chess_forks_report,		\
	.done = chess_forks_done,		\
	.bound = chess_forks_bound,		\
	.beyond = chess_forks_beyond,		\
	.estimate = chess_forks_estimate,	\
	.left_out = chess_forks_left_out,	\
	.flaw = chess_forks_flaw,		\
	.free = chess_forks_free

#endif /* CHESSCTL_FORKS_H */
