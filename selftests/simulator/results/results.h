/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of docs/results.md, each printed as Markdown.
 */
#ifndef SELFTESTS_RESULTS_H
#define SELFTESTS_RESULTS_H

#include "programs/programs.h"
#include "search.h"

/* Runs of one search of those that may not end; a number of runs gives the same each time. */
extern uint64_t limit_runs;

void print_goldens(void);
void print_cover(void);
void print_reduce(void);
void print_genmc(void);
void print_sct(void);

/* enumerate.c: states of @p within @bound preemptions; without bound when negative */
void enumerate_states(const struct sim_program *p, int bound, struct numbers *states);

/*
 * schedules.c: how many schedules @p has under fairness; with @depth, without fairness and cut
 * at so many points. @states: those of all of them, cut or not.
 */
double count_schedules(const struct sim_program *p, unsigned int depth, struct numbers *states);

#endif /* SELFTESTS_RESULTS_H */
