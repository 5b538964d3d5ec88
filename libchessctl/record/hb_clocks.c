// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The happens-before order of a run as vector clocks, one for each step (record.h says what a
 * step comes after). Which operations depend on each other hb.c knows; wake-ups and the ends
 * of tasks that were waited for order steps without a common object. For exports and other
 * tools; searches have clocks of their own (search/happens.c), which order more where the
 * record says too little to leave a schedule out.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "record/decision.h"
#include "record/hb.h"

/* More numbers than this in clocks would take more memory than an order is worth. */
#define CLOCKS_MAX	(1UL << 28)

/**
 * struct walker - a task while its steps are read
 * @point: index of the POINT event of the op that it is at or waits in, plus one
 * @pointer: its pthread_t, or 0
 * @begun: it has taken a step
 * @waited: it waits in its op, or has until now
 * @ended: it has
 * @process: it began as a process of its own
 */
struct walker {
	size_t point;
	uint64_t pointer;
	bool begun, waited, ended, process;
};

/**
 * struct walk - a record that is read
 * @access: all operations on objects, @n of them, of which those before @next took place
 * @task: by task
 * @clock: by task, @tasks numbers each
 * @written: by object, the clocks of all its writes so far, as one
 * @used: the same with the reads
 */
struct walk {
	const struct chess_record *record;
	size_t tasks, n, next;
	struct chess_hb_access *access;
	struct walker *task;
	uint32_t *clock, *written, *used;
	chess_order_fn *fn;
	void *arg;
};

static uint32_t *row(const struct walk *w, uint32_t *clocks, size_t i)
{
	return clocks + i * w->tasks;
}

static void join(const struct walk *w, uint32_t *clock, const uint32_t *other)
{
	size_t t;

	for (t = 0; t < w->tasks; t++)
		if (other[t] > clock[t])
			clock[t] = other[t];
}

/* What @task does to objects at event @i. */
static void use_objects(struct walk *w, size_t i, uint16_t task)
{
	uint32_t *own = row(w, w->clock, task);
	const struct chess_hb_access *a;
	size_t from, k;

	while (w->next < w->n && w->access[w->next].at < i)
		w->next++;
	from = w->next;
	/* First all that it comes after: it knows of one object what it learned at another. */
	for (k = from; k < w->n && w->access[k].at == i; k++) {
		a = &w->access[k];
		if (a->task == task)
			join(w, own, row(w, a->write ? w->used : w->written, a->object));
	}
	for (k = from; k < w->n && w->access[k].at == i; k++) {
		a = &w->access[k];
		if (a->task != task)
			continue;
		join(w, row(w, w->used, a->object), own);
		if (a->write)
			join(w, row(w, w->written, a->object), own);
	}
}

/* The thread that a join waits for; CHESS_TASK_NONE: not known. */
static size_t joined(const struct walk *w, const struct chess_event *e)
{
	size_t t = w->tasks;

	if (e->object_kind == CHESS_OBJECT_TASK)
		return e->object < w->tasks ? e->object : CHESS_TASK_NONE;
	/* Of two that had the pointer one after the other, the first was joined before. */
	while (e->object && t--)
		if (w->task[t].pointer == e->object)
			return t;
	return CHESS_TASK_NONE;
}

/* After the ends of those that @task has waited for. */
static void use_ends(struct walk *w, const struct chess_event *e, uint16_t task)
{
	uint32_t *own = row(w, w->clock, task);
	size_t t = CHESS_TASK_NONE;

	if (e->op == CHESS_OP_JOIN)
		t = joined(w, e);
	if (t < w->tasks && w->task[t].ended)
		join(w, own, row(w, w->clock, t));
	for (t = 0; e->op == CHESS_OP_WAIT_CHILD && t < w->tasks; t++)
		if (w->task[t].ended && w->task[t].process)
			join(w, own, row(w, w->clock, t));
}

/* Index of the next event after @i that says which task continues; the length: none does. */
static size_t next_turn(const struct chess_record *r, size_t i)
{
	const struct chess_event *e;

	while ((e = chess_record_event(r, ++i)))
		if (chess_event_is_decision(e) && CHESS_EVENT_IS_TURN(e->type))
			break;
	return i;
}

