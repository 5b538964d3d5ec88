/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs for the tests of shrinking: tasks are numbers of steps, a bug is which task has done how
 * much when somebody does a step. There is an executor for them, and a plain enumeration of
 * all their schedules, which shares no code with the library.
 */
#ifndef SELFTESTS_SHRINK_MODEL_H
#define SELFTESTS_SHRINK_MODEL_H

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
struct model {
	int tasks, steps[TASKS];
	uint32_t yields[TASKS];		/* bit N: the point of step N + 1 is a yield */
	struct cond bug[BUGS][CONDS];
	int conds[BUGS];
	bool alike;			/* both end in one assertion */
};

struct state {
	int cur, done[TASKS];
	bool held[TASKS];		/* at its point, to do the step */
	bool ended[TASKS];
	uint32_t met[BUGS];
	int bug;			/* from 1; 0: none */
};

/* An executor over a model. */
struct box {
	const struct model *m;
	uint64_t runs;
	uint64_t error_at;		/* this run fails ... */
	int error;			/* ... with this */
	bool mended;			/* no bug shows any more */
};

/* Go to the next decision. Return: type of its event, 0 when the bug shows. */
int model_advance(const struct model *m, struct state *s);
bool model_is_yield(const struct model *m, const struct state *s, int type);
/* Whom the default policy takes; -1 when all have ended. */
int model_policy(const struct model *m, const struct state *s, int type);
/*
 * All tasks are known before the first decision, as where main() creates them first.
 * Who yields lets the next one go, as under --unfair.
 */
struct chess_record *model_new_record(const struct model *m);
void model_note(struct chess_record *r, const struct model *m, const struct state *s, int type,
		int chosen);

/* The run under a schedule, "T0*3 T1"; it must end with this bug, 0: with none. */
struct chess_record *model_run_under(const struct model *m, const char *text, int bug);
int model_shrink(struct box *b, const struct chess_record *r, uint64_t max_runs,
		 struct chess_shrink_result *out);
/* The smallest failing schedule, by enumeration. */
struct chess_shrink_size model_smallest(const struct model *m, int bug, int max);

void expect_size(size_t preemptions, size_t switches, size_t points,
		 const struct chess_shrink_size *seen);
/*
 * What every result must be, whatever the limits: a run that can be had again, shows
 * @bug and has the size it is said to have.
 */
void expect_sound(const struct model *m, const struct chess_shrink_result *res, int bug);
void expect_one_minimal(const struct model *m, const struct chess_shrink_result *res, int bug);

#endif /* SELFTESTS_SHRINK_MODEL_H */
