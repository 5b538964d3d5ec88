// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds cycles of mutexes and rwlocks in a record: T1 has a and waits for b, T2 has b
 * and waits for a, whatever others do meanwhile. Only these, because neither a signal
 * nor a time-out nor another thread ends such a wait; a file lock or a pipe may still
 * be given up by somebody who is killed on purpose.
 *
 * The record says which ops were begun, in which order, and after which of them the
 * task blocked. Under the token that gives the owner of each lock: a task that is past a lock
 * op has it. Where that cannot be true (a lock that failed, memory that was used again),
 * nothing is said about this lock any more: in doubt there is no cycle.
 *
 * Tasks of a process that was attached to may have locks from before. These are in no
 * cycle; so whether a trylock failed is not known, and it gives nothing. Nor does it
 * where there are several processes: one of another may have the lock, in memory that
 * both map.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "wait/holders.h"
#include "internal.h"
#include "run/partial.h"
#include "wait/wait.h"

/* A task's hold on a lock. */
struct hold {
	uint32_t task, seq;
	unsigned int count;	/* recursive mutexes */
};

/**
 * struct lock - a mutex or rwlock
 * @space: number of the address space it is in
 * @address: where
 * @holds: the tasks that have it; several readers
 * @n: how many
 * @exclusive: it is held by a writer, or is a mutex
 * @unknown: the record was not understood
 */
struct lock {
	uint32_t space;
	uint64_t address;
	struct hold *holds;
	size_t n;
	bool exclusive, unknown;
};

/**
 * struct actor - a task
 * @space: number of its address space
 * @op: the op it was last at and may not be through with, or NULL
 * @begun: it went on with it
 * @timed_out: a deadline passed since
 * @wanted: the lock it is blocked on, or NULL
 */
struct actor {
	uint32_t space;
	const struct chess_event *op;
	bool begun, timed_out;
	struct lock *wanted;
};

struct model {
	const struct chess_record *r;
	struct actor *actors;
	size_t n_actors;
	uint32_t spaces;	/* numbers given */
	void *locks;		/* tree of tsearch() */
	bool only_sync;
	bool attached;		/* some locks were taken before the first event */
	bool several;		/* processes, which may share locks */
};

static int compare(const void *a, const void *b)
{
	const struct lock *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return 0;
}

static void free_lock(void *lock)
{
	free(((struct lock *)lock)->holds);
	free(lock);
}

static struct lock *find_lock(struct model *m, uint32_t space, uint64_t address)
{
	struct lock key = { .space = space, .address = address }, *lock;
	void *node = tfind(&key, &m->locks, compare);

	if (node)
		return *(struct lock **)node;
	lock = calloc(1, sizeof(*lock));
	if (!lock)
		return NULL;
	*lock = key;
	if (tsearch(lock, &m->locks, compare))
		return lock;
	free(lock);
	return NULL;
}

static struct hold *hold_of(struct lock *lock, uint32_t task)
{
	size_t i;

	for (i = 0; i < lock->n; i++)
		if (lock->holds[i].task == task)
			return &lock->holds[i];
	return NULL;
}

static void forget(struct lock *lock)
{
	lock->n = 0;
	lock->unknown = true;
}

/* @task has come back from an op that gave it the lock. Return: 0 or -ENOMEM. */
static int take(struct lock *lock, uint32_t task, uint32_t seq, bool exclusive)
{
	struct hold *h = hold_of(lock, task);

	if (lock->unknown)
		return 0;
	if (h && (lock->n == 1 || !exclusive)) {
		h->count++;
		return 0;
	}
	if (lock->n && (exclusive || lock->exclusive)) {
		forget(lock);
		return 0;
	}
	if (chess_array_resize(&lock->holds, lock->n + 1, sizeof(*h)))
		return -ENOMEM;
	lock->holds[lock->n++] = (struct hold) { .task = task, .seq = seq, .count = 1 };
	lock->exclusive = exclusive;
	return 0;
}

static void give(const struct model *m, struct lock *lock, uint32_t task)
{
	struct hold *h = hold_of(lock, task);

	if (lock->unknown)
		return;
	if (!h) {
		/* Another one's. */
		if (!m->attached)
			forget(lock);
		return;
	}
	if (!--h->count)
		*h = lock->holds[--lock->n];
}

static bool is_lock_op(const struct chess_event *e)
{
	return (e->flags & CHESS_OPF_PROBE) && e->object_kind == CHESS_OBJECT_ADDRESS &&
	       (e->op == CHESS_OP_LOCK || e->op == CHESS_OP_RDLOCK || e->op == CHESS_OP_WRLOCK);
}

