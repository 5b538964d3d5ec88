/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search that CHESS does, to count what CHESS counts. It has nothing in common
 * with libchessctl/search/strategy_icb.c but the executor, which must be of SIM_CHESS.
 *
 * What is a point: each interlocked, lock, event or semaphore operation, each yield and
 * join, the begin and the end of a task; a creation is two. The end of the test is two
 * more in the first task: it waits until all others have ended.
 *
 * Where a run may be left for another task: before each point but creations and ends.
 * A preemption is to leave a task that is enabled. A yield makes it wait for others
 * only as the priorities of PLDI'08 say; to leave it otherwise is a preemption.
 *
 * Order: depth first, the latest fork first, of one fork the next higher task first,
 * round robin. So does the run go on where its task cannot.
 *
 * A prefix is not followed further when one with the same happens-before order was
 * seen with fewer preemptions (CHESS calls that sleep sets). The run whose prefix it is
 * counts.
 *
 * One golden file is of an older CHESS (its trace names an op as newer ones do not): there a
 * yield is a step of the order, and the step that a prefix ends with is not looked up,
 * only what comes after it.
 *
 * A run that deadlocks ends the search and counts; one whose assertion fails, or that
 * ends at once with an exit code, ends it and does not.
 */
#ifndef SELFTESTS_CHESS_RULE_H
#define SELFTESTS_CHESS_RULE_H

#include "sim.h"

enum chess_rule_version { CHESS_RULE, CHESS_RULE_OLDER };

struct chess_rule_count {
	unsigned int runs, classes, steps;
	enum chess_verdict verdict;
};

void chess_rule_search(const struct chess_executor *x, enum chess_rule_version version,
		       unsigned int bound, struct chess_rule_count *out);

#endif /* SELFTESTS_CHESS_RULE_H */
