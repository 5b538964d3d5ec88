// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See naming.h. The relation is that of happens.c: a step comes after the previous one of its task,
 * after the one that enabled its task, and after those that it depends on: of each of its objects
 * the last write, and, if it writes, the reads since. Names are hashes of names, so a name stands
 * for all that comes before its step. Sums are used where the order of several does not matter.
 *
 * A task that tries for a lock in vain has changed nothing, so the attempt has a name, and is in no
 * other name: what comes later is the same as if the task had not been chosen then. Only the step
 * that gives the lock back wakes it, so what that one does depends on which tasks wait, and which
 * came first. The same holds for tasks that wait and only read, such as readers for a lock.
 *
 * It depends on one thing more where the C library's mutex is concerned. Its word says whether
 * tasks may wait, and an unlock that finds no such note wakes none. The note is made by a task that
 * begins to wait, or has waited and takes the mutex, and goes with each unlock. So where a task
 * takes the mutex before the one that was woken for it does, those that still wait are not woken
 * next.
 *
 * The C library keeps stacks of threads that have ended, and gives back to the kernel what is more
 * than 40 MB. That concerns no program, so it is in no name, but it shows: a task that joins a
 * thread may call munmap(). So in a program with many threads it is part of the keys of such steps.
 *
 * To find the mutex of a condition taken after a wake-up is in no name either, but it shows that
 * the task has left the condition: a task that signals it next has to wait in the C library until
 * all have that were woken before. So those that have not are part of the key.
 *
 * What a signal does depends on which tasks wait, and on which have waited in vain and not gone on
 * since: a handler runs where they are. So from the first point on at which one may be sent, each
 * step depends on everything, and its name says that, too.
 */
#include <string.h>
#include <sys/syscall.h>

#include "array.h"
#include "internal.h"
#include "mix.h"
#include "record/decision.h"
#include "search/naming.h"

/* Five stacks of 8 MB, with their guard pages, are more than the C library keeps. */
#define MANY_THREADS	5

void chess_naming_init(struct chess_naming *n, bool accesses)
{
	memset(n, 0, sizeof(*n));
	chess_depend_init(&n->depend, accesses);
	n->current = CHESS_TASK_NONE;
}

void chess_naming_free(struct chess_naming *n)
{
	chess_depend_free(&n->depend);
	free(n->object);
}

/**
 * chess_naming_reset() - before the first event of a run
 * @n: of another run, or new
 */
void chess_naming_reset(struct chess_naming *n)
{
	chess_depend_reset(&n->depend);
	/* All else but memory. */
	*n = (struct chess_naming){
		.depend = n->depend, .object = n->object, .object_room = n->object_room,
		.current = CHESS_TASK_NONE,
	};
}

static int no_memory(void)
{
	return chess_set_error(ENOMEM, "no memory for the names of steps");
}

/* Objects are numbered as they are met. */
static int make_room(struct chess_naming *n)
{
	size_t want = n->depend.objects.n;

	if (want <= n->objects)
		return 0;
	if (chess_array_room(&n->object, &n->object_room, want, sizeof(*n->object)))
		return no_memory();
	memset(&n->object[n->objects], 0, (want - n->objects) * sizeof(*n->object));
	n->objects = want;
	return 0;
}

/* A step of its own name, so that sums of names do not cancel out. */
static uint64_t spread(uint64_t name)
{
	return chess_mix(chess_mix(CHESS_HASH_START, name), name >> 32);
}

/* Where tasks stand that wait, the first one first, or have waited in vain. */
static uint64_t standing(const struct chess_naming *n)
{
	uint64_t where = CHESS_HASH_START;
	unsigned int i;

	for (i = 0; i < n->waits; i++)
		where = chess_mix(where, n->waiting[i]);
	for (i = 0; i < CHESS_NAMING_TASKS; i++)
		if (n->task[i].vain)
			where = chess_mix(chess_mix(where, i), n->task[i].vain);
	return where;
}