static bool wants_to_read(const struct chess_event *e)
{
	return e->op == CHESS_OP_RDLOCK ||
	       (e->op == CHESS_OP_TRYLOCK && !(e->flags & CHESS_OPF_WRITE));
}

/* The lock that @e is about, or NULL; *@err is set when there is no memory. */
static struct lock *lock_of(struct model *m, const struct chess_event *e, int *err)
{
	struct lock *lock;

	if (!(e->flags & CHESS_OPF_PROBE) || e->object_kind != CHESS_OBJECT_ADDRESS)
		return NULL;
	switch (e->op) {
	case CHESS_OP_LOCK:
	case CHESS_OP_RDLOCK:
	case CHESS_OP_WRLOCK:
	case CHESS_OP_TRYLOCK:
	case CHESS_OP_UNLOCK:
	case CHESS_OP_DESTROY:
		lock = find_lock(m, m->actors[e->task].space, e->object);
		break;
	case CHESS_OP_COND_WAIT:
		if (!e->arg)
			return NULL;
		lock = find_lock(m, m->actors[e->task].space, e->arg);
		break;
	default:
		return NULL;
	}
	if (!lock)
		*err = -ENOMEM;
	return lock;
}

/* @t goes on: what its op gives away is free from now on. Return: 0 or -ENOMEM. */
static int begin_op(struct model *m, uint32_t t)
{
	struct actor *a = &m->actors[t];
	struct lock *lock;
	int err = 0;

	if (!a->op || a->begun)
		return 0;
	a->begun = true;
	lock = lock_of(m, a->op, &err);
	if (!lock)
		return err;
	if (a->op->op == CHESS_OP_UNLOCK || a->op->op == CHESS_OP_COND_WAIT)
		give(m, lock, t);
	else if (a->op->op == CHESS_OP_DESTROY)
		lock->n = 0;
	return 0;
}

/* The op that @t was at is over: what it was to get, it has. Return: 0 or -ENOMEM. */
static int finish_op(struct model *m, uint32_t t)
{
	struct actor *a = &m->actors[t];
	const struct chess_event *e = a->op;
	struct lock *lock;
	int err = 0;

	a->wanted = NULL;
	a->op = NULL;
	if (!e || !a->begun)
		return 0;
	lock = lock_of(m, e, &err);
	if (!lock)
		return err;
	switch (e->op) {
	case CHESS_OP_TRYLOCK:
		if (m->attached || m->several ||
		    (lock->n && (lock->exclusive || !wants_to_read(e))))
			return 0;
		return take(lock, t, e->seq, !wants_to_read(e));
	case CHESS_OP_LOCK:
	case CHESS_OP_RDLOCK:
	case CHESS_OP_WRLOCK:
		return a->timed_out ? 0 : take(lock, t, e->seq, !wants_to_read(e));
	case CHESS_OP_COND_WAIT:
		return take(lock, t, e->seq, true);
	default:
		return 0;
	}
}

/* @path: tasks from the first one on; is one of the holders of @lock the first? */
static size_t follow(const struct model *m, const struct lock *lock, uint32_t *path, size_t n)
{
	size_t i, k, found;

	for (i = 0; i < lock->n; i++) {
		uint32_t next = lock->holds[i].task;
		const struct actor *a = &m->actors[next];

		if (next == path[0])
			return n;
		for (k = 1; k < n && path[k] != next; k++)
			;
		if (k < n || !a->wanted || n == m->n_actors)
			continue;
		path[n] = next;
		found = follow(m, a->wanted, path, n + 1);
		if (found)
			return found;
	}
	return 0;
}

static int describe(const struct model *m, const uint32_t *path, size_t n,
		    struct chess_partial *out)
{
	size_t i, k;
	int ret = 0;

	out->waits = calloc(n, sizeof(*out->waits));
	if (!out->waits)
		return -ENOMEM;
	for (i = 0; i < n && !ret; i++) {
		const struct actor *a = &m->actors[path[i]];
		const struct chess_wrapper *f = chess_wrapper_of(a->op);
		struct chess_wait *w = &out->waits[out->n++];

		*w = (struct chess_wait) { .task = path[i], .seq = a->op->seq, .asked = true };
		if (asprintf(&w->text, "%s 0x%llx held by T%u", f ? f->symbol : "lock",
			     (unsigned long long)a->op->object, path[(i + 1) % n]) < 0) {
			w->text = NULL;
			return -ENOMEM;
		}
		for (k = 0; k < a->wanted->n && !ret; k++)
			ret = chess_holders_add(w, &(struct chess_holder) {
				.task = a->wanted->holds[k].task, .how = CHESS_HOLD_HAS,
				.seq = a->wanted->holds[k].seq,
				.object_kind = a->op->object_kind, .object = a->op->object,
			});
	}
	return ret;
}

