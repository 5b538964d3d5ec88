// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The happens-before order of a run as one number (CHESS, OSDI'08, 4.4.2). An op
 * works on an object, and depends on the ops on the same object before it, unless all
 * of them only read. So the order is known when each op is known with the number of
 * writes to its object that came before it. The digest is the sum over all ops of a
 * hash of task, number of the op in its task, object and that number of writes;
 * a sum does not care for the order in which independent ops came.
 *
 * An op takes place when its task goes on from the point, not when it reaches it. A
 * lock, semaphore or join that finds out that it has to wait has changed nothing: it
 * takes place when it goes on at last. So has a turn of a loop that waits, from one access to the
 * same access. The same holds for the mutex that is taken again
 * after a wait for a condition. What a condition variable or an unknown call
 * did before it slept counts as an op of its own. Ops on nothing, as yields, count for
 * nothing.
 *
 * A read or write of memory is an op on each word of eight bytes that it touches; after
 * MAX_WORDS of them on the rest as one.
 *
 * Objects are named independently of the order of ops, too: by the lowest task that
 * ever uses it and the number of the op by which it does so first. An address from a
 * heap may differ from run to run, and inodes are numbered by first use in the run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "record/hb.h"
#include "internal.h"
#include "mix.h"
#include "record/objects.h"
#include "record/decision.h"

/* What is known of an object: its name, and the writes up to where the sum is. */
struct object {
	uint32_t task, op;
	uint32_t writes;
};

/**
 * struct access - an op on one object
 * @task: who
 * @op: number of the op in its task
 * @part: which of the op's objects, and whether it timed out
 * @write: not only read
 * @class: enum chess_op_class; 0 for the begin of a task and for its creation
 * @tried: it found out that it has to wait
 * @object: index; %NO_OBJECT: a time-out
 * @event: index of the POINT event; SIZE_MAX: none
 * @at: index of the event at which it took place
 */
struct access {
	uint32_t task, op;
	uint8_t part, class;
	bool write, tried;
	uint32_t object;
	size_t event, at;
};

#define NO_OBJECT	UINT32_MAX

enum part { FIRST, SECOND, TASK, TIMED_OUT, WORDS };

#define PARTS		64
#define MAX_WORDS	(PARTS - WORDS)

/**
 * struct pending - what a task will do when it goes on
 * @point: index of its POINT event, from 1
 * @event: and of what it does
 * @begun: the task has run before
 * @retakes: it has waited for a condition and is to take the mutex again
 * @ops: how many it has done
 */
struct pending {
	size_t point, event;
	bool begun, retakes;
	uint32_t ops;
};

struct order {
	const struct chess_record *record;
	bool tries;			/* those that have to wait are wanted too */
	size_t at;			/* index of the event that is read */
	struct access *access;
	size_t n, room;
	struct chess_objects objects;
	struct object *object;		/* by index */
	size_t object_room;
	struct pending *task;
};

/* Index of the object; negative errno. */
static int64_t find_object(struct order *o, uint8_t kind, uint64_t number)
{
	size_t known = o->objects.n;
	int64_t i = chess_objects_find(&o->objects, kind, number);

	if (i < 0 || (size_t)i < known)
		return i;
	if (chess_array_room(&o->object, &o->object_room, o->objects.n, sizeof(*o->object)))
		return -ENOMEM;
	o->object[i] = (struct object){ .task = UINT32_MAX };
	return i;
}

static int push_access(struct order *o, const struct access *a)
{
	if (chess_array_room(&o->access, &o->room, o->n + 1, sizeof(*o->access)))
		return -ENOMEM;
	o->access[o->n] = *a;
	o->access[o->n++].at = o->at;
	return 0;
}

