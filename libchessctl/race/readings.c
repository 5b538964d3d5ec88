// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See readings.h. run_races.c calls it, and takes what races in the result for points: which of
 * two tasks reads a clock first decides which of them finds the later time there.
 */
#include <stdlib.h>

#include "code/memcalls.h"
#include "internal.h"
#include "race/access_list.h"
#include "race/readings.h"

/*
 * Of one task at one instruction. More are a loop that waits until some time has come: with each
 * turn of it a point there would be no end of schedules, all alike.
 */
#define READINGS_MAX	16

/* How often a task reads clocks at one site. */
struct reader {
	uint32_t site;
	uint16_t task;
	size_t n;
};

struct readers {
	struct reader *v;
	size_t n, room;
};

bool chess_is_reading(const struct chess_access *a)
{
	return a->address == CHESS_ADDRESS_CLOCK && chess_access_is_perhaps(a);
}

static int count(struct readers *r, const struct chess_access *a)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->v[i].site == a->site && r->v[i].task == a->task)
			break;
	if (i == r->n) {
		if (chess_array_room(&r->v, &r->room, r->n + 1, sizeof(*r->v)))
			return chess_set_error(ENOMEM, "no memory for readings of clocks");
		r->v[r->n++] = (struct reader) { .site = a->site, .task = a->task };
	}
	r->v[i].n++;
	return 0;
}

static bool has_several(const struct readers *r)
{
	size_t i;

	for (i = 1; i < r->n; i++)
		if (r->v[i].task != r->v[0].task)
			return true;
	return false;
}

static bool is_loop(const struct readers *r, uint32_t site)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->v[i].site == site && r->v[i].n > READINGS_MAX)
			return true;
	return false;
}

int chess_readings_find(const struct chess_run_result *run,
			uint8_t (*kind)(void *arg, const struct chess_access *a), void *arg,
			struct chess_access **out, size_t *n, bool *left)
{
	struct chess_access_list all = { 0 };
	struct readers readers = { 0 };
	size_t i;
	int ret = 0;

	*out = NULL;
	*n = 0;
	*left = false;
	for (i = 0; i < run->n_accesses && !ret; i++)
		if (chess_is_reading(&run->accesses[i]))
			ret = count(&readers, &run->accesses[i]);
	for (i = 0; i < run->n_accesses && has_several(&readers) && !ret; i++) {
		struct chess_access a = run->accesses[i];

		if (!chess_is_reading(&a)) {
			a.kind = kind(arg, &run->accesses[i]);
			if (chess_access_goes_with_each(a.kind))
				ret = chess_access_list_push(&all, a);
		} else if (is_loop(&readers, a.site)) {
			*left = true;
		} else {
			a.kind = CHESS_ACCESS_WRITE | CHESS_ACCESS_SHARED;
			ret = chess_access_list_push(&all, a);
		}
	}
	free(readers.v);
	if (ret) {
		free(all.v);
		return ret;
	}
	*out = all.v;
	*n = all.n;
	return 0;
}
