// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See streams.h. run_races.c calls it, and takes what races in the result for points: a fork may
 * come between another thread's fputs() and its fflush(), and the process may end before its
 * fputs(). fork(), exit() and fflush() take the locks of streams, so none of these is a race.
 *
 * Nobody sees exit() flush, as its code is not examined: it has happened when the process ends.
 * A process that ends by _exit() flushes nothing, which makes no difference to the points.
 */
#include <stdlib.h>
#include <sys/syscall.h>

#include "internal.h"
#include "race/access_list.h"
#include "race/streams.h"

/* Distinct streams: so many at most. */
#define STREAMS_MAX	256

static bool takes_lock(uint8_t kind, const struct chess_access *a)
{
	const uint8_t locked = CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC;

	return a->size == 1 && (kind & locked) == locked && !(kind & CHESS_ACCESS_ORDERS);
}

/* Addresses of shared memory count from where that begins. */
static bool is_null(const struct chess_access *a)
{
	return !a->address && !(a->kind & CHESS_ACCESS_SHARED);
}

static bool is_stream(uint8_t kind, const struct chess_access *a)
{
	return takes_lock(kind, a) && !is_null(a);
}

static bool has(const struct chess_access_list *streams, const struct chess_access *a)
{
	size_t i;

	for (i = 0; i < streams->n; i++)
		if (streams->v[i].address == a->address)
			return true;
	return false;
}

/* fflush(NULL) */
static bool flushes_all(const struct chess_access *a)
{
	return takes_lock(a->kind, a) && is_null(a);
}

/* What of @run is looked at, one after the other. */
struct look {
	const struct chess_run_result *run;
	uint8_t (*kind)(void *arg, const struct chess_access *a);
	void *arg;
	struct chess_access_list streams, all;
	uint16_t user;		/* a task that uses streams */
	bool several;		/* others do, too */
	bool read;		/* @all has reads of them */
	size_t event;		/* the next one that may end a process */
};

static int add_stream(struct look *l, const struct chess_access *a, uint64_t *dropped)
{
	l->several |= l->streams.n && l->user != a->task;
	l->user = a->task;
	if (has(&l->streams, a))
		return 0;
	if (l->streams.n == STREAMS_MAX) {
		++*dropped;
		return 0;
	}
	return chess_access_list_push(&l->streams, *a);
}

/* All streams are read by a task: @like has which one, and where. */
static int add_reads(struct look *l, const struct chess_access *like)
{
	int ret = 0;
	size_t i;

	if (!l->several && l->user == like->task)
		return 0;
	l->read = true;
	for (i = 0; i < l->streams.n && !ret; i++) {
		struct chess_access a = l->streams.v[i];

		a.ip = like->ip;
		a.seq = like->seq;
		a.task = like->task;
		a.site = like->site;
		a.kind = CHESS_ACCESS_READ | (a.kind & CHESS_ACCESS_SHARED);
		ret = chess_access_list_push(&l->all, a);
	}
	return ret;
}

static bool ends_process(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && e->op == CHESS_OP_EXIT &&
	       !(e->flags & CHESS_OPF_PROBE) && e->nr == SYS_exit_group;
}

/* Those of the events up to number @seq, which are before what @seq is of. */
static int add_ends(struct look *l, uint64_t seq)
{
	const struct chess_record *r = l->run->record;
	int ret = 0;

	for (; l->event < chess_record_length(r) && !ret; l->event++) {
		const struct chess_event *e = chess_record_event(r, l->event);

		if (e->seq > seq)
			break;
		if (ends_process(e))
			ret = add_reads(l, &(struct chess_access) {
				.seq = e->seq - 1, .task = e->task,
			});
	}
	return ret;
}

static int add_access(struct look *l, const struct chess_access *at)
{
	struct chess_access a = *at;
	uint8_t as = l->kind(l->arg, &a);
	int ret = add_ends(l, a.seq);

	if (!ret && chess_access_tells(&a, CHESS_TOLD_COPIED))
		ret = add_reads(l, &(struct chess_access) {
			.seq = a.seq, .task = a.task,
		});
	if (!ret && flushes_all(&a))
		return add_reads(l, &a);
	if (!ret && (is_stream(as, &a) || chess_access_goes_with_each(as))) {
		if (is_stream(as, &a))
			a.kind = CHESS_ACCESS_WRITE | (as & CHESS_ACCESS_SHARED);
		else
			a.kind = as;
		ret = chess_access_list_push(&l->all, a);
	}
	return ret;
}

int chess_streams_find(const struct chess_run_result *run,
		       uint8_t (*kind)(void *arg, const struct chess_access *a), void *arg,
		       struct chess_access **out, size_t *n, uint64_t *dropped)
{
	struct look l = { .run = run, .kind = kind, .arg = arg };
	int ret = 0;
	size_t i;

	*out = NULL;
	*n = 0;
	*dropped = 0;
	for (i = 0; i < run->n_accesses && !ret; i++)
		if (is_stream(kind(arg, &run->accesses[i]), &run->accesses[i]))
			ret = add_stream(&l, &run->accesses[i], dropped);
	for (i = 0; i < run->n_accesses && l.streams.n && !ret; i++)
		ret = add_access(&l, &run->accesses[i]);
	if (!ret && l.streams.n)
		ret = add_ends(&l, UINT64_MAX);
	free(l.streams.v);
	if (ret || !l.read) {
		*dropped = 0;
		free(l.all.v);
		return ret;
	}
	*out = l.all.v;
	*n = l.all.n;
	return 0;
}
