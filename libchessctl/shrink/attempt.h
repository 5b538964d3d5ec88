/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * attempt.c: the runs that shrink.c makes: limits, which is the smallest so far, and how
 * choices of one run are taken in another.
 */
#ifndef CHESSCTL_ATTEMPT_H
#define CHESSCTL_ATTEMPT_H

#include "shrink/deviate.h"
#include "shrink/same.h"

/* The stage may not go on; the next one may. Beside 0 and -errno. */
#define STAGE_OVER	1

/**
 * struct chess_attempt - one run
 * @refs: who needs it
 * @res: what came of it
 * @size: of @res.record
 * @choice: its deviations; @size.choices of them
 */
struct chess_attempt {
	size_t refs;
	struct chess_run_result res;
	struct chess_shrink_size size;
	struct chess_deviation *choice;
};

/**
 * struct shrink - one call of chess_shrink()
 * @x: who executes a run
 * @o: what was asked for
 * @bug: that of the first run
 * @first: the schedule to shrink, run again
 * @best: the smallest one so far
 * @runs: so many were made
 * @stage: its name
 * @stage_runs: number of runs at which it is over
 * @stage_end: moment at which it is over
 * @start: when all began
 * @interrupted: the executor wants to stop
 * @levels: the search has run all schedules with fewer preemptions than this
 */
struct shrink {
	const struct chess_executor *x;
	struct chess_shrink_opts o;
	struct chess_bug bug;
	struct chess_attempt *first, *best;
	uint64_t runs;
	const char *stage;
	uint64_t stage_runs;
	double stage_end, start;
	bool interrupted;
	size_t levels;
};

void chess_attempt_begin(struct shrink *s, const struct chess_executor *x,
			 const struct chess_shrink_opts *o);
/* since then */
double chess_attempt_seconds(const struct shrink *s);
void chess_attempt_put(struct chess_attempt *a);
bool chess_attempt_smaller(const struct chess_shrink_size *a, const struct chess_shrink_size *b);
/* The next stage, which may use @share of what is left of the limits. */
void chess_attempt_stage(struct shrink *s, const char *name, double share);

/* A run and nothing else. Return: 0, STAGE_OVER or -errno. */
int chess_attempt_execute(struct shrink *s, const struct chess_plan *plan,
			  struct chess_run_result *res);
/*
 * Run @prefix, which is freed, and look whether it is the best so far. Return: 0, and
 * *@out is for chess_attempt_put(); else *@out is NULL, and as above.
 */
int chess_attempt_run(struct shrink *s, struct chess_schedule *prefix,
		      struct chess_attempt **out);
/*
 * Run @prefix, which is freed and has @length decisions, and after it take those
 * choices of @list that can be taken, one more in each run. Ends early with a run that
 * is the best so far. Return: as above.
 */
int chess_attempt_follow(struct shrink *s, struct chess_schedule *prefix, size_t length,
			 const struct chess_deviation *list, size_t n);
/* Did @a come to its end, so that its decisions say something? */
bool chess_attempt_whole(const struct chess_attempt *a);

#endif /* CHESSCTL_ATTEMPT_H */
