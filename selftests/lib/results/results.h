/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of docs/results.md, each printed as Markdown.
 */
#ifndef SELFTESTS_RESULTS_H
#define SELFTESTS_RESULTS_H

#include "programs/programs.h"
#include "search.h"

/* Seconds for one search of those that may not end. */
extern double limit_seconds;

void print_goldens(void);
void print_cover(void);
void print_sct(void);

/* cover.c: do yields put a task behind others in the model? */
bool model_is_fair(void);

/* enumerate.c: states of @p within @bound preemptions; without bound when negative */
void enumerate_states(const struct sim_program *p, int bound, struct numbers *states);

#endif /* SELFTESTS_RESULTS_H */
