// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See retired.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "race/access_list.h"
#include "race/retired.h"

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static bool has(const struct chess_retired *r, uint32_t site)
{
	return r->n && bsearch(&site, r->site, r->n, sizeof(site), by_number);
}

/* Each once. */
static void sort(struct chess_retired *r)
{
	size_t i, n = 0;

	qsort(r->site, r->told, sizeof(*r->site), by_number);
	for (i = 0; i < r->told; i++)
		if (!n || r->site[n - 1] != r->site[i])
			r->site[n++] = r->site[i];
	r->n = n;
}

/* The end of @site, or where the run is left off already. */
static size_t end_of(const struct chess_run_result *run, uint32_t site, size_t whole)
{
	size_t i;

	for (i = 0; i < whole; i++)
		if (chess_access_tells(&run->accesses[i], CHESS_TOLD_RETIRED) &&
		    run->accesses[i].site == site)
			return i;
	return whole;
}

int chess_retired_find(const struct chess_run_result *run,
		       bool (*orders)(void *arg, const struct chess_access *a), void *arg,
		       struct chess_retired *out)
{
	uint32_t seen = 0;
	size_t i;

	*out = (struct chess_retired) { .whole = run->n_accesses };
	for (i = 0; i < run->n_accesses; i++)
		out->told += chess_access_tells(&run->accesses[i], CHESS_TOLD_RETIRED);
	if (!out->told)
		return 0;
	out->site = malloc(out->told * sizeof(*out->site));
	if (!out->site)
		return chess_set_error(ENOMEM, "no memory for the accesses of a run");
	for (i = 0, out->told = 0; i < run->n_accesses; i++)
		if (chess_access_tells(&run->accesses[i], CHESS_TOLD_RETIRED))
			out->site[out->told++] = run->accesses[i].site;
	sort(out);
	for (i = 0; i < run->n_accesses; i++) {
		const struct chess_access *a = &run->accesses[i];

		if (a->kind & CHESS_ACCESS_TOLD || a->site == seen || !has(out, a->site) ||
		    !orders(arg, a))
			continue;
		seen = a->site;
		out->whole = end_of(run, a->site, out->whole);
	}
	return 0;
}
