/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An executor around another one that misbehaves in chosen runs.
 */
#ifndef SELFTESTS_FAULTY_EXECUTOR_H
#define SELFTESTS_FAULTY_EXECUTOR_H

#include "internal.h"

/**
 * struct fault - what goes wrong, in which run; they are numbered from 1, 0 is none
 * @error_at: is not made
 * @error: what comes instead
 * @incomplete_at: part of its record was lost
 * @wrong_prefix_at: its last forced decision is left to the default policy
 * @other_enabled_at: task number @other is enabled at its last forced decision
 * @other: see there
 * @disturbed: so many runs from those two on; 0: one
 */
struct fault {
	uint64_t error_at, incomplete_at, wrong_prefix_at, other_enabled_at;
	int error;
	unsigned int other;
	uint64_t disturbed;
};

/* Run number @run. */
int faulty_run(const struct fault *f, uint64_t run, const struct chess_executor *x,
	       const struct chess_plan *plan, struct chess_run_result *out);

#endif /* SELFTESTS_FAULTY_EXECUTOR_H */