static uint64_t name_of(const struct chess_naming *n, const struct chess_op *op)
{
	const struct chess_naming_task *t = &n->task[n->current];
	uint64_t name = chess_mix(CHESS_HASH_START, n->current);
	unsigned int i;

	name = chess_mix(chess_mix(name, t->last), t->waker);
	if (op->kind == CHESS_OP_ON_ALL) {
		name = chess_mix(name, n->sum);
		return n->signals ? chess_mix(name, standing(n)) : name;
	}
	name = chess_mix(name, n->all);
	if (op->kind == CHESS_OP_LEAVES)
		name = chess_mix(name, n->joins);
	if (op->kind == CHESS_OP_JOINS)
		name = chess_mix(name, n->left);
	for (i = 0; i < op->n; i++) {
		const struct chess_naming_object *o = &n->object[op->object[i]];

		name = chess_mix(name, o->write);
		if (chess_op_writes(op, i))
			name = chess_mix(name, o->reads);
	}
	return name;
}

/**
 * chess_naming_begin() - a task goes on
 * @n: the run so far; the previous step has ended
 * @task: which, below CHESS_NAMING_TASKS
 * @alone: no other one could have
 */
void chess_naming_begin(struct chess_naming *n, uint16_t task, bool alone)
{
	n->current = task;
	n->op = n->task[task].op;
	n->blocks = false;
	n->idle = false;
	n->takes = n->task[task].stacks && n->threads >= MANY_THREADS;
	/* What it accesses is not in the record. */
	if (n->signals || (alone && chess_depend_hides(&n->depend, task)))
		n->op.kind = CHESS_OP_ON_ALL;
	n->op.tries &= !n->signals;
	n->name = name_of(n, &n->op);
}

/**
 * chess_naming_widen() - more happens in the current step than its op says
 * @n: the run so far; the step depends on everything from now on
 */
void chess_naming_widen(struct chess_naming *n)
{
	n->op.kind = CHESS_OP_ON_ALL;
	n->name = chess_mix(name_of(n, &n->op), 1);
}

/* The current step gives back a mutex: does it look for tasks that wait? */
static bool is_noted(const struct chess_naming *n)
{
	return n->op.gives && n->op.lock < n->objects && n->object[n->op.lock].noted;
}

/* A task was woken from the condition that the current step is about, and has not gone on since. */
static bool is_leaving(const struct chess_naming *n, const struct chess_naming_task *t)
{
	return t->op.waits && t->op.owns && t->waker && !t->vain && t->op.n && n->op.n &&
	       t->op.object[0] == n->op.object[0];
}

/**
 * chess_naming_key() - what the current step does follows from this
 * @n: the run so far
 *
 * Return: as one number, its name and the tasks that wait for what it is about, or still have to
 * leave it; its name if there are none.
 */
uint64_t chess_naming_key(const struct chess_naming *n)
{
	uint64_t key = n->name;
	bool any = false;
	unsigned int i;

	if (n->takes)
		key = chess_mix(key, n->stacks);
	for (i = 0; i < n->waits; i++) {
		const struct chess_naming_task *t = &n->task[n->waiting[i]];

		/* To try for something wakes no task. */
		if ((!n->op.tries || !t->vain) && chess_ops_depend(&n->op, &t->op)) {
			key = chess_mix(chess_mix(key, n->waiting[i]), t->waits);
			any = true;
		}
	}
	for (i = 0; i < CHESS_NAMING_TASKS; i++)
		if (i != n->current && is_leaving(n, &n->task[i]))
			key = chess_mix(chess_mix(key, i), 5);
	return any ? chess_mix(key, is_noted(n)) : key;
}

static uint64_t add_identity(const struct chess_naming *n, uint64_t key, unsigned int i)
{
	const struct chess_object_key *k = &n->depend.objects.key[n->op.object[i]];

	return chess_mix(chess_mix(key, k->kind), k->number);
}

