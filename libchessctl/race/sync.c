// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See sync.h. An op is known from the point at which a task reaches it. It begins when the
 * task goes on from there, and gives away then what it gives away; it is done, and has
 * what it waits for, when the task goes on and does not block again before its next
 * decision. A time quantum may end in the middle of an op that spins: then what it gets
 * it gets, as far as this list goes, also when the task goes on after that.
 *
 * Which edge an op makes:
 *
 *	lock, write lock	after all unlocks; read lock: after those of writers
 *	trylock			the same if nobody else owns the lock
 *	condition wait		gives the mutex away, and gets it at its end
 *	semaphore		wait after all posts so far
 *	barrier			after all that came to this round of it
 *	once			after what the first caller did so far
 *	create, fork		before all the new task does
 *	join, wait for a child	after the end of the task; which one is known if it woke the
 *				waiter, else all that have ended
 *	read			after all writes so far to the same pipe, eventfd or file;
 *				sockets and terminals, which are two inodes, are one thing
 *	signal			before a wait for one ends; handlers: see handlers.c
 *	wake-up			what the waker did, before what the woken task does; that
 *				covers conditions, futexes and all else that is waited for
 *	atomic access		after the atomic writes to its address, before the next
 *				atomic reads there
 *
 * Where it is not known whether an edge is there it is drawn: a race may be missed by
 * that, and nothing is reported that is not a race. Unknown calls make no edge but by wake-ups.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "array.h"
#include "record/depend.h"
#include "internal.h"
#include "race/access_list.h"
#include "race/sync_internal.h"
#include "record/decision.h"
#include "code/wrappers.h"

/* Of the task that a decision chose, at its next one. */
enum next { GOES_ON, BLOCKS, IS_CUT };

uint32_t chess_sync_find(struct sync *s, uint8_t kind, uint64_t number)
{
	int64_t i = chess_objects_find(&s->objects, kind, number);

	if (i >= 0 && s->objects.room > s->object_room) {
		if (chess_array_extend(&s->object, s->object_room, s->objects.room,
				       sizeof(*s->object)))
			i = -ENOMEM;
		else
			s->object_room = s->objects.room;
	}
	if (i < 0) {
		s->error = -ENOMEM;
		return 0;
	}
	return i;
}

void chess_sync_push(struct sync *s, struct chess_step step)
{
	struct chess_steps *o = s->out;

	if (s->error)
		return;
	if (chess_array_room(&o->v, &o->room, o->n + 1, sizeof(*o->v))) {
		s->error = -ENOMEM;
		return;
	}
	step.seq = s->seq;
	o->v[o->n++] = step;
	if (s->handlers)
		chess_handlers_step(s, &step);
}

/* A handler that the task is in is another task. */
static uint16_t who(const struct sync *s, uint16_t task)
{
	return s->handlers ? chess_handlers_who(s->handlers, task) : task;
}

static void release(struct sync *s, uint16_t task, uint32_t object)
{
	chess_sync_push(s, (struct chess_step) {
		.kind = CHESS_STEP_RELEASE, .task = who(s, task), .object = object,
	});
}

static void acquire(struct sync *s, uint16_t task, uint32_t object)
{
	chess_sync_push(s, (struct chess_step) {
		.kind = CHESS_STEP_ACQUIRE, .task = who(s, task), .object = object,
	});
}

/* @from's past comes before @to's future. */
static void hand_over(struct sync *s, uint16_t from, uint16_t to)
{
	uint32_t object = chess_sync_find(s, HANDED, s->numbers++);

	release(s, from, object);
	chess_sync_push(s, (struct chess_step) {
		.kind = CHESS_STEP_ACQUIRE, .last = true, .task = who(s, to), .object = object,
	});
}

static struct object *state(struct sync *s, uint32_t object)
{
	static struct object none;

	return s->error ? &none : &s->object[object];
}

static uint32_t lock_of(struct sync *s, const struct chess_event *e)
{
	return chess_sync_find(s, e->object_kind, e->object);
}

static uint32_t readers_of(struct sync *s, const struct chess_event *e)
{
	return chess_sync_find(s, READERS, e->object);
}

