/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loops that wait for another task by reading memory (libchessctl/code/await.c), as steps of a
 * run. A turn that changes nothing can be left out: until another task writes what it read, the
 * task stays where it is, as one does that is blocked.
 */
#ifndef CHESSCTL_AWAITS_H
#define CHESSCTL_AWAITS_H

#include "chessctl/chessctl.h"

/* So many accesses a turn has at most; with more the run is read as if it were no such loop. */
#define CHESS_TURN_MAX	16

/**
 * struct chess_await_points - the accesses that a task made last, one directly after another
 * @site: where in the code
 * @step: number of the step of each
 * @object: what they were to
 * @waited: the task was at an access of a loop that waits, whose turn before had been in vain
 * @n: how many
 * @since, @turn: chess_step.since and chess_step.turn of the task's next step
 */
struct chess_await_points {
	uint32_t site[CHESS_TURN_MAX], step[CHESS_TURN_MAX];
	uint64_t object[CHESS_TURN_MAX];
	bool waited[CHESS_TURN_MAX];
	unsigned int n;
	uint32_t since, turn;
};

struct chess_happens;

/* Are there such loops in a run, and nothing for which it matters how often a task goes round? */
bool chess_awaits_apply(const struct chess_record *r);
/* A task is at point @e. Return: false: its turn before is not known */
bool chess_awaits_point(struct chess_happens *h, struct chess_await_points *p,
			const struct chess_event *e);
/* The task that was at @e, or at no point if NULL, takes step @step. */
void chess_awaits_step(struct chess_happens *h, struct chess_await_points *p,
		       const struct chess_event *e, uint32_t step);
/* All steps are read. Return: false: something ended a wait that no step shows */
bool chess_awaits_find(struct chess_happens *h);
/* Was @task at a loop that waits, after a turn of it, when the run ended? */
bool chess_awaits_stands(const struct chess_happens *h, size_t task);
/* Would a turn of @task be in vain before step @i? */
bool chess_awaits_waits(const struct chess_happens *h, size_t task, size_t i);

#endif /* CHESSCTL_AWAITS_H */
