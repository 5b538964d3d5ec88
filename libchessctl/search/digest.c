// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The digest of what was done so far in a run (CHESS, OSDI'08, 4.4.2): the sum, over the steps of
 * all tasks, of a hash of the task, the number of the step in that task, and for each object of
 * its op the object's name and how often the object was written. So it is the same for all
 * orders that keep dependent ops in the same order. An object's name is the step that wrote
 * it first. An object that is read before it is written needs no name: which object that is
 * follows from what the reader did before. A step that depends on everything includes the
 * current digest in its hash, and all later steps include the hash of that step. Unlike in
 * chess_hb_digest(), steps that change nothing count, such as an attempt to take a lock that is
 * held: two prefixes with the same digest leave each task at the same place, and the same tasks
 * waiting for the same objects in the same order.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "mix.h"
#include "record/rows.h"
#include "search/reduce_internal.h"

/* A task has a lock for fewer events than this, or it is not known to have it. */
#define FORESIGHT	10000

/* What hashes of small numbers start from, chosen so that none of those hashes is zero. */
#define WAITER	0xd6e8feb86659fd93ULL
#define PLACE	0xe7037ed1a0b428dbULL

/* What a task waits for is not known. */
#define ANY_OBJECT	UINT32_MAX

/* All that happened so far comes before all that happens from now on, and waiters matter. */
void chess_reduce_order_all(struct chess_reduce *d, uint64_t what)
{
	d->digest = chess_mix(d->digest + d->waiting, what);
	d->all = d->digest;
}

/* The object at @i, which is new where @i is @known or more. */
static struct chess_reduce_object *object_at(struct chess_reduce *d, size_t i, size_t known)
{
	if (chess_array_room(&d->object, &d->object_room, d->depend.objects.n, sizeof(*d->object)))
		return NULL;
	if (i >= known)
		memset(&d->object[i], 0, sizeof(d->object[i]));
	return &d->object[i];
}

/* Both wait, or may wait, for the same object. */
static bool wait_together(const struct chess_reduce_waiter *a, const struct chess_reduce_waiter *b)
{
	return a->object == b->object || a->object == ANY_OBJECT || b->object == ANY_OBJECT;
}

/* The op that @task is at, or in, ends with a mutex in its hands. */
static bool takes_lock(const struct chess_reduce *d, size_t task)
{
	const struct chess_op *op = &d->task[task].op;

	return op->kind == CHESS_OP_ON_OBJECTS && (op->owns || op->waits) &&
	       op->lock < d->depend.objects.n;
}

/* The mutex that waiter @i ends with in its hands. */
static uint32_t lock_of(const struct chess_reduce *d, size_t i)
{
	return d->task[d->waiter[i].task].op.lock;
}

/*
 * The state of @lock's word, as far as it matters for those that wait: is there a note of them,
 * and which tasks will make one, as they have waited and try again?
 */
static uint64_t hash_word(const struct chess_reduce *d, uint32_t lock)
{
	uint64_t h = d->object[lock].noted;
	size_t i, tasks = chess_record_tasks(d->record);

	for (i = 0; i < tasks; i++)
		if (d->task[i].woken && takes_lock(d, i) && d->task[i].op.lock == lock)
			h += chess_mix(WAITER, i + 1);
	return h;
}

/**
 * chess_reduce_lacks_note() - do tasks wait for a mutex, and to give it back would wake none?
 * @d: the reductions
 * @lock: index of the mutex
 *
 * Return: whether it is so.
 */
bool chess_reduce_lacks_note(const struct chess_reduce *d, uint32_t lock)
{
	size_t i;

	for (i = 0; i < d->waiters && !d->object[lock].noted; i++)
		if (takes_lock(d, d->waiter[i].task) && lock_of(d, i) == lock)
			return true;
	return false;
}

/*
 * Which tasks wait, and in which order. There is no order between queues of different objects.
 */
static void hash_waiters(struct chess_reduce *d)
{
	uint64_t before;
	size_t i, k;

	d->waiting = 0;
	for (i = 0; i < d->waiters; i++) {
		for (before = 0, k = 0; k < i; k++)
			if (wait_together(&d->waiter[k], &d->waiter[i]))
				before += chess_mix(WAITER, d->waiter[k].task);
		if (takes_lock(d, d->waiter[i].task))
			before = chess_mix(before, hash_word(d, lock_of(d, i)));
		d->waiting += chess_mix(chess_mix(WAITER, d->waiter[i].task), before);
	}
}

