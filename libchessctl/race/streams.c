// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See streams.h. run_races.c calls it, and takes what races in the result for points: a fork may
 * come between another thread's fputs() and its fflush(). fork() takes the locks of streams, so
 * neither is a race.
 */
#include <stdlib.h>

#include "internal.h"
#include "race/access_list.h"
#include "race/streams.h"

/* Distinct streams: so many at most. */
#define STREAMS_MAX	256

static bool is_stream(uint8_t kind, const struct chess_access *a)
{
	const uint8_t locked = CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC;

	return a->size == 1 && (kind & locked) == locked && !(kind & CHESS_ACCESS_ORDERS);
}

static bool has(const struct chess_access_list *streams, const struct chess_access *a)
{
	size_t i;

	for (i = 0; i < streams->n; i++)
		if (streams->v[i].address == a->address)
			return true;
	return false;
}

static int add_stream(struct chess_access_list *streams, const struct chess_access *a,
		      uint64_t *dropped)
{
	if (has(streams, a))
		return 0;
	if (streams->n == STREAMS_MAX) {
		++*dropped;
		return 0;
	}
	return chess_access_list_push(streams, *a);
}

/* @fork: the entry that says so; what it copies is read before. */
static int add_reads(struct chess_access_list *all, const struct chess_access_list *streams,
		     const struct chess_access *fork)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < streams->n && !ret; i++) {
		struct chess_access a = streams->v[i];

		a.ip = 0;
		a.seq = fork->seq;
		a.task = fork->task;
		a.site = 0;
		a.kind = CHESS_ACCESS_READ | (a.kind & CHESS_ACCESS_SHARED);
		ret = chess_access_list_push(all, a);
	}
	return ret;
}

int chess_streams_find(const struct chess_run_result *run,
		       uint8_t (*kind)(void *arg, const struct chess_access *a), void *arg,
		       struct chess_access **out, size_t *n, uint64_t *dropped)
{
	struct chess_access_list streams = { 0 }, all = { 0 };
	int ret = 0;
	size_t i;

	*out = NULL;
	*n = 0;
	*dropped = 0;
	if (!chess_accesses_tell(run, CHESS_TOLD_COPIED))
		return 0;
	for (i = 0; i < run->n_accesses && !ret; i++)
		if (is_stream(kind(arg, &run->accesses[i]), &run->accesses[i]))
			ret = add_stream(&streams, &run->accesses[i], dropped);
	for (i = 0; i < run->n_accesses && streams.n && !ret; i++) {
		struct chess_access a = run->accesses[i];
		uint8_t as = kind(arg, &a);

		if (chess_access_tells(&a, CHESS_TOLD_COPIED))
			ret = add_reads(&all, &streams, &a);
		if (!ret && (is_stream(as, &a) || chess_access_goes_with_each(as))) {
			a.kind = is_stream(as, &a) ?
				 CHESS_ACCESS_WRITE | (as & CHESS_ACCESS_SHARED) : as;
			ret = chess_access_list_push(&all, a);
		}
	}
	free(streams.v);
	if (ret) {
		free(all.v);
		return ret;
	}
	*out = all.v;
	*n = all.n;
	return 0;
}
