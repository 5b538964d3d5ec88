/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loops that wait for another task by reading memory (libchessctl/code/await.c), as steps of a
 * run. A turn that changes nothing can be left out: until another task writes what it read, the
 * task stays where it is, as one does that is blocked.
 */
#ifndef CHESSCTL_AWAITS_H
#define CHESSCTL_AWAITS_H

#include "chessctl/chessctl.h"

/* So many accesses of one loop are points at most: CHESS_AWAIT_SITES of kmod/await.h. */
#define CHESS_AWAIT_POINTS	4

/**
 * struct chess_await_points - the accesses that a task made last, one directly after another
 * @site: their sites
 * @object: what they were to
 * @step: number of the step of each
 * @n: how many
 * @since: the step that began the turn before, if the task is at an access of a loop that waits;
 *	else CHESS_NO_STEP
 */
struct chess_await_points {
	uint32_t site[CHESS_AWAIT_POINTS];
	uint64_t object[CHESS_AWAIT_POINTS];
	uint32_t step[CHESS_AWAIT_POINTS];
	unsigned int n;
	uint32_t since;
};

struct chess_happens;

/* Are there such loops in a run, and nothing for which it matters how often a task goes round? */
bool chess_awaits_apply(const struct chess_record *r);
/* A task is at point @e. Return: false: its turn before is not known */
bool chess_awaits_point(struct chess_happens *h, struct chess_await_points *p,
			const struct chess_event *e);
/* The task that was at @e takes step @step. */
void chess_awaits_step(struct chess_await_points *p, const struct chess_event *e, uint32_t step);
/* All steps are read. Return: false: something ended a wait that no step shows */
bool chess_awaits_find(struct chess_happens *h);
/* Would a turn of @task be in vain before step @i? */
bool chess_awaits_waits(const struct chess_happens *h, size_t task, size_t i);

#endif /* CHESSCTL_AWAITS_H */