/* Return: did @task wait? Then hash_waiters() is due. */
static bool remove_waiter(struct chess_reduce *d, uint16_t task)
{
	size_t i, n = 0, before = d->waiters;

	for (i = 0; i < before; i++)
		if (d->waiter[i].task != task)
			d->waiter[n++] = d->waiter[i];
	d->waiters = n;
	return n < before;
}

static void note(struct chess_reduce *d, uint32_t lock, bool noted)
{
	d->object[lock].noted = noted;
	if (d->waiters)
		hash_waiters(d);
}

/*
 * A step that changes nothing says nothing about which task came first to wait. A task that was
 * woken may wait for something else in the same op, as for the mutex after a condition: others
 * may already wait there without having changed anything.
 */
void chess_reduce_begin_to_wait(struct chess_reduce *d, uint16_t task)
{
	struct chess_reduce_task *t = &d->task[task];
	bool tries = t->op.tries && t->trying;

	if (t->op.gives && t->trying && !t->woken)
		note(d, t->op.lock, false);
	if (!tries && !t->woken)
		return;
	t->trying = false;
	t->woken = false;
	remove_waiter(d, task);
	if (takes_lock(d, task))
		d->object[t->op.lock].noted = true;
	d->waiter[d->waiters++] = (struct chess_reduce_waiter){
		.task = task,
		.object = tries && t->op.n ? t->op.object[0] : ANY_OBJECT,
	};
	hash_waiters(d);
}

void chess_reduce_end_to_wait(struct chess_reduce *d, uint16_t task)
{
	if (remove_waiter(d, task))
		hash_waiters(d);
}

/*
 * Does @task have @lock from event @i on until it gives it back? It may have been refused, may end
 * and leave it to others, or the memory may become another lock.
 */
static bool gives_back(const struct chess_reduce *d, size_t i, uint16_t task, uint64_t lock)
{
	size_t end = i + FORESIGHT;
	const struct chess_event *e;

	for (; i < end && (e = chess_record_event(d->record, i)); i++) {
		if (e->type != CHESS_EVENT_POINT)
			continue;
		if (e->task == task && chess_lock_given(e) == lock)
			return true;
		if (e->object_kind == CHESS_OBJECT_ADDRESS && e->object == lock &&
		    (e->task == task || e->op == CHESS_OP_INIT || e->op == CHESS_OP_DESTROY))
			return false;
	}
	return false;
}

/* Its next event, @i, is not a wait, so the op is done. */
static void finish_op(struct chess_reduce *d, uint16_t task, size_t i)
{
	struct chess_reduce_task *t = &d->task[task];
	bool woken = t->woken;

	t->woken = false;
	if (takes_lock(d, task) && (woken || t->trying))
		note(d, t->op.lock, woken || t->op.waits);
	else if (t->op.gives && t->trying)
		note(d, t->op.lock, false);
	if (t->trying && t->op.owns &&
	    gives_back(d, i, task, d->depend.objects.key[t->op.lock].number))
		d->object[t->op.lock].owner = task + 1;
	t->trying = false;
}

/*
 * The part of a point that is the same in each run. Not the address of its object, which may
 * depend on the order of allocations; but the address of the code, since programs are always
 * laid out in the same way, and mapping more code is a call that depends on everything.
 */
static uint64_t place_of(const struct chess_event *e)
{
	return chess_mix(chess_mix(PLACE + e->ip, (uint64_t)e->task << 16 | e->op << 8 |
				   (e->flags & ~CHESS_OPF_DECISION)), e->nr);
}

/* Where others wait with a deadline and nobody else can run, time passes at the end of a part. */
static bool has_only_timed(const struct chess_event *e)
{
	uint64_t others = ~(1ULL << (e->task & 63));

	return !(e->enabled & others) && (e->timed & others);
}

