/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chess_explore() on a modelled program, with counts that it does not make itself.
 */
#ifndef SELFTESTS_SEARCH_H
#define SELFTESTS_SEARCH_H

#include "numbers.h"
#include "sim.h"

/**
 * struct search - what is asked of one search, and what came out
 * @program: whose runs
 * @opts: of the model
 * @explore: of chess_explore(); its size need not be set
 * @graph: digest of the run just made; may be NULL
 * @result: of chess_explore()
 * @yields: in some run a task said that it cannot go on, or waited with a time-out
 * @classes: happens-before classes of the runs; with keep_going, of those that are ok
 * @failed: with keep_going, classes of the others
 * @graphs: what @graph said of the runs that are counted in @classes
 * @states: digests of the states; filled where @program has state()
 */
struct search {
	const struct sim_program *program;
	struct sim_opts opts;
	struct chess_explore_opts explore;
	uint64_t (*graph)(void);

	struct chess_explore_result result;
	bool yields;
	struct numbers classes, failed, graphs, states;
};

/* Ends the process with a sentence where chess_explore() gives no result. */
void search_run(struct search *s);
void search_free(struct search *s);

#endif /* SELFTESTS_SEARCH_H */
