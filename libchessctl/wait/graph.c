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

/**
 * struct edges - which edges count
 * @how: those that are at least so sure
 * @ends: waits for the end of a task are among them
 */
struct edges {
	enum chess_hold how;
	bool ends;
};

static bool has_edge(const struct chess_wait *waits, size_t from, size_t to,
		     const struct edges *which)
{
	const struct chess_holder *h = chess_wait_holder(&waits[from], waits[to].task);

	return h && h->how <= which->how && (which->ends || h->how != CHESS_HOLD_IS);
}

/* The shortest way from @start back to it, breadth first. Return: its length or 0. */
static size_t way_back(const struct chess_wait *waits, size_t n, size_t start,
		       const struct edges *which, size_t *before, size_t *queue)
{
	size_t head = 0, tail = 0, i, length;

	for (i = 0; i < n; i++)
		before[i] = NONE;
	queue[tail++] = start;
	while (head < tail) {
		size_t at = queue[head++];

		if (has_edge(waits, at, start, which)) {
			for (length = 1; at != start; at = before[at])
				queue[n - length++] = at;
			queue[n - length] = start;
			return length;
		}
		for (i = 0; i < n; i++)
			if (i != start && before[i] == NONE && has_edge(waits, at, i, which)) {
				before[i] = at;
				queue[tail++] = i;
			}
	}
	return 0;
}

/* The shortest cycle by these edges goes to @cycle. Return: its length or 0. */
static size_t find_cycle(const struct chess_wait *waits, size_t n, const struct edges *which,
			 size_t *before, size_t *queue, size_t *cycle)
{
	size_t start, length, best = 0;

	for (start = 0; start < n; start++) {
		length = way_back(waits, n, start, which, before, queue);
		if (!length || (best && length >= best))
			continue;
		best = length;
		memcpy(cycle, queue + n - length, length * sizeof(*cycle));
	}
	return best;
}

/*
 * Who joins a task that is stuck is stuck with it, and a cycle through that join explains
 * nothing where there is one as sure without: the join is shown, where the others stand.
 */
size_t chess_waits_cycle(const struct chess_wait *waits, size_t n, size_t *cycle)
{
	/* way_back() leaves its result at the end of the queue, which it is done with. */
	size_t *before = calloc(n ? n : 1, 2 * sizeof(*before)), *queue = before + n;
	struct edges which;
	size_t best = 0;

	if (!before)
		return 0;
	for (which.how = CHESS_HOLD_HAS; which.how <= CHESS_HOLD_MAY && !best; which.how++) {
		which.ends = false;
		best = find_cycle(waits, n, &which, before, queue, cycle);
		which.ends = true;
		if (!best)
			best = find_cycle(waits, n, &which, before, queue, cycle);
	}
	free(before);
	return best;
}