/* Pipe, eventfd, file; what has two ends with numbers of their own is one with the others. */
static uint32_t channel_of(struct sync *s, const struct chess_event *e)
{
	if (e->op == CHESS_OP_SOCKET || e->object_kind != CHESS_OBJECT_INODE ||
	    !chess_is_plain_device(chess_record_object_dev(s->record, e->object)))
		return chess_sync_find(s, SOCKETS, 0);
	return chess_sync_find(s, e->object_kind, e->object);
}

static bool failed(const struct chess_event *e)
{
	return !(e->flags & CHESS_OPF_PROBE) && e->result < 0;
}

/* Where somebody ended with it, or it was got in vain, nobody is sure to have it alone. */
static void get_lock(struct sync *s, uint16_t task, uint32_t lock, uint32_t readers)
{
	chess_sync_push(s, (struct chess_step) {
		.kind = CHESS_STEP_ACQUIRE, .holds = !state(s, lock)->owner,
		.task = who(s, task), .object = lock,
	});
	acquire(s, task, readers);
	state(s, lock)->owner = task + 1;
}

static void give_lock(struct sync *s, uint16_t task, const struct chess_event *e)
{
	uint32_t lock = lock_of(s, e), readers = readers_of(s, e);
	struct object *o = state(s, lock);

	if (o->owner == task + 1u || !o->readers) {
		release(s, task, lock);
		o->owner = 0;
		return;
	}
	o->readers--;
	release(s, task, readers);
}

static void get_read_lock(struct sync *s, uint16_t task, const struct chess_event *e)
{
	uint32_t lock = lock_of(s, e);

	acquire(s, task, lock);
	state(s, lock)->readers++;
}

/* Whether it got the lock follows from who has it. */
static void try_lock(struct sync *s, uint16_t task, const struct chess_event *e)
{
	uint32_t lock = lock_of(s, e), readers = readers_of(s, e), owner = state(s, lock)->owner;
	bool owned = owner && owner != task + 1u && !s->task[owner - 1].ended;

	if (chess_wrapper_has(e, CHESS_WRAPPER_COUNTS))
		acquire(s, task, lock);
	else if (owned)
		return;
	else if (!(e->flags & CHESS_OPF_WRITE))
		get_read_lock(s, task, e);
	else if (!state(s, lock)->readers)
		get_lock(s, task, lock, readers);
}

static void come_to_barrier(struct sync *s, uint16_t task, const struct chess_event *e)
{
	uint32_t barrier = lock_of(s, e), round;

	if (!state(s, barrier)->round) {
		round = chess_sync_find(s, ROUND, s->numbers++);
		state(s, barrier)->round = round + 1;
	}
	s->task[task].round = state(s, barrier)->round - !s->error;
	release(s, task, s->task[task].round);
}

/* Who did not have to wait was the last one of the round. */
static void leave_barrier(struct sync *s, uint16_t task, const struct chess_event *e)
{
	struct object *o = state(s, lock_of(s, e));

	acquire(s, task, s->task[task].round);
	if (!s->task[task].blocked && o->round == s->task[task].round + 1)
		o->round = 0;
}

/* call_once() is a jump to pthread_once(), which has a point of its own. */
static bool goes_on_in_another(const struct sync *s, size_t i, uint16_t task,
			       const struct chess_event *e)
{
	const struct chess_event *next = NULL;

	do
		next = chess_record_event(s->record, ++i);
	while (next && !(next->task == task && chess_event_decides(next) &&
			 next->type != CHESS_EVENT_EXPIRE));
	return next && next->type == CHESS_EVENT_POINT && next->op == e->op &&
	       next->object_kind == e->object_kind && next->object == e->object &&
	       next->nr != e->nr;
}

static void leave_once(struct sync *s, size_t i, uint16_t task, const struct chess_event *e)
{
	struct object *o = state(s, lock_of(s, e));

	if (goes_on_in_another(s, i, task, e))
		return;
	if (!o->first)
		o->first = task + 1;
	else if (o->first != task + 1u && !s->task[task].woken)
		hand_over(s, o->first - 1, task);
}

