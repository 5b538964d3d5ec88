// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See grow.h. What was asked for is always done to the end. A larger bound is given up in the
 * middle when the search is not short any more: which of its schedules were run then depends on
 * how many are run at a time, but no claim is made about them.
 */
#include "search/grow.h"

/* For each run that it may make, so many ways beyond are kept: more would not be run anyway. */
#define KEEP	16

struct chess_grow chess_grow_new(unsigned int asked, uint64_t runs)
{
	return (struct chess_grow){
		.asked = asked, .max = asked + (runs ? CHESS_GROW_LEVELS : 0), .runs = runs,
	};
}

/* Prefixes that wait in levels after what was asked for and after the current one. */
static uint64_t count_beyond(const struct chess_grow *g, const struct chess_worklist *w,
			     unsigned int level)
{
	uint64_t n = 0;
	unsigned int l;

	for (l = (level > g->asked ? level : g->asked) + 1; l <= g->max; l++)
		n += chess_worklist_count_at(w, l);
	return n;
}

/**
 * chess_grow_count() - prefixes that wait for what was asked for, or in the current level
 * @g: how far the search goes
 * @w: what waits
 * @level: the current one
 *
 * Return: how many.
 */
uint64_t chess_grow_count(const struct chess_grow *g, const struct chess_worklist *w,
			  unsigned int level)
{
	return chess_worklist_count(w) - count_beyond(g, w, level);
}

/**
 * chess_grow_up() - a level is done and no plan is out: go to the next one, if there is to be one
 * @g: how far the search goes
 * @w: what waits
 * @runs: so many were made
 * @level: the one that is done; becomes the next one, or else the last one that is done
 *
 * A lower level has prefixes again where forks that had been put aside came back.
 *
 * Return: whether there is one.
 */
bool chess_grow_up(struct chess_grow *g, struct chess_worklist *w, uint64_t runs,
		   unsigned int *level)
{
	unsigned int next;

	if (g->ended)
		return false;
	if (chess_worklist_lowest(w, &next)) {
		if (next <= g->asked || (next <= g->max && runs < g->runs)) {
			*level = next;
			return true;
		}
		*level = next - 1;
		g->cut = true;
		chess_worklist_drop(w, next);
	} else if (*level < g->max) {
		/* Where no deeper level has a schedule, all bounds are done. */
		*level = g->max;
	}
	g->over = true;
	return false;
}

/**
 * chess_grow_trim() - after a report: drop what will not be run
 * @g: how far the search goes
 * @w: what waits
 * @runs: so many were made
 * @level: the current one
 */
void chess_grow_trim(struct chess_grow *g, struct chess_worklist *w, uint64_t runs,
		     unsigned int level)
{
	if (level > g->asked) {
		/* One that is just done is not given up. */
		if (runs >= g->runs && chess_grow_count(g, w, level))
			g->ended = true;
		g->cut |= g->ended;
		if (g->ended)
			chess_worklist_drop(w, 0);
	} else if (g->max > g->asked &&
		   (runs >= g->runs || count_beyond(g, w, level) > KEEP * g->runs)) {
		g->max = g->asked;
		g->cut = true;
		chess_worklist_drop(w, g->max + 1);
	}
}