/**
 * chess_naming_gift() - which tasks does the current step wake?
 * @n: the run so far
 *
 * Return: what this follows from, as one number: the task, the mutex that it gives back, or the end
 * of the thread, and the tasks that wait for it; 0: the step does neither.
 */
uint64_t chess_naming_gift(const struct chess_naming *n)
{
	uint64_t key = chess_mix(chess_mix(CHESS_HASH_START, n->current), n->op.kind);
	unsigned int i;

	if (n->op.kind != CHESS_OP_LEAVES &&
	    (n->op.kind != CHESS_OP_ON_OBJECTS || !n->op.gives || n->op.waits))
		return 0;
	for (i = 0; i < n->op.n; i++)
		key = add_identity(n, key, i);
	for (i = 0; i < n->waits; i++) {
		const struct chess_naming_task *t = &n->task[n->waiting[i]];

		/* A wait for a condition gave the mutex back, and does not end here. */
		if (!chess_ops_depend(&n->op, &t->op) || (t->op.waits && t->op.gives))
			continue;
		/* Which reader or writer a lock of those is handed to, depends on more. */
		if (!t->vain)
			return 0;
		/* Without a note it does not matter which tasks wait for a mutex. */
		if (t->op.owns && !is_noted(n))
			continue;
		key = chess_mix(chess_mix(key, n->waiting[i]), t->waits);
		/* A mutex goes to the one that came first. */
		if (n->op.kind != CHESS_OP_LEAVES)
			break;
	}
	return chess_mix(chess_mix(key, is_noted(n)), 3);
}

/**
 * chess_naming_attempt() - does the current step find out that it has to wait?
 * @n: the run so far
 *
 * Return: what this follows from, as one number: the task and what was done to the lock, semaphore
 * or thread that it tries for; of a mutex, that another task has it; 0: it does not try for one.
 */
uint64_t chess_naming_attempt(const struct chess_naming *n)
{
	uint64_t key = chess_mix(CHESS_HASH_START, n->current);
	unsigned int i;

	if (!n->op.tries || n->op.kind != CHESS_OP_ON_OBJECTS)
		return 0;
	if (n->op.owns && n->op.lock < n->objects) {
		const uint16_t holder = n->object[n->op.lock].holder;

		if (holder && holder != n->current + 1) {
			key = chess_mix(key, n->depend.objects.key[n->op.lock].number);
			return chess_mix(key, 4);
		}
	}
	key = chess_mix(key, n->all);
	for (i = 0; i < n->op.n; i++) {
		const struct chess_naming_object *o = &n->object[n->op.object[i]];

		key = chess_mix(chess_mix(add_identity(n, key, i), o->write), o->reads);
	}
	return chess_mix(key, 2);
}

/*
 * A task is at a point. In a loop that waits it has been there before, and in between has changed
 * nothing: that turn is in no name (docs/proofs.md, "Turns in vain").
 */
static int come_to(struct chess_naming *n, const struct chess_record *r,
		   const struct chess_event *e)
{
	struct chess_naming_task *t = &n->task[e->task];
	struct chess_event plain = *e;

	if (chess_event_awaits(r, e)) {
		n->idle = n->current == e->task && t->site == e->nr && t->object == e->object;
		plain.flags &= ~CHESS_OPF_YIELD;
	}
	t->site = chess_event_is_access(e) ? e->nr : 0;
	t->object = e->object;
	return chess_depend_op(&n->depend, r, &plain, &t->op) ? no_memory() : make_room(n);
}

static void wake(struct chess_naming *n, uint16_t task)
{
	struct chess_naming_task *t = &n->task[task];
	unsigned int i;

	for (i = 0; i < n->waits && n->waiting[i] != task; i++)
		;
	if (i < n->waits) {
		n->waits--;
		memmove(&n->waiting[i], &n->waiting[i + 1],
			(n->waits - i) * sizeof(n->waiting[i]));
	}
	if (t->vain)
		return;
	t->waker = n->name;
	chess_op_retake(&t->op);
}