static void join_tasks(struct sync *s, uint16_t task, const struct chess_event *e)
{
	size_t i, tasks = s->out->tasks;

	if (e->object_kind == CHESS_OBJECT_TASK && e->object < tasks) {
		if (s->task[e->object].ended)
			acquire(s, task, chess_sync_find(s, ENDED, e->object));
		s->task[e->object].joined = true;
		return;
	}
	if (s->task[task].woken)
		return;
	for (i = 0; i < tasks; i++)
		if (s->task[i].ended && !s->task[i].joined)
			acquire(s, task, chess_sync_find(s, ENDED, i));
}

/* @task goes on with what it gives away. */
static void start(struct sync *s, uint16_t task, const struct chess_event *e)
{
	struct chess_event mutex = *e;

	switch (e->op) {
	case CHESS_OP_UNLOCK:
		give_lock(s, task, e);
		break;
	case CHESS_OP_COND_WAIT:
		mutex.object = e->arg;
		if (e->arg)
			give_lock(s, task, &mutex);
		break;
	case CHESS_OP_SEM_POST:
	case CHESS_OP_COND_SIGNAL:
	case CHESS_OP_COND_BROADCAST:
		release(s, task, lock_of(s, e));
		break;
	case CHESS_OP_BARRIER:
		come_to_barrier(s, task, e);
		break;
	case CHESS_OP_WRITE:
	case CHESS_OP_CLOSE:
	case CHESS_OP_SOCKET:
		if (!failed(e))
			release(s, task, channel_of(s, e));
		break;
	case CHESS_OP_SIGNAL:
		/* Who blocks signals or lets them in tells nobody anything. */
		if (e->nr == SYS_rt_sigprocmask)
			break;
		release(s, task, chess_sync_find(s, SIGNALS, 0));
		break;
	case CHESS_OP_IPC:
	case CHESS_OP_FLOCK:
		release(s, task, lock_of(s, e));
		break;
	case CHESS_OP_CUSTOM:
		if (e->flags & CHESS_OPF_RELEASE)
			release(s, task, lock_of(s, e));
		break;
	case CHESS_OP_DESTROY:
		state(s, lock_of(s, e))->first = 0;
		break;
	}
}

/* @task is past the op, by the decision that is event @i. */
static void finish(struct sync *s, size_t i, uint16_t task, const struct chess_event *e)
{
	struct task *t = &s->task[task];
	struct chess_event mutex = *e;

	/* Found out that it would have to wait for too long. */
	if (t->timed_out && e->op != CHESS_OP_COND_WAIT)
		return;
	switch (e->op) {
	case CHESS_OP_LOCK:
	case CHESS_OP_WRLOCK:
		get_lock(s, task, lock_of(s, e), readers_of(s, e));
		break;
	case CHESS_OP_TRYLOCK:
		try_lock(s, task, e);
		break;
	case CHESS_OP_RDLOCK:
		get_read_lock(s, task, e);
		break;
	case CHESS_OP_COND_WAIT:
		mutex.object = e->arg;
		if (e->arg)
			get_lock(s, task, lock_of(s, &mutex), readers_of(s, &mutex));
		if (!t->woken && !t->timed_out)
			acquire(s, task, lock_of(s, e));
		break;
	case CHESS_OP_BARRIER:
		leave_barrier(s, task, e);
		break;
	case CHESS_OP_ONCE:
		leave_once(s, i, task, e);
		break;
	case CHESS_OP_JOIN:
	case CHESS_OP_WAIT_CHILD:
		join_tasks(s, task, e);
		break;
	case CHESS_OP_SEM_WAIT:
	case CHESS_OP_IPC:
	case CHESS_OP_FLOCK:
	case CHESS_OP_CUSTOM:
		acquire(s, task, lock_of(s, e));
		break;
	case CHESS_OP_READ:
	case CHESS_OP_SOCKET:
		/* sem_getvalue is a read, too, and orders nothing */
		if (!failed(e) && !(e->flags & CHESS_OPF_PROBE))
			acquire(s, task, channel_of(s, e));
		break;
	case CHESS_OP_SIGNAL_WAIT:
		acquire(s, task, chess_sync_find(s, SIGNALS, 0));
		break;
	}
}

