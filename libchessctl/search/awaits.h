/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loops that wait for another task by reading memory (libchessctl/code/await.c), as steps of a
 * run. A turn that changes nothing can be left out: until another task writes what it read, the
 * task stays where it is, as one does that is blocked.
 */
#ifndef CHESSCTL_AWAITS_H
#define CHESSCTL_AWAITS_H

#include "chessctl/chessctl.h"

/**
 * struct chess_await_point - the last point of a task
 * @site: of the access that it was
 * @object: of it
 * @step: number of its step; CHESS_NO_STEP: it was something else, or something came after it
 * @since: the same while the task is at that access of a loop that waits once more; else
 *	CHESS_NO_STEP
 */
struct chess_await_point {
	uint32_t site, step, since;
	uint64_t object;
};

struct chess_happens;

/* Are there such loops in a run, and nothing for which it matters how often a task goes round? */
bool chess_awaits_apply(const struct chess_record *r);
/* A task is at point @e. Return: false: its turn before is not one access */
bool chess_awaits_point(struct chess_happens *h, struct chess_await_point *p,
			const struct chess_event *e);
/* The task that was at @e takes step @step. */
void chess_awaits_step(struct chess_await_point *p, const struct chess_event *e, uint32_t step);
/* All steps are read. Return: false: something ended a wait that no step shows */
bool chess_awaits_find(struct chess_happens *h);
/* Would a turn of @task be in vain before step @i? */
bool chess_awaits_waits(const struct chess_happens *h, size_t task, size_t i);

#endif /* CHESSCTL_AWAITS_H */
