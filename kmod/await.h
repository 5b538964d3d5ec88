/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loops that wait for another task without saying so: a lock that is taken by an atomic
 * instruction, a flag that is read again and again. User space has proved of such a loop, by its
 * instructions, that it only looks (libchessctl/code/await.c), and says from which turn on one
 * does what the last one did, unless another task has changed what is looked at. From there on
 * each turn is a yield (Musuvathi and Qadeer, PLDI'08, section 3).
 *
 * Only what the task itself did counts, so two schedules that differ only in the order of
 * independent operations have the same yields. Pure as decide.h is.
 */
#ifndef _CHESS_AWAIT_H
#define _CHESS_AWAIT_H

/* Accesses of one loop that are points; of more some count as new each time. */
#define CHESS_AWAIT_SITES	4

/**
 * struct chess_await - the loop that a task is in
 * @site: accesses in it, from 1; 0: none
 * @turns: how often it came to each of them
 * @next: which one the next access takes the place of
 */
struct chess_await {
	unsigned int site[CHESS_AWAIT_SITES];
	unsigned char turns[CHESS_AWAIT_SITES];
	unsigned int next;
};

/**
 * chess_await_leave() - a task leaves its loop, or does something in it that others can see
 * @a: the task's
 *
 * Context: any.
 */
static inline void chess_await_leave(struct chess_await *a)
{
	unsigned int i;

	for (i = 0; i < CHESS_AWAIT_SITES; i++)
		a->site[i] = 0;
	a->next = 0;
}

/**
 * chess_await_turn() - a task is at an access in a loop that waits
 * @a: the task's
 * @site: which access
 * @turns: from the so manieth turn on it waits
 *
 * Context: any; once for each such access that is a point.
 * Return: whether it waits: it yields.
 */
static inline _Bool chess_await_turn(struct chess_await *a, unsigned int site,
				     unsigned int turns)
{
	unsigned int i;

	for (i = 0; i < CHESS_AWAIT_SITES && a->site[i] != site; i++)
		;
	if (i == CHESS_AWAIT_SITES) {
		i = a->next++ % CHESS_AWAIT_SITES;
		a->site[i] = site;
		a->turns[i] = 0;
	}
	a->turns[i] += a->turns[i] < turns;
	return a->turns[i] >= turns;
}

#endif /* _CHESS_AWAIT_H */