/* @e: the task blocked. Does that close a cycle? Return: 0 or -ENOMEM. */
static int block(struct model *m, const struct chess_event *e, struct chess_partial *out)
{
	struct actor *a = &m->actors[e->task];
	uint32_t *path;
	size_t n;
	int ret = 0;

	/* With a deadline it is no wait for ever. */
	if (!a->op || !is_lock_op(a->op) || (a->op->flags & CHESS_OPF_YIELD))
		return 0;
	a->wanted = find_lock(m, a->space, a->op->object);
	if (!a->wanted)
		return -ENOMEM;
	/*
	 * It may have the lock, and be blocked in what it did next; or it may have to let
	 * a writer go first, which is not in this model.
	 */
	if ((m->only_sync && hold_of(a->wanted, e->task)) ||
	    (wants_to_read(a->op) && !a->wanted->exclusive)) {
		a->wanted = NULL;
		return 0;
	}
	path = malloc(m->n_actors * sizeof(*path));
	if (!path)
		return -ENOMEM;
	path[0] = e->task;
	n = follow(m, a->wanted, path, 1);
	if (n) {
		out->at = e->seq;
		ret = describe(m, path, n, out);
	}
	free(path);
	return ret;
}

/* A task is made in the address space of its parent, or in a copy of it. */
static void spawn(struct model *m, const struct chess_event *e)
{
	const struct actor *parent = &m->actors[e->task];
	const struct chess_event *op = parent->op;
	bool thread = op && chess_event_makes_thread(op);

	/* Of a process that was attached to it is said. */
	if (e->op) {
		thread = e->op == CHESS_OP_CREATE;
		m->attached = true;
	}
	m->several = m->several || !thread;
	if (e->object < m->n_actors)
		m->actors[e->object].space = thread ? parent->space : ++m->spaces;
}

static int step(struct model *m, const struct chess_event *e, struct chess_partial *out)
{
	int ret = 0;

	if (e->task >= m->n_actors)
		return 0;
	switch (e->type) {
	case CHESS_EVENT_SPAWN:
		spawn(m, e);
		return 0;
	case CHESS_EVENT_EXEC:
		m->actors[e->task].space = ++m->spaces;
		return 0;
	case CHESS_EVENT_TIMEOUT:
		m->actors[e->task].timed_out = true;
		return 0;
	case CHESS_EVENT_WAKE:
		m->actors[e->task].wanted = NULL;
		return 0;
	case CHESS_EVENT_POINT:
		ret = finish_op(m, e->task);
		m->actors[e->task].op = e;
		m->actors[e->task].begun = m->actors[e->task].timed_out = false;
		break;
	case CHESS_EVENT_BLOCK:
		ret = block(m, e, out);
		break;
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_KILLED:
		/* What it has it keeps; what it waited for it never gets. */
		m->actors[e->task].op = NULL;
		m->actors[e->task].wanted = NULL;
		break;
	}
	return ret;
}

int chess_partial_find(const struct chess_record *r, bool only_sync, struct chess_partial *out)
{
	size_t i, n = chess_record_length(r);
	struct model m = { .r = r, .only_sync = only_sync, .n_actors = chess_record_tasks(r) };
	int ret = 0;

	memset(out, 0, sizeof(*out));
	if (m.n_actors < 2)
		return 0;
	m.actors = calloc(m.n_actors, sizeof(*m.actors));
	if (!m.actors)
		return chess_set_error(ENOMEM, "no memory to look for cycles of locks");
	for (i = 0; i < n && !ret && !out->at; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		ret = step(&m, e, out);
		if (!ret && CHESS_EVENT_IS_TURN(e->type) &&
		    e->chosen < m.n_actors)
			ret = begin_op(&m, e->chosen);
	}
	tdestroy(m.locks, free_lock);
	free(m.actors);
	if (!ret)
		return 0;
	chess_waits_free(out->waits, out->n);
	memset(out, 0, sizeof(*out));
	return chess_set_error(-ret, "no memory to look for cycles of locks");
}
