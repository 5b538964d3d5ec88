// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See queue.h. Bytes in pieces, each read from start to end and then freed. What was pushed at
 * once is stored as the address of the run, the number of forks, their mean weight in three
 * bytes, and for each fork
 *
 *	twice the decisions since the last one, plus one for "same"; the task	(pair.h)
 *	print							two bytes; not with "same"
 *
 * Ways at one decision that cost the same share one print. So a fork takes one to three bytes
 * in most cases. Weights serve an estimate: what was pushed together is taken together, so then
 * the sum is right; and a weight loses only its last eight bits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "pair.h"
#include "search/queue.h"

/* The first piece is small: a search with few schedules has many queues. */
#define CHUNK_MIN	512
#define CHUNK_MAX	(64 * 1024)

#define PRINT_BYTES	2
#define WEIGHT_BYTES	3
/* Of a weight, which is a float, all bits except these are kept. */
#define WEIGHT_CUT	8

_Static_assert(PRINT_BITS == 8 * PRINT_BYTES, "a print is kept whole");

/* The most bytes that a fork takes, and what precedes the forks. */
#define FORK_BYTES	(PAIR_BYTES + PRINT_BYTES)
#define HEAD_BYTES	(sizeof(struct chess_trunk *) + PAIR_BYTES + WEIGHT_BYTES)

/**
 * struct chess_chunk - a piece of a queue
 * @next: the next newer one
 * @used: bytes that are filled in
 * @room: bytes allocated
 * @byte: the bytes
 */
struct chess_chunk {
	struct chess_chunk *next;
	uint32_t used, room;
	uint8_t byte[];
};

static void put(struct chess_chunk *c, const void *from, size_t n)
{
	memcpy(c->byte + c->used, from, n);
	c->used += n;
}

static void get(struct chess_queue_cursor *c, void *to, size_t n)
{
	memcpy(to, c->chunk->byte + c->at, n);
	c->at += n;
}

static void put_pair(struct chess_chunk *c, uint32_t a, uint32_t b)
{
	c->used = chess_pair_put(c->byte + c->used, a, b) - c->byte;
}

static void get_pair(struct chess_queue_cursor *c, uint32_t *a, uint32_t *b)
{
	c->at = chess_pair_get(c->chunk->byte + c->at, a, b) - c->chunk->byte;
}

/* The lower bytes come first, as x86 stores them. */
static void put_fork(struct chess_chunk *c, const struct fork *fork, const struct fork *last)
{
	bool same = fork->at == last->at && fork->print == last->print;
	uint32_t print = fork->print;

	put_pair(c, (uint32_t)(fork->at - last->at) << 1 | same, fork->task);
	if (!same)
		put(c, &print, PRINT_BYTES);
}

static void put_weight(struct chess_chunk *c, const struct fork *fork, uint32_t n)
{
	double sum = 0;
	uint32_t bits, i;
	float mean;

	for (i = 0; i < n; i++)
		sum += fork[i].weight;
	mean = sum / n;
	memcpy(&bits, &mean, sizeof(bits));
	bits >>= WEIGHT_CUT;
	put(c, &bits, WEIGHT_BYTES);
}

static void get_weight(struct chess_queue_cursor *c)
{
	uint32_t bits = 0;

	get(c, &bits, WEIGHT_BYTES);
	bits <<= WEIGHT_CUT;
	memcpy(&c->fork.weight, &bits, sizeof(bits));
}

static void get_fork(struct chess_queue_cursor *c)
{
	uint32_t forward, task, print = 0;
	struct fork *fork = &c->fork;

	get_pair(c, &forward, &task);
	fork->at += forward >> 1;
	fork->task = task;
	if (forward & 1)
		return;
	get(c, &print, PRINT_BYTES);
	fork->print = print;
}

/* The newest piece, with room for @bytes; NULL: no memory. */
static struct chess_chunk *reserve(struct chess_queue *q, size_t bytes)
{
	struct chess_chunk *c = q->last;
	size_t room = c ? c->room * 2UL : CHUNK_MIN;

	if (c && c->room - c->used >= bytes)
		return c;
	if (room > CHUNK_MAX)
		room = CHUNK_MAX;
	if (room < bytes)
		room = bytes;
	c = malloc(sizeof(*c) + room);
	if (!c)
		return NULL;
	*c = (struct chess_chunk){ .room = room };
	if (q->last)
		q->last->next = c;
	else
		q->first = c;
	if (!q->read.chunk)
		q->read.chunk = c;
	q->last = c;
	return c;
}

/**
 * chess_queue_push() - some forks of a run wait
 * @q: the queue
 * @t: the run, to which a reference is taken
 * @fork: its forks, in the order of its decisions
 * @n: how many, at least one
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_queue_push(struct chess_queue *q, struct chess_trunk *t, const struct fork *fork,
		     uint32_t n)
{
	struct chess_chunk *c = reserve(q, HEAD_BYTES + (size_t)n * FORK_BYTES);
	struct fork none = { 0 };
	uint32_t i;

	if (!c)
		return chess_set_error(ENOMEM, "no memory for %u prefixes of a run", n);
	put(c, &t, sizeof(t));
	put_pair(c, n, 0);
	put_weight(c, fork, n);
	for (i = 0; i < n; i++)
		put_fork(c, &fork[i], i ? &fork[i - 1] : &none);
	chess_trunk_get(t);
	q->n += n;
	return 0;
}

/**
 * chess_queue_next() - advance to the next fork
 * @c: place in a queue in which there is one more
 */
void chess_queue_next(struct chess_queue_cursor *c)
{
	uint32_t unused;

	while (c->at == c->chunk->used) {
		c->chunk = c->chunk->next;
		c->at = 0;
	}
	if (!c->left) {
		get(c, &c->trunk, sizeof(c->trunk));
		get_pair(c, &c->left, &unused);
		c->fork = (struct fork){ 0 };
		get_weight(c);
	}
	get_fork(c);
	c->left--;
}

/**
 * chess_queue_take() - the fork that has waited longest
 * @q: the queue, which is not empty
 * @t: becomes its run, with a reference
 * @fork: becomes it
 */
void chess_queue_take(struct chess_queue *q, struct chess_trunk **t, struct fork *fork)
{
	struct chess_chunk *done;

	chess_queue_next(&q->read);
	while (q->first != q->read.chunk) {
		done = q->first;
		q->first = done->next;
		free(done);
	}
	*fork = q->read.fork;
	/* The last fork of a run takes over the queue's reference. */
	*t = q->read.left ? chess_trunk_get(q->read.trunk) : q->read.trunk;
	q->n--;
	if (!q->n)
		chess_queue_clear(q);
}

/**
 * chess_queue_clear() - make the queue empty
 * @q: all zero afterwards
 */
void chess_queue_clear(struct chess_queue *q)
{
	struct chess_chunk *c;

	for (; q->n; q->n--) {
		chess_queue_next(&q->read);
		if (!q->read.left)
			chess_trunk_put(q->read.trunk);
	}
	while ((c = q->first)) {
		q->first = c->next;
		free(c);
	}
	memset(q, 0, sizeof(*q));
}
