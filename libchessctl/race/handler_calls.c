// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See handler_calls.h. For this the heap of each task, or a stream, is one variable of that task,
 * which every call writes: where a handler's write and one of the task that it interrupts are in no
 * order, the handler may run in the middle of the task's call. Other tasks' calls do not matter, as
 * heaps and streams have locks.
 *
 * A task often learns by a plain variable that its handler has run, and calls the heap only then.
 * So all of a handler comes before what its task does after it has read what the handler wrote, as
 * if the variable were atomic. The reverse does not hold: a handler that reads what its task wrote
 * may still interrupt what the task does next.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "race/access_list.h"
#include "race/freed.h"
#include "race/handler_calls.h"
#include "race/race.h"

/* No program's: the first address after them. The detector takes 48 bits. */
#define VARIABLE_OF(task)	(1ULL << 47 | (uint64_t)(task) * sizeof(uint64_t))

#define ATOMIC_UPDATE	(CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC)

/* Those of the heap, where @stream is zero, else those of a stream. */
struct calls {
	uint64_t stream;
	uint64_t (*stream_of)(void *arg, const struct chess_access *a);
	void *arg;
};

/* Of each task, how many handlers it is in. */
struct depths {
	unsigned int *v;
	size_t n;
};

static bool ends_handler(const struct chess_access *a)
{
	return chess_access_tells(a, CHESS_TOLD_RETURNED) ||
	       chess_access_tells(a, CHESS_TOLD_JUMPED);
}

/* Goes on from before @a to after it. */
static void count_handlers(struct depths *d, const struct chess_access *a)
{
	if (a->task >= d->n)
		return;
	if (chess_access_tells(a, CHESS_TOLD_HANDLER))
		d->v[a->task]++;
	else if (ends_handler(a) && d->v[a->task])
		d->v[a->task]--;
}

static bool is_in_handler(const struct depths *d, const struct chess_access *a)
{
	return a->task < d->n && d->v[a->task];
}

static bool is_heap_call(const struct chess_access *a)
{
	return !(a->kind & CHESS_ACCESS_TOLD) && a->ip && !chess_is_unmap(a) &&
	       a->kind & (CHESS_ACCESS_ALLOCATED | CHESS_ACCESS_FRESH);
}

static bool is_call(const struct calls *c, const struct chess_access *a)
{
	if (!c->stream)
		return is_heap_call(a);
	return !(a->kind & CHESS_ACCESS_TOLD) && c->stream_of(c->arg, a) == c->stream;
}

static bool any_in_handler(const struct calls *c, const struct chess_access *a, size_t n,
			   struct depths *d)
{
	bool any = false;
	size_t i;

	for (i = 0; i < n && !any; i++) {
		count_handlers(d, &a[i]);
		any = is_in_handler(d, &a[i]) && is_call(c, &a[i]);
	}
	memset(d->v, 0, d->n * sizeof(*d->v));
	return any;
}

static bool is_plain(const struct chess_access *a, uint8_t kind)
{
	return a->kind & kind && !(a->kind & (CHESS_ACCESS_TOLD | CHESS_ACCESS_ATOMIC |
					      CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED));
}

static struct chess_access as_atomic(const struct chess_access *a, uint8_t kind)
{
	struct chess_access as = *a;

	as.kind = kind | CHESS_ACCESS_ATOMIC | (a->kind & CHESS_ACCESS_SHARED);
	return as;
}

/* Its site is the number of the call in the run, and its memory whether a handler made it. */
static struct chess_access as_variable(const struct chess_access *a, size_t number, bool in_handler)
{
	return (struct chess_access) {
		.kind = CHESS_ACCESS_WRITE,
		.address = VARIABLE_OF(a->task), .size = sizeof(uint64_t), .ip = a->ip,
		.seq = a->seq, .task = a->task, .site = number, .memory = in_handler,
	};
}

/*
 * At @end its innermost handler ends: the task goes on, so only now can it read what was written
 * there.
 */
static int let_read(struct chess_access_list *l, const struct chess_access *a, size_t end)
{
	unsigned int inner = 0;
	size_t i;
	int ret = 0;

	for (i = end; i-- && !ret;) {
		if (a[i].task != a[end].task)
			continue;
		if (chess_access_tells(&a[i], CHESS_TOLD_HANDLER) && !inner--)
			break;
		inner += ends_handler(&a[i]);
		if (is_plain(&a[i], CHESS_ACCESS_WRITE)) {
			struct chess_access as = as_atomic(&a[i], CHESS_ACCESS_WRITE);

			as.seq = a[end].seq;
			ret = chess_access_list_push(l, as);
		}
	}
	return ret;
}

