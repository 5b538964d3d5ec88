// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See fresh.h.
 *
 * The estimate is Knuth's (Estimating the Efficiency of Backtrack Programs, Mathematics
 * of Computation 29, 1975) for bounded trees. A run is a probe: it assumes that each subtree
 * beside its way is as large as the rest of the run with the budget that is left.
 * These sizes determine the run's share of the weight of the tree, and the share of each
 * fork; the weight of the whole tree is one. The estimate is the number of runs divided by
 * their weight (as in the weighted backtrack estimator of Kilby, Slaney, Thiebaux and
 * Walsh, AAAI'06), so it is exact at the end, when the weight of all runs is one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "search/fresh.h"
#include "internal.h"

/* Distinguishing budgets beyond this does not improve the estimate. */
#define BUDGETS	64

static int list_push(struct chess_fresh_list *b, const struct fork *fork)
{
	if (chess_array_room(&b->fork, &b->room, b->n + 1, sizeof(*b->fork)))
		return chess_set_error(ENOMEM, "no memory for more than %u prefixes of a run",
				       b->n);
	b->fork[b->n++] = *fork;
	return 0;
}

/* Room for forks that cost @cost more. */
static int reach_cost(struct chess_fresh *f, unsigned int cost)
{
	unsigned int n = cost + 1;

	if (n <= f->costs)
		return 0;
	if (chess_array_extend(&f->list, f->costs, n, sizeof(*f->list)))
		return chess_set_error(ENOMEM, "no memory for %u lists of prefixes", n);
	f->costs = n;
	return 0;
}

int chess_fresh_push(struct chess_fresh *f, unsigned int cost, const struct fork *fork)
{
	int ret = reach_cost(f, cost);

	return ret ? ret : list_push(&f->list[cost], fork);
}

void chess_fresh_drop(struct chess_fresh *f)
{
	unsigned int cost;

	for (cost = 0; cost < f->costs; cost++)
		f->list[cost].n = 0;
}

void chess_fresh_clear(struct chess_fresh *f)
{
	unsigned int cost;

	for (cost = 0; cost < f->costs; cost++)
		free(f->list[cost].fork);
	free(f->list);
}

/* Number of the last decision before @end that has a fresh fork; -1: none has. */
static int64_t last_fork(const struct chess_fresh *f, const size_t *end, unsigned int n)
{
	int64_t at = -1;
	unsigned int cost;

	for (cost = 0; cost < n; cost++)
		if (end[cost] && f->list[cost].fork[end[cost] - 1].at > at)
			at = f->list[cost].fork[end[cost] - 1].at;
	return at;
}

/*
 * Give the fresh forks their sizes. Backwards: size[b] is how many schedules the rest of the
 * run represents with budget b: the run's own way, and beside it each fork as if the same
 * followed with the budget that is left. Return: size of the subtree.
 */
static double set_sizes(struct chess_fresh *f, unsigned int n, unsigned int left)
{
	unsigned int cost;
	double size[BUDGETS], more;
	size_t end[BUDGETS], ways[BUDGETS];
	int64_t at;
	int b;

	left = left < BUDGETS ? left : BUDGETS - 1;
	for (cost = 0; cost < n; cost++)
		end[cost] = f->list[cost].n;
	for (b = 0; b <= (int)left; b++)
		size[b] = 1;
	while ((at = last_fork(f, end, n)) >= 0) {
		for (cost = 0; cost < n; cost++) {
			struct fork *fork = f->list[cost].fork;

			ways[cost] = end[cost];
			while (end[cost] && fork[end[cost] - 1].at == at)
				fork[--end[cost]].weight = size[left - cost];
			ways[cost] -= end[cost];
		}
		for (b = left; b >= 0; b--) {
			for (more = 0, cost = 0; cost < n && (int)cost <= b; cost++)
				more += ways[cost] * size[b - cost];
			size[b] += more;
		}
	}
	return size[left];
}

/*
 * Share the weight of the subtree that the run begins. Return: that of its leaf, which
 * has size one; zero where the tree is so large that no number would help.
 */
double chess_fresh_share(struct chess_fresh *f, unsigned int left, double weight)
{
	unsigned int n = left < BUDGETS ? left + 1 : BUDGETS;
	double size = set_sizes(f, f->costs < n ? f->costs : n, left);
	double leaf = size < CHESS_ESTIMATE_MAX ? weight / size : 0;
	unsigned int cost;
	size_t i;

	for (cost = 0; cost < f->costs; cost++)
		for (i = 0; i < f->list[cost].n; i++)
			f->list[cost].fork[i].weight = leaf > 0 ?
				f->list[cost].fork[i].weight * leaf : 0;
	return leaf;
}
