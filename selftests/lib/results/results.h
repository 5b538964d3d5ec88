/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of docs/results.md, each printed as Markdown.
 */
#ifndef SELFTESTS_RESULTS_H
#define SELFTESTS_RESULTS_H

#include "numbers.h"
#include "programs/programs.h"

/* Seconds for one search of those that may not end. */
extern double limit_seconds;

void print_goldens(void);
void print_cover(void);
void print_sct(void);

/* search.c: does chess_explore() know this strategy? */
bool have_strategy(const char *name);

/**
 * struct search - what is asked of one search, and what came out
 * @program: whose runs
 * @opts: of the model
 * @strategy: NULL: the default
 * @bound: preemptions
 * @seed: of a random strategy
 * @runs_max: 0: no limit
 * @seconds_max: 0: no limit
 * @runs: done
 * @bound_seen: preemptions of the last run
 * @complete: the search ended by itself
 * @verdict: of the first bug, else ok or incomplete
 * @classes: happens-before classes of the runs; filled when @count_classes
 * @states: digests of the states; filled where @program has state()
 */
struct search {
	const struct sim_program *program;
	struct sim_opts opts;
	const char *strategy;
	unsigned int bound;
	uint64_t seed, runs_max;
	double seconds_max;
	bool count_classes;

	uint64_t runs;
	unsigned int bound_seen;
	bool complete;
	enum chess_verdict verdict;
	struct numbers classes, states;
};

void search_run(struct search *s);
void search_free(struct search *s);

/* enumerate.c: states of @p within @bound preemptions; without bound when negative */
void enumerate_states(const struct sim_program *p, int bound, struct numbers *states);

/* search.c: do yields put a task behind others in the model? */
bool model_is_fair(void);

#endif /* SELFTESTS_RESULTS_H */
