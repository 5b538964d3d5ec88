/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of the simulator for the tests of shrinking: tasks are numbers of steps, a bug is
 * which task has done how much when somebody does a step. There is an executor for them, and
 * a plain enumeration of all their schedules, which only asks for runs: the task that goes on
 * where none is chosen, and what a choice costs, it knows by itself.
 */
#ifndef SELFTESTS_PLANTED_BUG_H
#define SELFTESTS_PLANTED_BUG_H

#include "internal.h"

#define TASKS	4
#define STEPS	16
#define CONDS	4
#define BUGS	2

/* When @task does its step number @step (from 1), @other has done @count of its own. */
struct cond {
	int task, step, other, count;
};

/*
 * Tasks of so many steps, each after a point; all are there from the start. A bug
 * shows, with an assertion of its own, as soon as all its conditions have been met.
 */
struct planted {
	int tasks, steps[TASKS];
	uint32_t yields[TASKS];		/* bit N: the point of step N + 1 is a yield */
	struct cond bug[BUGS][CONDS];
	int conds[BUGS];
	bool alike;			/* both end in one assertion */
};

/* An executor over a program. */
struct box {
	const struct planted *p;
	uint64_t runs;
	uint64_t error_at;		/* this run fails ... */
	int error;			/* ... with this */
	bool mended;			/* no bug shows any more */
};

/* Whom the default policy takes at this decision, under --unfair: a yield lets the next go. */
int planted_default(const struct planted *p, const struct chess_event *e);
/* Which bug a run shows, 0: none. */
int planted_bug_of(const struct chess_run_result *res);
/* The run under @prefix. */
struct chess_run_result planted_run(const struct planted *p, struct chess_schedule *prefix);
/* The same with "T0*3 T1"; it must end with this bug, 0: with none. */
struct chess_record *planted_run_under(const struct planted *p, const char *text, int bug);
/* Borrows @b. */
struct chess_executor planted_executor(struct box *b);
int planted_shrink(struct box *b, const struct chess_record *r, uint64_t max_runs,
		   struct chess_shrink_result *out);
/* The smallest failing schedule, by enumeration. */
struct chess_shrink_size planted_smallest(const struct planted *p, int bug, size_t max);

void expect_size(size_t preemptions, size_t switches, size_t points,
		 const struct chess_shrink_size *seen);
/*
 * What every result must be, whatever the limits: a run that can be had again, shows
 * @bug and has the size it is said to have.
 */
void expect_sound(const struct planted *p, const struct chess_shrink_result *res, int bug);
void expect_one_minimal(const struct planted *p, const struct chess_shrink_result *res, int bug);

#endif /* SELFTESTS_PLANTED_BUG_H */