/**
 * chess_naming_event() - what the current step does
 * @n: the run so far
 * @r: the record
 * @e: an event of the step
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_naming_event(struct chess_naming *n, const struct chess_record *r,
		       const struct chess_event *e)
{
	switch (e->type) {
	case CHESS_EVENT_POINT:
		n->task[e->task].stacks = e->op == CHESS_OP_JOIN || e->op == CHESS_OP_CREATE;
		/* As stacks may be larger. */
		if (e->nr == SYS_munmap && !(e->flags & CHESS_OPF_PROBE) && n->threads)
			n->threads = MANY_THREADS;
		n->signals |= e->op == CHESS_OP_SIGNAL && e->flags & CHESS_OPF_RELEASE;
		return come_to(n, r, e);
	case CHESS_EVENT_BLOCK:
		n->blocks = e->task == n->current;
		return 0;
	case CHESS_EVENT_WAKE:
		wake(n, e->task);
		return 0;
	case CHESS_EVENT_SPAWN:
		if (e->object >= CHESS_NAMING_TASKS)
			return 0;
		n->task[e->object].waker = n->name;
		n->threads++;
		return chess_depend_spawn(&n->depend, e) ? no_memory() : 0;
	case CHESS_EVENT_EXEC:
		chess_apart_executed(&n->depend, e->task);
		return 0;
	case CHESS_EVENT_KILLED:
	case CHESS_EVENT_EXIT:
		chess_apart_ended(&n->depend, e->task);
		return 0;
	default:
		return 0;
	}
}

/* @waited: the task had waited for what it takes, or in a condition */
static void enter(struct chess_naming *n, bool waited)
{
	unsigned int i;

	n->sum += spread(n->name);
	if (n->op.kind == CHESS_OP_ON_ALL)
		n->all = n->name;
	if (n->op.kind == CHESS_OP_LEAVES)
		n->left += spread(n->name);
	if (n->op.kind == CHESS_OP_LEAVES || n->takes)
		n->stacks += spread(n->name);
	if (n->op.kind == CHESS_OP_JOINS)
		n->joins += spread(n->name);
	for (i = 0; i < n->op.n; i++) {
		struct chess_naming_object *o = &n->object[n->op.object[i]];

		if (chess_op_writes(&n->op, i)) {
			o->write = n->name;
			o->reads = 0;
		} else {
			o->reads += spread(n->name);
		}
	}
	if ((n->op.owns || n->op.gives) && n->op.lock < n->objects) {
		n->object[n->op.lock].holder = n->op.owns ? n->current + 1 : 0;
		n->object[n->op.lock].noted = n->op.owns && waited;
	}
}

/**
 * chess_naming_end() - the current step is over
 * @n: the run so far
 */
void chess_naming_end(struct chess_naming *n)
{
	struct chess_naming_task *t;
	uint64_t attempt;
	bool waited;

	if (n->current == CHESS_TASK_NONE)
		return;
	t = &n->task[n->current];
	attempt = n->blocks ? chess_naming_attempt(n) : 0;
	waited = t->vain || t->waker;
	t->vain = attempt;
	if (attempt && n->op.owns && n->op.lock < n->objects)
		n->object[n->op.lock].noted = true;
	if (n->blocks && n->waits < CHESS_NAMING_TASKS) {
		t->waits = attempt ? attempt : n->name;
		n->waiting[n->waits++] = n->current;
	}
	if (!t->vain && !(n->idle && n->op.kind == CHESS_OP_ON_OBJECTS)) {
		t->last = n->name;
		t->waker = 0;
		enter(n, waited);
	}
	n->current = CHESS_TASK_NONE;
}
