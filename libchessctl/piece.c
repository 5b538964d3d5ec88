// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which pieces of a heap races are on: the last one that was handed out before the later
 * access counts. What was mapped after that is no piece any more.
 */
#include "race.h"

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

/* @steps of the run, @a its accesses. All races in one pass from the end. */
void chess_races_find_pieces(const struct chess_steps *steps, const struct chess_access *a,
			     struct chess_race *v, size_t n)
{
	size_t i, k, left = n;

	for (k = 0; k < n; k++)
		v[k].is_open = true;
	for (i = steps->n; i-- && left;) {
		const struct chess_step *s = &steps->v[i];

		if (s->kind != CHESS_STEP_ACCESS ||
		    !(a[s->object].kind & (CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED)))
			continue;
		for (k = 0; k < n; k++) {
			if (!v[k].is_open || s->object >= v[k].second || s->space != v[k].space ||
			    !covers(&a[s->object], &v[k]))
				continue;
			v[k].is_open = take(&a[s->object], s->object + 1, &v[k]);
			left -= !v[k].is_open;
		}
	}
}