int chess_reduce_read_point(struct chess_reduce *d, size_t at)
{
	const struct chess_event *e = chess_record_event(d->record, at);
	size_t known = d->depend.objects.n, i;
	struct chess_op *op = &d->task[e->task].op;
	int ret;

	finish_op(d, e->task, at);
	/*
	 * The clock acts on a yield when the task arrives at it, so its order with everything
	 * counts. So does fairness, but that is in the windows. A program may also yield while
	 * it waits for a change of memory without points; so the windows are used on request.
	 */
	if (e->flags & CHESS_OPF_YIELD) {
		d->yielded = true;
		if (!d->fine || e->timed || e->op != CHESS_OP_YIELD)
			chess_reduce_order_all(d, e->task);
	}
	d->places -= d->task[e->task].place;
	d->task[e->task].place = place_of(e);
	d->places += d->task[e->task].place;
	ret = chess_depend_op(&d->depend, d->record, e, op);
	for (i = known; i < d->depend.objects.n && !ret; i++)
		ret = object_at(d, i, known) ? 0 : -ENOMEM;
	if (ret)
		return chess_set_error(ENOMEM, "no memory for the objects of a run");
	/*
	 * The module cuts rows, and the length of a row is not part of the digest. Where it has cut
	 * none, a run that is left out because it differs only in the order of independent ops may
	 * have a row that it would cut; but the run that stands for it shows it uncut.
	 */
	if (chess_row_is_cut(&d->row, e) || (!d->row.points && has_only_timed(e)))
		chess_reduce_note_flaw(d, "a task did very many points in a row while others could run, and how long that lasts depends on them");
	return 0;
}

/* Does the step that event @i belongs to end @task? */
static bool ends_in_step(const struct chess_reduce *d, size_t i, uint16_t task)
{
	const struct chess_event *e;

	while ((e = chess_record_event(d->record, ++i)))
		if (CHESS_EVENT_IS_TURN(e->type))
			return e->type == CHESS_EVENT_EXIT && e->task == task;
	return false;
}

void chess_reduce_read_wake(struct chess_reduce *d, size_t at)
{
	const struct chess_event *e = chess_record_event(d->record, at);
	char text[128];

	d->task[e->task].woken = true;
	if (remove_waiter(d, e->task) || d->waiters)
		hash_waiters(d);
	if (e->object >= chess_record_tasks(d->record)) {
		chess_reduce_order_all(d, e->task);
		return;
	}
	if (chess_ops_depend(&d->task[e->object].op, &d->task[e->task].op))
		return;
	/* The exit may not be a point. A wait for it is over after it in any order. */
	if (chess_depend_awaits_end(&d->depend, &d->task[e->task].op, e->object) &&
	    ends_in_step(d, at, e->object))
		return;
	snprintf(text, sizeof(text), "T%u woke T%u, and what they do has no object in common",
		 (unsigned int)e->object, e->task);
	chess_reduce_note_flaw(d, text);
}

uint64_t chess_reduce_hash_step(const struct chess_reduce *d, uint16_t task,
				const struct chess_op *op)
{
	uint64_t h = chess_mix(chess_mix(chess_mix(0, task + 1), d->task[task].steps), d->all);
	unsigned int i;

	h = chess_mix(h, op->kind);
	if (op->kind == CHESS_OP_ON_ALL)
		h = chess_mix(h, d->digest);
	if (op->kind == CHESS_OP_LEAVES)
		h = chess_mix(h, d->joins);
	if (op->kind == CHESS_OP_JOINS)
		h = chess_mix(h, d->ends);
	for (i = 0; i < op->n; i++) {
		const struct chess_reduce_object *o = &d->object[op->object[i]];

		h = chess_mix(chess_mix(h, o->writes ? o->name : 0), o->writes);
	}
	return chess_mix(h, h >> 32);
}

/* Does the step of @task after decision @i end in a wait that changes nothing? */
bool chess_reduce_is_in_vain(const struct chess_reduce *d, size_t i, const struct chess_op *op)
{
	const struct chess_event *e;

	/* Where a task yielded, fairness counts it as a step; the windows have that. */
	if (!op->tries || (!d->fine && d->yielded) ||
	    chess_depend_signalled(&d->depend, chess_record_event(d->record, i)->chosen))
		return false;
	while ((e = chess_record_event(d->record, ++i)))
		if (CHESS_EVENT_IS_TURN(e->type))
			return e->type == CHESS_EVENT_BLOCK;
	return false;
}

void chess_reduce_take_step(struct chess_reduce *d, uint16_t task, const struct chess_op *op)
{
	uint64_t h = chess_reduce_hash_step(d, task, op);
	unsigned int i;

	d->digest += h;
	d->task[task].steps++;
	if (op->kind == CHESS_OP_ON_ALL)
		d->all = h;
	if (op->kind == CHESS_OP_LEAVES)
		d->ends += h;
	if (op->kind == CHESS_OP_JOINS)
		d->joins += h;
	for (i = 0; i < op->n; i++) {
		struct chess_reduce_object *o = &d->object[op->object[i]];

		if (chess_op_writes(op, i) && !o->writes++)
			o->name = chess_mix(h, i);
	}
	if (op->gives)
		d->object[op->lock].owner = 0;
}
