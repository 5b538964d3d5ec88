/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the strategies that use chance have in common: a seed for each run, keeping track of
 * plans that are out, and learning from earlier runs in a way that does not depend on how
 * many plans are out. These strategies never end by themselves.
 */
#ifndef CHESSCTL_CHANCE_H
#define CHESSCTL_CHANCE_H

#include "chessctl/chessctl.h"

/* When neither runs nor time are limited. */
#define CHESS_CHANCE_RUNS	10000

struct chess_chance;

/**
 * struct chess_chance_rules - what a strategy adds
 * @policy: what decides
 * @fill: fill in the policy's data in @plan, whose seed is set, from what was learned; random
 *	numbers come from chess_chance_draw(). NULL: the policy needs none. Returns 0 or negative
 *	errno
 * @learn: learn from a record; the result of several must not depend on their order. NULL:
 *	nothing is learned
 * @free: end of the search; may be NULL
 */
struct chess_chance_rules {
	enum chess_policy_kind policy;
	int (*fill)(void *data, struct chess_plan *plan);
	int (*learn)(void *data, const struct chess_record *r);
	void (*free)(void *data);
};

/* @data is the strategy's, malloc'ed, and freed with it; may be NULL */
struct chess_chance *chess_chance_new(const struct chess_chance_rules *rules, uint64_t seed,
				      void *data);
/* the next number of the sequence whose state is *@state; all 64 bits are random */
uint64_t chess_chance_draw(uint64_t *state);
/* a number below @n, which is not zero */
uint64_t chess_chance_below(uint64_t *state, uint64_t n);

/* As in struct chess_strategy_ops. */
int chess_chance_next(void *chance, struct chess_plan *plan);
int chess_chance_peek(void *chance, size_t k, struct chess_plan *plan);
int chess_chance_report(void *chance, struct chess_plan *plan, const struct chess_record *r);
void chess_chance_done(void *chance, struct chess_plan *plan);
unsigned int chess_chance_bound(const void *chance);
void chess_chance_free(void *chance);

/* What the strategies that use chance have in common. */
#define CHESS_CHANCE_OPS			\
	.default_runs = CHESS_CHANCE_RUNS,	\
	.next = chess_chance_next,		\
	.peek = chess_chance_peek,		\
	.report = chess_chance_report,		\
	.done = chess_chance_done,		\
	.bound = chess_chance_bound,		\
	.free = chess_chance_free

#endif /* CHESSCTL_CHANCE_H */
