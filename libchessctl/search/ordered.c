// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See ordered.h. Vector clocks over the accesses of a run: an op on an object is a *race* for
 * the object when an earlier op on the same object is not ordered before it by other objects.
 * So is a task that blocked at the object, or stood at it when the run ended.
 *
 * Why preemptions at other objects need no run: docs/proofs.md. The argument moves an op
 * to before a preemption, so it holds where nothing but the order of dependent ops
 * matters. Where more matters (priorities of the fair scheduler, time, signals, other
 * processes, quanta), objects no longer count as ordered. Objects are identified by their
 * addresses: the runs that are compared have a common prefix, in which those are the same.
 */
#include <errno.h>
#include <stdlib.h>

#include "hashset.h"
#include "record/hb.h"
#include "internal.h"
#include "search/ordered.h"
#include "record/decision.h"

/**
 * struct chess_ordered - one search
 * @raced: addresses of the objects that were raced for
 * @all: all objects count as raced for
 */
struct chess_ordered {
	struct chess_hashset raced;
	bool all;
};

struct chess_ordered *chess_ordered_new(void)
{
	struct chess_ordered *o = calloc(1, sizeof(*o));

	if (!o)
		chess_set_error(ENOMEM, "no memory for the objects of a search");
	return o;
}

void chess_ordered_free(struct chess_ordered *o)
{
	if (o)
		chess_hashset_clear(&o->raced);
	free(o);
}

/* Is @e more than an op of one program's threads on an object? */
static bool is_beyond(const struct chess_event *e)
{
	switch (e->type) {
	case CHESS_EVENT_QUANTUM: case CHESS_EVENT_STALL: case CHESS_EVENT_RESUME:
	case CHESS_EVENT_TIMEOUT: case CHESS_EVENT_TIMER: case CHESS_EVENT_SIGNAL:
	case CHESS_EVENT_FAIR: case CHESS_EVENT_LEAVE: case CHESS_EVENT_DIVERGENCE:
	case CHESS_EVENT_EXPIRE: case CHESS_EVENT_WATCHDOG: case CHESS_EVENT_QUEUE:
	case CHESS_EVENT_SPURIOUS:
		return true;
	case CHESS_EVENT_POINT:
		return e->timed || (e->flags & CHESS_OPF_TIMER) ||
		       chess_event_may_fork(e) || e->op == CHESS_OP_EXEC ||
		       e->op == CHESS_OP_WAIT_CHILD || e->op == CHESS_OP_SIGNAL ||
		       e->op == CHESS_OP_SIGNAL_WAIT;
	default:
		return chess_event_decides(e) && (e->timed || (e->flags & CHESS_OPF_TIMER));
	}
}

static bool is_plain(const struct chess_record *r)
{
	size_t i, length = chess_record_length(r);

	/* The record says only of the first 64 tasks which wait with a deadline. */
	if (chess_record_tasks(r) > 64)
		return false;
	for (i = 0; i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		/* Without fairness a yield has to let others go first: another order counts. */
		if (is_beyond(e) || (!chess_record_fair(r) && chess_event_gives_way(e)))
			return false;
	}
	return true;
}

static int note(struct chess_ordered *o, uint64_t address, int *fresh)
{
	int ret = chess_hashset_add(&o->raced, address);

	*fresh |= ret > 0;
	return ret < 0 ? ret : 0;
}

static bool join(uint32_t *to, const uint32_t *from, size_t n)
{
	bool more = false;
	size_t i;

	for (i = 0; i < n; i++)
		if (from[i] > to[i]) {
			to[i] = from[i];
			more = true;
		}
	return more;
}

/*
 * Clocks of n tasks, and of the writes and reads of each object. Return: 0 or negative
 * errno.
 */
static int find_races(struct chess_ordered *o, const struct chess_hb_access *a, size_t length,
		      size_t n, size_t n_objects, int *fresh)
{
	uint32_t *clock = calloc((n + 2 * n_objects) * n + 1, sizeof(*clock));
	size_t i;
	int ret = 0;

	if (!clock)
		return chess_set_error(ENOMEM, "no memory for the clocks of %zu objects", n_objects);
	for (i = 0; i < length && !ret; i++, a++) {
		uint32_t *own = clock + a->task * n;
		uint32_t *writes = clock + (n + 2 * a->object) * n, *reads = writes + n;
		bool race = join(own, writes, n);

		if (a->write)
			race |= join(own, reads, n);
		own[a->task]++;
		join(a->write ? writes : reads, own, n);
		if (race && a->kind == CHESS_OBJECT_ADDRESS)
			ret = note(o, a->number, fresh);
	}
	free(clock);
	return ret;
}

/* Objects at which a task had to wait, or stood when the run ended. */
static int find_waits(struct chess_ordered *o, const struct chess_record *r, int *fresh)
{
	const struct chess_event *at[64] = { NULL };
	size_t i, tasks = chess_record_tasks(r), length = chess_record_length(r);
	int ret = 0;

	for (i = 0; i < length && !ret; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->task >= tasks || !chess_event_decides(e))
			continue;
		if (e->type == CHESS_EVENT_BLOCK && at[e->task]) {
			ret = note(o, at[e->task]->object, fresh);
			if (!ret && at[e->task]->arg)
				ret = note(o, at[e->task]->arg, fresh);
		}
		at[e->task] = e->type == CHESS_EVENT_POINT &&
			      e->object_kind == CHESS_OBJECT_ADDRESS ? e : NULL;
	}
	for (i = 0; i < tasks && !ret; i++)
		if (at[i])
			ret = note(o, at[i]->object, fresh);
	return ret;
}

int chess_ordered_learn(struct chess_ordered *o, const struct chess_record *r)
{
	struct chess_hb_access *a;
	size_t length, objects;
	int ret, fresh = 0;

	if (o->all)
		return 0;
	if (!is_plain(r)) {
		o->all = true;
		return 1;
	}
	ret = chess_hb_accesses(r, false, &a, &length, &objects);
	if (!ret)
		ret = find_races(o, a, length, chess_record_tasks(r), objects, &fresh);
	if (!ret)
		ret = find_waits(o, r, &fresh);
	free(a);
	return ret ? ret : fresh;
}

/*
 * Only ops on one object of the program's memory: what a call does to files and sockets
 * another call may notice under another name.
 */
static bool is_plain_op(const struct chess_event *e)
{
	switch (e->op) {
	case CHESS_OP_LOCK: case CHESS_OP_TRYLOCK: case CHESS_OP_UNLOCK:
	case CHESS_OP_RDLOCK: case CHESS_OP_WRLOCK:
	case CHESS_OP_SEM_WAIT: case CHESS_OP_SEM_POST:
	case CHESS_OP_COND_SIGNAL: case CHESS_OP_COND_BROADCAST:
	case CHESS_OP_READ: case CHESS_OP_WRITE: case CHESS_OP_CUSTOM:
		return e->object_kind == CHESS_OBJECT_ADDRESS && e->object;
	default:
		return false;
	}
}

bool chess_ordered_still(const struct chess_ordered *o, uint64_t object)
{
	return !o->all && !chess_hashset_has(&o->raced, object);
}

bool chess_ordered_has(const struct chess_ordered *o, const struct chess_event *e)
{
	return is_plain_op(e) && chess_ordered_still(o, e->object);
}
