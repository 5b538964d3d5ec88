/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The runs of a search in order, and what came of it: for tests that make the same search in
 * two ways, and want the same.
 */
#ifndef SELFTESTS_RUN_ORDER_H
#define SELFTESTS_RUN_ORDER_H

#include "internal.h"

#define RUN_ORDER_MOST	20000

/**
 * struct run_order - a search
 * @x: who makes the runs
 * @hash: of each run: its record, its happens-before class and its verdict
 * @n: how many runs
 * @ret: of chess_explore()
 * @res: of chess_explore()
 */
struct run_order {
	struct chess_executor x;
	uint64_t hash[RUN_ORDER_MOST];
	size_t n;
	int ret;
	struct chess_explore_result res;
};

/* For the run() and the ahead() of an executor; @ctx: struct run_order */
int run_order_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out);
void run_order_ahead(void *ctx, chess_peek *peek, void *search);

/* Return: 0 or negative errno. */
int run_order_add(struct run_order *o, const struct chess_run_result *run);
void run_order_expect_same(const struct run_order *one, const struct run_order *other);

#endif /* SELFTESTS_RUN_ORDER_H */
