/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of the simulator as lists of ops, for the tests of the search. Each op is a point
 * and costs what it costs under the module; none but YIELD is a yield.
 */
#ifndef SELFTESTS_OP_LIST_H
#define SELFTESTS_OP_LIST_H

#include "faulty_executor.h"

#define MAX_TASKS	72
#define MAX_BLOCKS	256
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
struct op_list {
	const struct op *ops[MAX_TASKS];
	int n[MAX_TASKS];
	int tasks;
};

/* Which yields count, each so manieth; 0: the runs are not fair. */
extern unsigned int op_list_every;

/* An executor over a program, with ways to misbehave. */
struct box {
	const struct op_list *p;
	char **seen;			/* text of each schedule, in order */
	size_t n_seen, costs[4096];
	struct fault fault;
};

struct chess_executor op_list_executor(struct box *b);
/* One run. */
int op_list_run(const struct op_list *p, const struct chess_plan *plan,
		struct chess_run_result *out);
/* Deadlines of those who blocked in the last run, in this order; 0: none. */
void op_list_deadlines(uint64_t out[MAX_BLOCKS]);
/* A search through the program of @b. */
int op_list_explore(struct box *b, const struct chess_explore_opts *opts,
		    struct chess_explore_result *out);
void op_list_forget(struct box *b);

#endif /* SELFTESTS_OP_LIST_H */