/* @task continues after event @i; @turn is the number of that event, 0: the run begins. */
static int take_step(struct walk *w, size_t i, uint32_t turn, uint16_t task)
{
	struct walker *t = &w->task[task];
	size_t end = next_turn(w->record, turn ? i : (size_t)-1);
	const struct chess_event *last = chess_record_event(w->record, end);
	const struct chess_event *e = t->point ? chess_record_event(w->record, t->point - 1) : NULL;
	struct chess_order_step s = {
		.turn = turn, .end = end + 1, .point = t->point, .task = task,
		.begins = !t->begun, .again = t->waited, .clock = row(w, w->clock, task),
		.tasks = w->tasks,
	};

	s.waits = last && last->type == CHESS_EVENT_BLOCK && last->task == task;
	row(w, w->clock, task)[task]++;
	if (turn)
		use_objects(w, i, task);
	if (e && !s.waits)
		use_ends(w, e, task);
	t->begun = true;
	t->waited = s.waits;
	if (!s.waits)
		t->point = 0;
	return w->fn(w->arg, &s);
}

static void read_spawn(struct walk *w, size_t i, const struct chess_event *e)
{
	struct walker *t;

	if (e->object >= w->tasks)
		return;
	t = &w->task[e->object];
	use_objects(w, i, e->task);
	join(w, row(w, w->clock, e->object), row(w, w->clock, e->task));
	t->process = chess_record_makes_process(w->record, i);
	if (e->arg > CHESS_SPAWN_BORROWS)
		t->pointer = e->arg;
}

static int read_event(struct walk *w, size_t i)
{
	const struct chess_event *e = chess_record_event(w->record, i);

	if (e->task >= w->tasks)
		return 0;
	switch (e->type) {
	case CHESS_EVENT_POINT:
		w->task[e->task].point = i + 1;
		w->task[e->task].waited = false;
		break;
	case CHESS_EVENT_SPAWN:
		read_spawn(w, i, e);
		break;
	case CHESS_EVENT_WAKE:
		if (e->object < w->tasks && e->object != e->task)
			join(w, row(w, w->clock, e->task), row(w, w->clock, e->object));
		break;
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_KILLED:
		w->task[e->task].ended = true;
		break;
	default:
		break;
	}
	if (!chess_event_decides(e) || !CHESS_EVENT_IS_TURN(e->type) || e->chosen >= w->tasks)
		return 0;
	return take_step(w, i, i + 1, e->chosen);
}

int chess_record_order(const struct chess_record *r, chess_order_fn *fn, void *arg)
{
	struct walk w = { .record = r, .tasks = chess_record_tasks(r), .fn = fn, .arg = arg };
	size_t i, length = chess_record_length(r), objects;
	int ret = chess_hb_accesses(r, true, &w.access, &w.n, &objects);

	if (ret || !length || !w.tasks)
		goto out;
	if (w.tasks + 2 * objects > CLOCKS_MAX / w.tasks) {
		ret = chess_set_error(ENOMEM, "the order of %zu tasks that use %zu objects takes too much memory",
				      w.tasks, objects);
		goto out;
	}
	w.task = calloc(w.tasks, sizeof(*w.task));
	w.clock = calloc(w.tasks, w.tasks * sizeof(*w.clock));
	w.written = calloc(objects + 1, w.tasks * sizeof(*w.written));
	w.used = calloc(objects + 1, w.tasks * sizeof(*w.used));
	if (!w.task || !w.clock || !w.written || !w.used) {
		ret = chess_set_error(ENOMEM, "no memory for the order of %zu events of %zu tasks",
				      length, w.tasks);
		goto out;
	}
	if (chess_record_event(r, 0)->task < w.tasks)
		ret = take_step(&w, 0, 0, chess_record_event(r, 0)->task);
	for (i = 0; i < length && !ret; i++)
		ret = read_event(&w, i);
out:
	free(w.access);
	free(w.task);
	free(w.clock);
	free(w.written);
	free(w.used);
	return ret;
}

bool chess_record_makes_process(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i), *by;

	if (!e || e->type != CHESS_EVENT_SPAWN)
		return false;
	if (e->op)
		return e->op == CHESS_OP_FORK;
	if (e->arg)
		return e->arg <= CHESS_SPAWN_BORROWS;
	by = chess_record_last_point(r, i, e->task);
	return by && chess_event_may_fork(by);
}