static int note(struct order *o, uint32_t task, uint8_t class, enum part part, bool write,
		uint8_t kind, uint64_t number)
{
	int64_t i = find_object(o, kind, number);
	struct object *at;
	uint32_t op = o->task[task].ops;

	if (i < 0)
		return i;
	at = &o->object[i];
	if (task < at->task) {
		at->task = task;
		at->op = op * PARTS + part;
	}
	return push_access(o, &(struct access){
		.task = task, .op = op, .part = part, .class = class, .write = write, .object = i,
		.event = o->task[task].event,
	});
}

static int note_try(struct order *o, uint32_t task, const struct chess_event *e)
{
	int64_t i;

	if (!o->tries || e->object_kind == CHESS_OBJECT_NONE)
		return 0;
	i = find_object(o, e->object_kind, e->object);
	return i < 0 ? i : push_access(o, &(struct access){
		.task = task, .class = e->op, .object = i, .tried = true,
		.event = o->task[task].event,
	});
}

/* Ops that wait before they do anything. */
static bool tries(const struct chess_event *e)
{
	return e->op == CHESS_OP_LOCK || e->op == CHESS_OP_RDLOCK || e->op == CHESS_OP_WRLOCK ||
	       e->op == CHESS_OP_SEM_WAIT || e->op == CHESS_OP_JOIN || e->op == CHESS_OP_WAIT_CHILD;
}

/* Is the next thing that @task does to block? */
static bool blocks_next(const struct chess_record *r, size_t i, uint32_t task)
{
	const struct chess_event *e;

	while ((e = chess_record_event(r, ++i)))
		if (e->task == task && CHESS_EVENT_IS_DECISION(e->type) &&
		    e->type != CHESS_EVENT_EXPIRE)
			return e->type == CHESS_EVENT_BLOCK;
	return false;
}

/* Is it a turn of a loop that waits, after which @task is at the same access once more? */
static bool goes_round(const struct chess_record *r, size_t i, uint32_t task,
		       const struct chess_event *at)
{
	const struct chess_event *e;

	while ((e = chess_record_event(r, ++i)))
		if (e->task == task && CHESS_EVENT_IS_DECISION(e->type))
			return chess_event_awaits(r, e) && e->nr == at->nr &&
			       e->object == at->object;
	return false;
}

static int note_words(struct order *o, uint32_t task, const struct chess_event *e)
{
	uint64_t word = e->object - e->object % CHESS_WORD, n = chess_event_words(e), i;
	bool write = e->flags & CHESS_OPF_WRITE;
	int ret = 0;

	for (i = 0; i < n && i < MAX_WORDS && !ret; i++)
		ret = note(o, task, e->op, WORDS + i, write, e->object_kind, word + i * CHESS_WORD);
	if (!ret && n > MAX_WORDS)
		ret = note(o, task, e->op, FIRST, true, CHESS_OBJECT_NONE, 0);
	return ret;
}

/* @task goes on after decision @i with the op it is at, if it is at one. */
static int go_on(struct order *o, size_t i, uint32_t task)
{
	struct pending *p = &o->task[task];
	const struct chess_event *e = p->point ? chess_record_event(o->record, p->point - 1) : NULL;
	bool waits;
	int ret = 0;

	p->event = p->point - 1;
	if (!p->begun) {
		p->begun = true;
		ret = note(o, task, 0, TASK, false, CHESS_OBJECT_TASK, task);
		p->ops++;
		return ret;
	}
	if (!e)
		return 0;
	waits = blocks_next(o->record, i, task);
	if ((waits && (tries(e) || p->retakes)) ||
	    (chess_event_is_access(e) && goes_round(o->record, i, task, e)))
		return note_try(o, task, e);
	p->retakes = waits && e->op == CHESS_OP_COND_WAIT;
	if (!waits)
		p->point = 0;
	if (chess_event_is_access(e))
		ret = note_words(o, task, e);
	else if (e->object_kind != CHESS_OBJECT_NONE)
		ret = note(o, task, e->op, FIRST, e->flags & CHESS_OPF_WRITE, e->object_kind,
			   e->object);
	else if (e->op == CHESS_OP_OTHER)
		ret = note(o, task, e->op, FIRST, true, CHESS_OBJECT_NONE, 0);
	else
		return 0;
	if (!ret && e->op == CHESS_OP_COND_WAIT && e->arg)
		ret = note(o, task, e->op, SECOND, true, e->object_kind, e->arg);
	p->ops++;
	return ret;
}

