/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Failed tries of a lock, seen without their results: a task that tries a lock again,
 * and did nothing else with it since, did not get it the first time, or had it anyway.
 * Nothing has to be caught at a return. Pure as decide.h is.
 */
#ifndef _CHESS_RETRY_H
#define _CHESS_RETRY_H

#include "decide.h"

/* Locks a task may try in one loop; of more some count as new each time. */
#define CHESS_RETRY_LOCKS	4

/**
 * struct chess_retry - locks a task tried
 * @object: address; 0: none
 * @next: which one the next lock takes the place of
 */
struct chess_retry {
	chess_word_t object[CHESS_RETRY_LOCKS];
	unsigned int next;
};

/**
 * chess_retry_note() - a task is at an op of a sync function
 * @r: the task's
 * @e: the op
 *
 * Context: any.
 * Return: whether it tries a lock again.
 */
static inline bool chess_retry_note(struct chess_retry *r, const struct chess_event *e)
{
	bool tries = e->op == CHESS_OP_TRYLOCK;
	unsigned int i;

	if (!e->object)
		return false;
	for (i = 0; i < CHESS_RETRY_LOCKS; i++) {
		if (r->object[i] != e->object)
			continue;
		if (!tries)
			r->object[i] = 0;
		return tries;
	}
	if (tries)
		r->object[r->next++ % CHESS_RETRY_LOCKS] = e->object;
	return false;
}

#endif /* _CHESS_RETRY_H */
