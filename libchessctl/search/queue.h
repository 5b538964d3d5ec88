/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prefixes that wait for their runs, first in, first out. A search has millions of them, so
 * they are packed: worklist.c uses it.
 */
#ifndef CHESSCTL_QUEUE_H
#define CHESSCTL_QUEUE_H

#include "search/fork.h"
#include "search/trunk.h"

struct chess_chunk;

/**
 * struct chess_queue_cursor - a place in a queue
 * @chunk: to read next; NULL: nothing was ever pushed
 * @at: how far into it
 * @trunk: run of the current forks
 * @left: how many of these are left
 * @fork: the one read last
 */
struct chess_queue_cursor {
	const struct chess_chunk *chunk;
	uint32_t at, left;
	struct chess_trunk *trunk;
	struct fork fork;
};

/**
 * struct chess_queue - all zero is empty
 * @first: oldest piece of what is packed, the one that is read
 * @last: newest
 * @read: what comes next
 * @n: forks that wait
 */
struct chess_queue {
	struct chess_chunk *first, *last;
	struct chess_queue_cursor read;
	uint64_t n;
};

int chess_queue_push(struct chess_queue *q, struct chess_trunk *t, const struct fork *fork,
		     uint32_t n);
void chess_queue_take(struct chess_queue *q, struct chess_trunk **t, struct fork *fork);
void chess_queue_next(struct chess_queue_cursor *c);
void chess_queue_clear(struct chess_queue *q);

#endif /* CHESSCTL_QUEUE_H */