static int read_event(struct order *o, size_t i)
{
	const struct chess_event *e = chess_record_event(o->record, i);
	size_t tasks = chess_record_tasks(o->record);
	int ret = 0;

	if (e->task >= tasks)
		return 0;
	o->at = i;
	o->task[e->task].begun |= !i;
	if (e->type == CHESS_EVENT_POINT)
		o->task[e->task].point = i + 1;
	o->task[e->task].event = SIZE_MAX;
	if (e->type == CHESS_EVENT_SPAWN)
		ret = note(o, e->task, 0, TASK, true, CHESS_OBJECT_TASK, e->object);
	if (e->type == CHESS_EVENT_TIMEOUT)
		ret = push_access(o, &(struct access){
			.task = e->task, .op = o->task[e->task].ops, .part = TIMED_OUT,
			.object = NO_OBJECT,
		});
	if (!ret && chess_event_decides(e) && CHESS_EVENT_IS_TURN(e->type) && e->chosen < tasks)
		ret = go_on(o, i, e->chosen);
	return ret;
}

static uint64_t sum_up(struct order *o)
{
	uint64_t sum = 0, h;
	size_t i;

	for (i = 0; i < o->n; i++) {
		const struct access *a = &o->access[i];

		h = chess_mix(chess_mix(chess_mix(0, a->task), a->op),
			      a->part << 16 | a->class << 8 | a->write);
		if (a->object != NO_OBJECT) {
			struct object *at = &o->object[a->object];

			h = chess_mix(chess_mix(chess_mix(h, at->task), at->op), at->writes);
			at->writes += a->write;
		}
		sum += chess_mix(h, h >> 32);
	}
	return sum;
}

/* All accesses of the run, in their order. Clear it in any case. */
static int find_accesses(struct order *o)
{
	size_t i, length = chess_record_length(o->record);
	int ret = 0;

	o->task = calloc(chess_record_tasks(o->record) + 1, sizeof(*o->task));
	if (!o->task)
		ret = -ENOMEM;
	for (i = 0; i < length && !ret; i++)
		ret = read_event(o, i);
	return ret ? chess_set_error(-ret, "no memory for the order of a run of %zu events",
				     length) : 0;
}

static void order_clear(struct order *o)
{
	free(o->task);
	free(o->access);
	free(o->object);
	chess_objects_free(&o->objects);
}

int chess_hb_digest(const struct chess_record *r, uint64_t *digest)
{
	struct order o = { .record = r };
	int ret = find_accesses(&o);

	if (!ret)
		*digest = sum_up(&o);
	order_clear(&o);
	return ret;
}

int chess_hb_accesses(const struct chess_record *r, bool tries, struct chess_hb_access **out,
		      size_t *n, size_t *n_objects)
{
	struct order o = { .record = r, .tries = tries };
	int ret = find_accesses(&o);
	size_t i;

	*n = 0;
	*n_objects = o.objects.n;
	*out = ret ? NULL : calloc(o.n + 1, sizeof(**out));
	for (i = 0; *out && i < o.n; i++) {
		const struct access *a = &o.access[i];

		if (a->object == NO_OBJECT)
			continue;
		(*out)[(*n)++] = (struct chess_hb_access) {
			.task = a->task, .write = a->write, .tried = a->tried,
			.object = a->object, .event = a->event, .at = a->at,
			.kind = o.objects.key[a->object].kind,
			.number = o.objects.key[a->object].number,
		};
	}
	if (!ret && !*out)
		ret = chess_set_error(ENOMEM, "no memory for the %zu accesses of a run", o.n);
	order_clear(&o);
	return ret;
}
