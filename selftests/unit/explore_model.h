/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program as lists of ops, for the tests of the search: an executor for it, scheduled
 * with the module's fair.c, and a plain recursive enumeration of its schedules, which has
 * the fair scheduler as the paper writes it.
 */
#ifndef SELFTESTS_EXPLORE_MODEL_H
#define SELFTESTS_EXPLORE_MODEL_H

#include "fair.h"
#include "internal.h"

#define MAX_TASKS	72
#define ARRAY_LENGTH(a)	(sizeof(a) / sizeof((a)[0]))

/*
 * BACK_UNLESS goes back to the op before it while the sum is another one. A timed lock goes on
 * without the lock once its deadline has passed.
 */
enum kind { STEP, YIELD, LOCK, UNLOCK, ADD, FAIL_IF, SLEEP, TIMED_LOCK, BACK_UNLESS };

#define LOCK_TIMEOUT	5

struct op {
	enum kind kind;
	int arg;
};

/* A task's ops; a task whose list is NULL does not exist. */
struct model {
	const struct op *ops[MAX_TASKS];
	int n[MAX_TASKS];
	int tasks;
	int hidden;			/* does not exist at the start; 0: none */
};

/* Which yields count, each so manieth; 0: the runs are not fair. */
extern unsigned int model_every;

/* An executor over a model, with ways to misbehave. */
struct box {
	const struct model *m;
	char **seen;			/* text of each schedule, in order */
	size_t n_seen, costs[4096];
	uint64_t error_at, incomplete_at, wrong_prefix_at, other_enabled_at;
	uint64_t disturbed;		/* this many runs from there on; 0: one */
	int error;
	struct chess_fair fair;
	struct chess_fair_row row[MAX_TASKS];
};

struct chess_executor model_executor(struct box *b);
/* A search through the program of @b. */
int model_explore(struct box *b, const struct chess_explore_opts *opts,
		  struct chess_explore_result *out);
/* How many runs a search with icb takes; it has to be complete. */
uint64_t model_runs(const struct model *m, unsigned int bound);
/* How many schedules there are with at most so many preemptions. */
uint64_t model_brute_force(const struct model *m, int bound);

#endif /* SELFTESTS_EXPLORE_MODEL_H */