static int add(const struct calls *c, struct chess_access_list *l, const struct chess_access *a,
	       size_t i, bool in_handler)
{
	int ret = 0;

	if (ends_handler(&a[i]) && in_handler)
		ret = let_read(l, a, i);
	if (ret)
		return ret;
	if (is_call(c, &a[i]))
		return chess_access_list_push(l, as_variable(&a[i], i, in_handler));
	/* That a stream is locked for the time of a call keeps no handler out. */
	if (c->stream_of && c->stream_of(c->arg, &a[i]))
		return 0;
	/* Without either of the two it is an access that the kernel may make (MAY_READ). */
	if (a[i].kind & CHESS_ACCESS_TOLD || (a[i].kind & ATOMIC_UPDATE) == ATOMIC_UPDATE)
		return chess_access_list_push(l, a[i]);
	if (is_plain(&a[i], CHESS_ACCESS_READ) && !in_handler)
		return chess_access_list_push(l, as_atomic(&a[i], CHESS_ACCESS_READ));
	return 0;
}

static struct chess_access told(const struct chess_access *call)
{
	struct chess_access copy = *call;

	/* realloc() is a free() here. */
	if (copy.kind & CHESS_ACCESS_FRESH)
		copy.kind = CHESS_ACCESS_FRESH;
	copy.site = 0;
	return copy;
}

static void fill_in(const struct chess_access *a, const struct chess_access *first,
		    const struct chess_access *second, struct chess_trace_race *out)
{
	*out = (struct chess_trace_race) {
		.first = told(&a[first->site]), .second = told(&a[second->site]),
		.address = a[second->site].address, .size = a[second->site].size,
		.number = { first->site + 1, second->site + 1 },
		.in_handler = !second->memory ? CHESS_IN_HANDLER_FIRST :
			      first->memory ? CHESS_IN_HANDLER_BOTH : CHESS_IN_HANDLER_SECOND,
	};
}

static int find(const struct chess_record *r, const struct chess_access *a,
		const struct chess_access_list *l, struct chess_trace_race *out)
{
	const struct chess_race_opts opts = { .no_frees = true };
	struct chess_races races;
	size_t i;
	int ret = chess_races_find(r, l->v, l->n, &opts, &races);

	for (i = 0; !ret && i < races.n; i++) {
		const struct chess_access *first = &l->v[races.v[i].first];

		if (first->address != VARIABLE_OF(first->task))
			continue;
		fill_in(a, first, &l->v[races.v[i].second], out);
		ret = 1;
	}
	free(races.v);
	return ret;
}

static int look(const struct calls *c, const struct chess_record *r, const struct chess_access *a,
		size_t n, struct depths *d, struct chess_trace_race *out)
{
	struct chess_access_list l = { 0 };
	size_t i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		ret = add(c, &l, a, i, is_in_handler(d, &a[i]));
		count_handlers(d, &a[i]);
	}
	if (!ret)
		ret = find(r, a, &l, out);
	free(l.v);
	return ret;
}

static int search(const struct calls *c, const struct chess_record *r,
		  const struct chess_access *a, size_t n, struct chess_trace_race *out)
{
	struct depths d = { .n = chess_record_tasks(r) };
	int ret = 0;

	d.v = calloc(d.n + 1, sizeof(*d.v));
	if (!d.v)
		return chess_set_error(ENOMEM, "no memory for the handlers of %zu tasks", d.n);
	if (any_in_handler(c, a, n, &d))
		ret = look(c, r, a, n, &d, out);
	free(d.v);
	return ret;
}

int chess_handler_heap_find(const struct chess_record *r, const struct chess_access *a, size_t n,
			    struct chess_trace_race *out)
{
	const struct calls heap = { 0 };

	return search(&heap, r, a, n, out);
}

/* Of how many streams that handlers use this asks, each of which takes a pass. */
#define STREAMS_MAX	8

int chess_handler_streams_find(const struct chess_record *r, const struct chess_access *a, size_t n,
			       uint64_t (*stream_of)(void *arg, const struct chess_access *a),
			       void *arg)
{
	struct calls c = { .stream_of = stream_of, .arg = arg };
	struct depths d = { .n = chess_record_tasks(r) };
	struct chess_trace_race race;
	uint64_t seen[STREAMS_MAX];
	size_t i, k, n_seen = 0;
	int ret = 0;

	d.v = calloc(d.n + 1, sizeof(*d.v));
	if (!d.v)
		return chess_set_error(ENOMEM, "no memory for the handlers of %zu tasks", d.n);
	for (i = 0; i < n && !ret && n_seen < STREAMS_MAX; i++) {
		count_handlers(&d, &a[i]);
		if (a[i].kind & CHESS_ACCESS_TOLD || !is_in_handler(&d, &a[i]))
			continue;
		c.stream = stream_of(arg, &a[i]);
		for (k = 0; k < n_seen && seen[k] != c.stream; k++)
			;
		if (!c.stream || k < n_seen)
			continue;
		seen[n_seen++] = c.stream;
		ret = search(&c, r, a, n, &race);
	}
	free(d.v);
	return ret;
}