static void go_on(struct sync *s, size_t i, uint16_t task)
{
	struct task *t = &s->task[task];
	const struct chess_event *e;

	if (!t->point)
		return;
	e = chess_record_event(s->record, t->point - 1);
	if (!t->started)
		start(s, task, e);
	t->started = true;
	if (s->waits[i] == BLOCKS) {
		t->blocked = true;
		return;
	}
	finish(s, i, task, e);
	if (t->interrupted)
		finish(s, i, task, chess_record_event(s->record, t->interrupted - 1));
	if (s->waits[i] == GOES_ON)
		t->point = 0;
}

/* A handler came while a function slept, which goes to sleep again: a call that is a point. */
static bool goes_on_waiting(const struct task *t, const struct chess_event *e)
{
	return t->interrupted && e->op == CHESS_OP_FUTEX_WAIT && !(e->flags & CHESS_OPF_PROBE);
}

static void reach_point(struct sync *s, size_t i, const struct chess_event *e)
{
	struct task *t = &s->task[e->task];

	if (!goes_on_waiting(t, e)) {
		t->interrupted = 0;
		t->last = i + 1;
	}
	t->point = i + 1;
	t->op = e->op;
	t->started = false;
	t->blocked = false;
	t->woken = false;
	t->timed_out = false;
}

/* The task's last child has a copy of its memory; once, whoever says it. */
static void copy_space(struct sync *s, uint16_t task)
{
	struct task *child = &s->task[s->task[task].child];

	if (!s->task[task].child || child->space != s->task[task].space)
		return;
	child->space = ++s->spaces;
	chess_sync_push(s, (struct chess_step) {
		.kind = CHESS_STEP_COPY, .task = who(s, task), .space = child->space,
		.object = s->task[task].space,
	});
}

static void spawn(struct sync *s, const struct chess_event *e)
{
	const struct task *parent = &s->task[e->task];

	if (e->object >= s->out->tasks)
		return;
	hand_over(s, e->task, e->object);
	if (s->handlers)
		chess_handlers_spawn(s, e->task, e->object);
	s->task[e->task].child = e->object;
	s->task[e->object].space = parent->space;
	/*
	 * Of a process that was attached to it is said; else its maker was seen to make it. The
	 * C library's fork() is a clone(), which the accesses tell. The child of a vfork() has the
	 * memory itself until it executes another program: what it allocates is allocated.
	 */
	if (e->arg != CHESS_SPAWN_BORROWS && (e->op ? e->op : parent->op) == CHESS_OP_FORK)
		copy_space(s, e->task);
}

static void wake(struct sync *s, const struct chess_event *e)
{
	if (e->object >= s->out->tasks || e->object == e->task)
		return;
	s->task[e->task].woken = true;
	hand_over(s, e->object, e->task);
}

static void end_task(struct sync *s, uint16_t task)
{
	s->task[task].ended = true;
	if (s->handlers)
		chess_handlers_end(s, task);
	else
		release(s, task, chess_sync_find(s, ENDED, task));
}

static void read_event(struct sync *s, size_t i)
{
	const struct chess_event *e = chess_record_event(s->record, i);

	s->seq = e->seq;
	if (e->task >= s->out->tasks)
		return;
	switch (e->type) {
	case CHESS_EVENT_POINT:
		reach_point(s, i, e);
		break;
	case CHESS_EVENT_SPAWN:
		spawn(s, e);
		break;
	case CHESS_EVENT_WAKE:
		wake(s, e);
		break;
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_KILLED:
		end_task(s, e->task);
		break;
	case CHESS_EVENT_EXEC:
		s->task[e->task].space = ++s->spaces;
		if (s->handlers)
			chess_handlers_exec(s->handlers, e->task);
		break;
	case CHESS_EVENT_TIMEOUT:
		s->task[e->task].timed_out = true;
		break;
	}
	if (chess_event_decides(e) && CHESS_EVENT_IS_TURN(e->type) && e->chosen < s->out->tasks)
		go_on(s, i, e->chosen);
}

