// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which pieces of a heap races are on: the last one that was handed out before the later
 * access counts. What was mapped after that is no piece any more. A process that was forked
 * has the pieces of its parent.
 */
#include "race/race.h"

static bool covers(const struct chess_access *a, const struct chess_race *race)
{
	return race->address - a->address < a->size;
}

/* False: nothing before it is of interest. */
static bool take(const struct chess_access *a, uint32_t number, struct chess_race *race)
{
	if (a->kind & CHESS_ACCESS_ALLOCATED)
		race->allocated = number;
	else if (a->ip && !race->freed)
		race->freed = number;
	return !race->allocated && a->ip;
}

static void before_copy(const struct chess_step *s, struct chess_race *v, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		if (v[k].space == s->space)
			v[k].space = s->object;
}

/* Return: how many races that is the answer for. */
static size_t take_all(const struct chess_step *s, const struct chess_access *a,
		       struct chess_race *v, size_t n)
{
	size_t k, done = 0;

	if (!(a->kind & (CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED)))
		return 0;
	for (k = 0; k < n; k++) {
		if (!v[k].is_open || s->object >= v[k].second || s->space != v[k].space ||
		    !covers(a, &v[k]))
			continue;
		v[k].is_open = take(a, s->object + 1, &v[k]);
		done += !v[k].is_open;
	}
	return done;
}

/* All races in one pass from the end. */
void chess_races_find_pieces(const struct chess_steps *steps, const struct chess_access *a,
			     struct chess_race *v, size_t n)
{
	size_t i, k, left = n;

	for (k = 0; k < n; k++)
		v[k].is_open = true;
	for (i = steps->n; i-- && left;) {
		const struct chess_step *s = &steps->v[i];

		if (s->kind == CHESS_STEP_COPY)
			before_copy(s, v, n);
		else if (s->kind == CHESS_STEP_ACCESS)
			left -= take_all(s, &a[s->object], v, n);
	}
}
