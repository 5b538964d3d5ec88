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

/* Of @r->site; @r->n: it is none of these. */
static size_t index_of(const struct chess_retired *r, uint32_t site)
{
	const uint32_t *at = r->n ? bsearch(&site, r->site, r->n, sizeof(site), by_number) : NULL;

	return at ? (size_t)(at - r->site) : r->n;
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

/*
 * Up to where all are whole: the first end of a site that orders others. @end has room for the
 * first end of each site; a site that was found to order others needs no second look.
 */
static void find_whole(const struct chess_run_result *run,
		       bool (*orders)(void *arg, const struct chess_access *a), void *arg,
		       size_t *end, struct chess_retired *out)
{
	size_t i, k;

	for (i = run->n_accesses; i--; )
		if (chess_access_tells(&run->accesses[i], CHESS_TOLD_RETIRED))
			end[index_of(out, run->accesses[i].site)] = i;
	for (i = 0; i < run->n_accesses; i++) {
		const struct chess_access *a = &run->accesses[i];

		if (a->kind & CHESS_ACCESS_TOLD)
			continue;
		k = index_of(out, a->site);
		if (k == out->n || end[k] >= out->whole || !orders(arg, a))
			continue;
		out->whole = end[k];
	}
}

int chess_retired_find(const struct chess_run_result *run,
		       bool (*orders)(void *arg, const struct chess_access *a), void *arg,
		       struct chess_retired *out)
{
	size_t i, *end;

	*out = (struct chess_retired) { .whole = run->n_accesses };
	for (i = 0; i < run->n_accesses; i++)
		out->told += chess_access_tells(&run->accesses[i], CHESS_TOLD_RETIRED);
	if (!out->told)
		return 0;
	out->site = malloc(out->told * sizeof(*out->site));
	end = malloc(out->told * sizeof(*end));
	if (!out->site || !end) {
		free(end);
		free(out->site);
		out->site = NULL;
		return chess_set_error(ENOMEM, "no memory for the accesses of a run");
	}
	for (i = 0, out->told = 0; i < run->n_accesses; i++)
		if (chess_access_tells(&run->accesses[i], CHESS_TOLD_RETIRED))
			out->site[out->told++] = run->accesses[i].site;
	sort(out);
	find_whole(run, orders, arg, end, out);
	free(end);
	return 0;
}
