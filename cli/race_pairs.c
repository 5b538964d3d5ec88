// SPDX-License-Identifier: GPL-2.0-only
/*
 * See race_pairs.h. A race is known by its two instructions, in either order: tasks,
 * addresses and what came in between are another matter in each schedule.
 */
#include <stdlib.h>

#include "race_pairs.h"
#include "races.h"

static bool same_pair(const struct chess_trace_race *a, const struct chess_trace_race *b)
{
	return (a->first.ip == b->first.ip && a->second.ip == b->second.ip) ||
	       (a->first.ip == b->second.ip && a->second.ip == b->first.ip);
}

static bool has(const struct chess_trace_race *v, size_t n, const struct chess_trace_race *race)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (same_pair(&v[i], race))
			return true;
	return false;
}

struct chess_trace_race *race_pairs_of(const struct chess_run_result *run,
				       const struct chess_trace *t, size_t *n)
{
	size_t all, i;
	struct chess_trace_race *v = races_of_run(run, &all);

	*n = 0;
	for (i = 0; i < all; i++)
		if (has(t->races, t->n_races, &v[i]))
			v[(*n)++] = v[i];
	for (i = 0; i < t->n_races; i++)
		if (!has(v, *n, &t->races[i]))
			break;
	if (i == t->n_races)
		return v;
	free(v);
	*n = 0;
	return NULL;
}