/* Backwards, so that what comes next is known. */
static int look_ahead(struct sync *s)
{
	size_t n = chess_record_length(s->record), i;
	uint8_t *next = calloc(s->out->tasks + 1, 1);

	s->waits = calloc(n + 1, sizeof(*s->waits));
	if (!next || !s->waits) {
		free(next);
		return -ENOMEM;
	}
	for (i = n; i--;) {
		const struct chess_event *e = chess_record_event(s->record, i);

		if (!e->type || !CHESS_EVENT_IS_TURN(e->type))
			continue;
		if (e->chosen < s->out->tasks)
			s->waits[i] = next[e->chosen];
		if (e->task < s->out->tasks)
			next[e->task] = e->type == CHESS_EVENT_BLOCK ? BLOCKS :
					e->type == CHESS_EVENT_QUANTUM ||
					e->type == CHESS_EVENT_STALL ? IS_CUT : GOES_ON;
	}
	free(next);
	return 0;
}

/* A call may access the memory of another task's process. */
static uint16_t space_of(const struct sync *s, const struct chess_access *a)
{
	if (a->kind & CHESS_ACCESS_SHARED)
		return CHESS_SPACE_SHARED - a->memory;
	return s->task[chess_access_is_of_task(a, s->out->tasks) ? a->ip : a->task].space;
}

static void access_memory(struct sync *s, const struct chess_access *a, size_t i)
{
	uint16_t space = space_of(s, a);
	bool atomic = a->kind & CHESS_ACCESS_ATOMIC, ours = !(a->kind & CHESS_ACCESS_ORDERS);
	uint64_t address = a->address ^ (uint64_t)space << 48;
	uint32_t object = atomic ? chess_sync_find(s, ATOMIC, address) : 0;

	if (atomic && (a->kind & CHESS_ACCESS_READ))
		acquire(s, a->task, object);
	if (ours)
		chess_sync_push(s, (struct chess_step) {
			.kind = CHESS_STEP_ACCESS, .task = who(s, a->task), .space = space,
			.object = i,
		});
	if (atomic && (a->kind & CHESS_ACCESS_WRITE))
		release(s, a->task, object);
}

static int read_run(struct sync *s, const struct chess_access *a, size_t n)
{
	size_t length = chess_record_length(s->record), at = 0, i;

	for (i = 0; i < n && !s->error; i++) {
		if (a[i].task >= s->out->tasks || (i && a[i].seq < a[i - 1].seq))
			return chess_set_error(EINVAL,
					       "access %zu of a run (task %u, after event %u) does not fit its record",
					       i, a[i].task, a[i].seq);
		while (at < length && chess_record_event(s->record, at)->seq <= a[i].seq)
			read_event(s, at++);
		if (!(a[i].kind & CHESS_ACCESS_TOLD))
			access_memory(s, &a[i], i);
		else if (a[i].size == CHESS_TOLD_COPIED)
			copy_space(s, a[i].task);
		else if (s->handlers)
			chess_handlers_told(s, &a[i]);
	}
	while (at < length && !s->error)
		read_event(s, at++);
	return s->error ? chess_set_error(ENOMEM, "no memory for the order of %zu accesses", n) : 0;
}

int chess_sync_steps(const struct chess_record *r, const struct chess_access *a, size_t n,
		     struct chess_steps *out)
{
	struct sync s = { .record = r, .out = out };
	int ret;

	memset(out, 0, sizeof(*out));
	out->tasks = chess_record_tasks(r);
	s.task = calloc(out->tasks + 1, sizeof(*s.task));
	if (!s.task || look_ahead(&s) || chess_handlers_new(a, n, out->tasks, &s.handlers))
		ret = chess_set_error(ENOMEM, "no memory for the order of %zu accesses", n);
	else
		ret = read_run(&s, a, n);
	out->objects = s.objects.n;
	out->handlers = chess_handlers_count(s.handlers);
	out->tasks += out->handlers;
	chess_handlers_free(s.handlers);
	free(s.task);
	free(s.waits);
	free(s.object);
	chess_objects_free(&s.objects);
	if (ret) {
		free(out->v);
		out->v = NULL;
		out->n = 0;
	}
	return ret;
}
