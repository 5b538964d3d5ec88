// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The wait-for graph: an edge from each blocked task to each task that could end its
 * wait. In a deadlock there is a cycle in it, or a wait that nobody at all can end.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define NONE	((size_t)-1)

const struct chess_wait *chess_wait_of(const struct chess_wait *waits, size_t n, uint32_t task)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (waits[i].task == task)
			return &waits[i];
	return NULL;
}

const struct chess_holder *chess_wait_holder(const struct chess_wait *w, uint32_t task)
{
	size_t i;

	for (i = 0; i < w->n_holders; i++)
		if (w->holders[i].task == task && w->holders[i].how != CHESS_HOLD_LOST &&
		    w->holders[i].how != CHESS_HOLD_GONE)
			return &w->holders[i];
	return NULL;
}

static bool has_edge(const struct chess_wait *waits, size_t from, size_t to, enum chess_hold how)
{
	const struct chess_holder *h = chess_wait_holder(&waits[from], waits[to].task);

	return h && h->how <= how;
}

/* The shortest way from @start back to it, breadth first. Return: its length or 0. */
static size_t way_back(const struct chess_wait *waits, size_t n, size_t start,
		       enum chess_hold how, size_t *before, size_t *queue)
{
	size_t head = 0, tail = 0, i, length;

	for (i = 0; i < n; i++)
		before[i] = NONE;
	queue[tail++] = start;
	while (head < tail) {
		size_t at = queue[head++];

		if (has_edge(waits, at, start, how)) {
			for (length = 1; at != start; at = before[at])
				queue[n - length++] = at;
			queue[n - length] = start;
			return length;
		}
		for (i = 0; i < n; i++)
			if (i != start && before[i] == NONE && has_edge(waits, at, i, how)) {
				before[i] = at;
				queue[tail++] = i;
			}
	}
	return 0;
}

size_t chess_waits_cycle(const struct chess_wait *waits, size_t n, size_t *cycle)
{
	/* way_back() leaves its result at the end of the queue, which it is done with. */
	size_t *before = calloc(n ? n : 1, 2 * sizeof(*before)), *queue = before + n;
	size_t start, length, best = 0;
	enum chess_hold how;

	if (!before)
		return 0;
	for (how = CHESS_HOLD_HAS; how <= CHESS_HOLD_MAY && !best; how++)
		for (start = 0; start < n; start++) {
			length = way_back(waits, n, start, how, before, queue);
			if (!length || (best && length >= best))
				continue;
			best = length;
			memcpy(cycle, queue + n - length, length * sizeof(*cycle));
		}
	free(before);
	return best;
}
