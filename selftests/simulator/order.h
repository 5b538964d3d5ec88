/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run in which tasks access memory in a given order. A schedule is about all points of
 * a program, and those of a model and of the real one differ: threads begin, yield and
 * end in other ways. The accesses to the variables they share do not, so an order of
 * those that was found on the one can be had on the other.
 */
#ifndef SELFTESTS_ORDER_H
#define SELFTESTS_ORDER_H

#include "chessctl/chessctl.h"

/**
 * order_run() - look for the schedule in which tasks access memory in an order
 * @x: makes the runs; accesses are its points whose op is one on memory
 * @order: the task of each access
 * @out: the last run: the one with all of @order; after it the default policy decides
 * @runs: how many runs it took
 *
 * T0 goes first, until it waits. A task is left before an access, when the order wants
 * another one to come first; after its last access before that sooner, where nobody
 * counts it as a preemption.
 *
 * Return: how many accesses of @order the last run has; or -errno with chess_error().
 */
int order_run(const struct chess_executor *x, const struct chess_schedule *order,
	      struct chess_run_result *out, unsigned int *runs);

#endif /* SELFTESTS_ORDER_H */
