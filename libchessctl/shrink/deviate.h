/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * deviate.c: a run as the choices in which it leaves the default policy. Named by
 * what the task had done, not by a number of the schedule, a choice can be taken in
 * another run, from which other choices are missing. shrink.c works with these.
 */
#ifndef CHESSCTL_DEVIATE_H
#define CHESSCTL_DEVIATE_H

#include "chessctl/chessctl.h"

/**
 * struct chess_deviation - one choice that is not the default's
 * @at: number of the decision in the run it is of
 * @point: so many points its task had reached, this one included
 * @nth: of the decisions of one type after one point, from 0
 * @task: whose decision it is
 * @chosen: who went on
 * @type: enum chess_event_type
 */
struct chess_deviation {
	size_t at;
	uint32_t point, nth;
	uint16_t task, chosen;
	uint8_t type;
};

/**
 * struct chess_walk - a way through the decisions of a record
 * @r: the record
 * @e: event of this decision
 * @i: its index
 * @here: this decision, named; valid after chess_walk_next()
 */
struct chess_walk {
	const struct chess_record *r;
	const struct chess_event *e;
	size_t i;
	struct chess_deviation here;
	/* private: next event and decision; counts by task */
	size_t next, decisions;
	bool expired;
	struct chess_walk_task *task;
};

int chess_walk_begin(struct chess_walk *w, const struct chess_record *r);
bool chess_walk_next(struct chess_walk *w);
void chess_walk_end(struct chess_walk *w);
/* can this decision choose @task in place of whom it chose? */
bool chess_walk_may(const struct chess_walk *w, uint16_t task);
/* what that costs: 1, a preemption, or 0 */
unsigned int chess_walk_cost(const struct chess_walk *w, uint16_t task);
/* the same decision of the same task */
bool chess_deviation_fits(const struct chess_deviation *d, const struct chess_walk *w);

/* All of a run, in order; malloc'ed. 0 or -errno. */
int chess_deviations_of(const struct chess_record *r, struct chess_deviation **out, size_t *n);
/* The first @n decisions of a run; then @chosen, unless it is CHESS_TASK_NONE. */
struct chess_schedule *chess_prefix_of(const struct chess_record *r, size_t n, uint16_t chosen);

#endif /* CHESSCTL_DEVIATE_H */
