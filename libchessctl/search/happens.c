// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See happens.h. Vector clocks over the steps of a run: a step comes after the one its task
 * took before, after the step that enabled its task, and after the last steps that depend on
 * it. A step that finds out that it has to wait counts too: when it did that matters to the
 * tasks that wait for the same thing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "record/decision.h"
#include "search/awaits.h"
#include "search/happens.h"

/* The run has to be read without chess_happens.awaits. */
#define AGAIN		1

/* More numbers than this in clocks would take more memory than a search should. */
#define CLOCKS_MAX	(1UL << 28)

/**
 * struct chess_happens_task - a task while its steps are read
 * @op: the op that it is at, or in
 * @waker: step that enabled it, or CHESS_NO_STEP
 * @ready: it could take a step
 * @last: its last step, plus one
 * @left: the step that ended it, plus one
 * @all: its last step that depends on everything, plus one
 * @join: its last wait for ends of threads, plus one
 * @first: where its steps are in chess_happens.next, @n of them
 * @at: the point of @op, or NULL
 * @await: loops that it waits in
 */
struct chess_happens_task {
	struct chess_op op;
	uint32_t waker;
	bool ready;
	uint32_t last, left, join, all;
	uint32_t first, n;
	const struct chess_event *at;
	struct chess_await_points await;
};

/**
 * struct chess_happens_object - an object while steps are read
 * @write: the last step that wrote it, plus one
 * @read: it was read since
 */
struct chess_happens_object {
	uint32_t write;
	bool read;
};

void chess_happens_free(struct chess_happens *h)
{
	chess_depend_free(&h->depend);
	free(h->step);
	free(h->clock);
	free(h->task);
	free(h->object);
	free(h->read);
	free(h->next);
	free(h->pred);
	free(h->last);
	free(h->conflict);
	free(h->flaw);
}

static int no_memory(void)
{
	return chess_set_error(ENOMEM, "no memory for the steps of a run");
}

static void note_flaw(struct chess_happens *h, const char *what)
{
	if (!h->flaw &&
	    asprintf(&h->flaw, "%s, so tasks depend on each other in ways that their points do not show; search without reductions",
		     what) < 0)
		h->flaw = NULL;
}

/* The last step that was taken, plus one. */
static size_t last_taken(const struct chess_happens *h)
{
	size_t n = h->n;

	while (n && h->step[n - 1].missed)
		n--;
	return n;
}

/* More happened in the last step than its op says. */
static void widen(struct chess_happens *h)
{
	size_t n = last_taken(h);

	if (n)
		h->step[n - 1].op.kind = CHESS_OP_ON_ALL;
}

static int add_step(struct chess_happens *h, uint16_t task, size_t event, uint32_t decision)
{
	struct chess_happens_task *t = &h->task[task];

	if (chess_array_room(&h->step, &h->room, h->n + 1, sizeof(*h->step)))
		return no_memory();
	h->step[h->n++] = (struct chess_step){
		.event = event, .decision = decision, .task = task, .op = t->op,
		.waker = t->waker, .since = t->await.since, .turn = t->await.turn,
	};
	chess_awaits_step(h, &t->await, t->at, h->n - 1);
	t->at = NULL;
	if (chess_depend_astray(&h->depend, task))
		widen(h);
	/*
	 * What it accessed is not in the record. A step that was only about to be taken has no
	 * decision.
	 */
	if (chess_depend_hides(&h->depend, task) && chess_record_event(h->record, event) &&
	    chess_record_is_alone(h->record, event, task))
		widen(h);
	t->waker = CHESS_NO_STEP;
	t->ready = false;
	return 0;
}

static int read_point(struct chess_happens *h, const struct chess_event *e)
{
	struct chess_happens_task *t = &h->task[e->task];
	struct chess_event plain = *e;

	if (h->awaits) {
		if (!chess_awaits_point(h, &t->await, e))
			return AGAIN;
		plain.flags &= ~CHESS_OPF_YIELD;
	}
	t->at = e;
	if (chess_depend_op(&h->depend, h->record, &plain, &t->op))
		return no_memory();
	t->ready = true;
	/* The module never lets this happen, except for a task that was killed. */
	if (chess_event_decides(e) && !(e->enabled >> (e->task & 63) & 1) && e->task < 64)
		note_flaw(h, "a task could not run at its point");
	/* Fairness depends on when a task arrives at its yield and when it leaves it. */
	if (plain.flags & CHESS_OPF_YIELD) {
		if (h->yields == SIZE_MAX)
			h->yields = h->n ? h->n - 1 : 0;
		widen(h);
		t->op.kind = CHESS_OP_ON_ALL;
	}
	return 0;
}

/* Where a task has yielded, a wait counts for fairness. */
static void read_block(struct chess_happens *h, const struct chess_event *e)
{
	size_t n = last_taken(h);
	struct chess_step *s = n ? &h->step[n - 1] : NULL;

	if (s && s->task == e->task && !h->task[e->task].ready)
		s->vain = s->op.tries && h->yields == SIZE_MAX &&
			  !chess_depend_signalled(&h->depend, e->task);
	h->task[e->task].ready = false;
	chess_depend_blocked(&h->depend, e->task);
	if (chess_apart_blocked(&h->depend, e->task)) {
		widen(h);
		h->task[e->task].op.kind = CHESS_OP_ON_ALL;
	}
	if (chess_apart_waits_to_open(&h->depend, e->task))
		note_flaw(h, "a task waited for another one that opens the same named pipe");
}

static void read_wake(struct chess_happens *h, const struct chess_event *e)
{
	struct chess_happens_task *t = &h->task[e->task];
	size_t n = last_taken(h);

	t->ready = true;
	t->waker = n ? n - 1 : CHESS_NO_STEP;
	chess_op_retake(&t->op);
	/* Whether their ops depend on each other reduce.c checks, which reads the run as well. */
	if (!n || e->object >= h->tasks || h->step[n - 1].task != e->object)
		widen(h);
}

static int read_spawn(struct chess_happens *h, const struct chess_event *e)
{
	struct chess_happens_task *t;
	size_t n = last_taken(h);

	if (e->object >= h->tasks)
		return 0;
	t = &h->task[e->object];
	t->ready = true;
	t->waker = n ? n - 1 : CHESS_NO_STEP;
	return chess_depend_spawn(&h->depend, e) ? no_memory() : 0;
}

/*
 * Another task's step has ended this one. Had its own next step come first, that would have been
 * taken, so the two race. It is put in after the step that came in its place.
 */
static int read_killed(struct chess_happens *h, const struct chess_event *e)
{
	int ret;

	chess_apart_ended(&h->depend, e->task);
	widen(h);
	if (!h->task[e->task].ready)
		return 0;
	ret = add_step(h, e->task, SIZE_MAX, h->decisions);
	if (!ret)
		h->step[h->n - 1].missed = true;
	return ret;
}

/* The exit may not be a point. Then the last step of a thread was at another one, and ended it. */
static int read_exit(struct chess_happens *h, const struct chess_event *e)
{
	size_t n = last_taken(h);

	h->task[e->task].ready = false;
	if (!chess_apart_ended(&h->depend, e->task)) {
		widen(h);
		return 0;
	}
	if (h->depend.processes || !n)
		return 0;
	if (h->step[n - 1].task != e->task) {
		widen(h);
		return 0;
	}
	return chess_depend_left(&h->depend, e->task, &h->step[n - 1].op) ? no_memory() : 0;
}

static int read_event(struct chess_happens *h, const struct chess_event *e)
{
	if (e->task >= h->tasks) {
		widen(h);
		return 0;
	}
	switch (e->type) {
	case CHESS_EVENT_POINT:
		return read_point(h, e);
	case CHESS_EVENT_WAKE:
		read_wake(h, e);
		return 0;
	case CHESS_EVENT_SPAWN:
		return read_spawn(h, e);
	case CHESS_EVENT_BLOCK:
		read_block(h, e);
		return 0;
	case CHESS_EVENT_EXIT:
		return read_exit(h, e);
	case CHESS_EVENT_KILLED:
		return read_killed(h, e);
	case CHESS_EVENT_FAIR:
		return 0;
	case CHESS_EVENT_EXEC:
		chess_apart_executed(&h->depend, e->task);
		if (!chess_is_apart(&h->depend, e->task))
			widen(h);
		return 0;
	case CHESS_EVENT_TIMER:
	case CHESS_EVENT_SIGNAL:
		/* A timer may send a signal. */
		h->depend.signalled = true;
		widen(h);
		return 0;
	default:
		widen(h);
		return 0;
	}
}

static int begin(struct chess_happens *h, const struct chess_record *r)
{
	size_t t;

	h->record = r;
	h->tasks = chess_record_tasks(r);
	h->decisions = 0;
	h->n = 0;
	h->yields = SIZE_MAX;
	chess_depend_reset(&h->depend);
	if (chess_array_room(&h->task, &h->task_room, h->tasks + 1, sizeof(*h->task)))
		return no_memory();
	memset(h->task, 0, h->tasks * sizeof(*h->task));
	for (t = 0; t < h->tasks; t++) {
		h->task[t].waker = CHESS_NO_STEP;
		chess_awaits_step(h, &h->task[t].await, NULL, CHESS_NO_STEP);
	}
	return 0;
}

/* The steps of each task, one after another. */
static int sort_by_task(struct chess_happens *h)
{
	uint32_t first = 0;
	size_t i;

	if (chess_array_room(&h->next, &h->next_room, h->n + 1, sizeof(*h->next)))
		return no_memory();
	for (i = 0; i < h->n; i++)
		h->task[h->step[i].task].n++;
	for (i = 0; i < h->tasks; i++) {
		h->task[i].first = first;
		first += h->task[i].n;
		h->task[i].n = 0;
	}
	for (i = 0; i < h->n; i++) {
		struct chess_happens_task *t = &h->task[h->step[i].task];

		h->next[t->first + t->n++] = i;
	}
	return 0;
}

/* What tasks were about to do when the run ended, which kept them from it. */
static int add_pending(struct chess_happens *h)
{
	size_t t, last = last_taken(h);
	int ret = 0;

	h->done = h->n;
	h->cut = SIZE_MAX;
	for (t = 0; t < h->tasks && !ret; t++)
		if (h->task[t].ready)
			ret = add_step(h, t, SIZE_MAX, UINT32_MAX);
	/* A loop that waits is cut by the length of the run, not by what it did last. */
	if (h->n > h->done && last && !chess_awaits_stands(h, h->step[last - 1].task))
		h->step[last - 1].op.kind = CHESS_OP_ON_ALL;
	return ret;
}

static int read_record(struct chess_happens *h, const struct chess_record *r)
{
	size_t i, length = chess_record_length(r);
	int ret = begin(h, r);

	for (i = 0; i < length && !ret; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		ret = read_event(h, e);
		if (ret || !chess_event_decides(e))
			continue;
		if (!CHESS_EVENT_IS_TURN(e->type))
			widen(h);
		else if (e->chosen < h->tasks) {
			bool late = chess_record_timed(r, i, e->chosen);

			ret = add_step(h, e->chosen, i, h->decisions);
			if (late)
				widen(h);
		}
		h->decisions++;
	}
	if (!ret)
		ret = add_pending(h);
	if (!ret)
		ret = sort_by_task(h);
	if (!ret && h->awaits && !chess_awaits_find(h))
		ret = AGAIN;
	if (!ret)
		chess_happens_find_moot(h);
	return ret;
}

/**
 * chess_happens_read() - the steps of a run
 * @h: all zero, or of another run
 * @r: its record, until the next call
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_happens_read(struct chess_happens *h, const struct chess_record *r)
{
	int ret;

	h->awaits = chess_awaits_apply(r);
	ret = read_record(h, r);
	if (ret == AGAIN) {
		h->awaits = false;
		ret = read_record(h, r);
	}
	return ret;
}

/**
 * chess_happens_first() - a task's first step
 * @h: the run
 * @task: which task
 *
 * Return: its number; SIZE_MAX: there is none.
 */
size_t chess_happens_first(const struct chess_happens *h, size_t task)
{
	return h->task[task].n ? h->next[h->task[task].first] : SIZE_MAX;
}

/**
 * chess_happens_next() - a task's next step
 * @h: the run
 * @task: which task
 * @step: number of a step
 *
 * Return: number of its first step after @step; SIZE_MAX: there is none.
 */
size_t chess_happens_next(const struct chess_happens *h, size_t task, size_t step)
{
	const struct chess_happens_task *t = &h->task[task];
	size_t low = 0, high = t->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (h->next[t->first + mid] > step)
			high = mid;
		else
			low = mid + 1;
	}
	return low < t->n ? h->next[t->first + low] : SIZE_MAX;
}

/* The step whose races are being reported: could it come in place of @first? */
static bool begins_itself(const struct chess_happens *h, size_t first)
{
	size_t k;

	for (k = 0; k < h->preds; k++) {
		uint32_t x = h->pred[k];
		bool behind = x == first || chess_happens_before(h, first, x);

		/* It has to come after its task's steps, and not after what it is to precede. */
		if (behind ? k < h->own_preds : x > first)
			return false;
	}
	return true;
}

/**
 * chess_happens_begins() - could a step come in place of another one?
 * @h: the run
 * @first: number of a step
 * @y: of a later one
 *
 * Return: whether @y is ordered neither after @first nor after any step after it. Of the step
 * whose races are being reported only the order with what does not come after @first counts.
 */
bool chess_happens_begins(const struct chess_happens *h, size_t first, size_t y)
{
	const uint32_t *clock = &h->clock[y * h->tasks];
	size_t t;

	if (y == h->at)
		return begins_itself(h, first);
	if (chess_happens_before(h, first, y))
		return false;
	for (t = 0; t < h->tasks; t++)
		if (t != h->step[y].task && clock[t] > first + 1)
			return false;
	return true;
}

static void add_pred(struct chess_happens *h, uint32_t step_plus_one)
{
	if (step_plus_one)
		h->pred[h->preds++] = step_plus_one - 1;
}

static bool is_thread(const struct chess_happens *h, uint32_t object)
{
	return h->depend.objects.key[object].kind == CHESS_OBJECT_TASK;
}

static void add_objects(struct chess_happens *h, const struct chess_op *op)
{
	unsigned int i;
	size_t t;

	for (i = 0; i < op->n; i++) {
		const struct chess_happens_object *o = &h->object[op->object[i]];

		add_pred(h, o->write);
		/* A thread ends in the same way whether another one waits for that or not. */
		if (is_thread(h, op->object[i]))
			continue;
		for (t = 0; chess_op_writes(op, i) && o->read && t < h->tasks; t++)
			add_pred(h, h->read[op->object[i] * h->tasks + t]);
	}
}

/* What step @i comes after directly; @all: the last one that depends on everything */
static void find_preds(struct chess_happens *h, size_t i, uint32_t all)
{
	const struct chess_step *s = &h->step[i];
	size_t t;

	h->at = i;
	h->preds = 0;
	add_pred(h, h->task[s->task].last);
	if (s->waker != CHESS_NO_STEP)
		add_pred(h, s->waker + 1);
	h->own_preds = h->preds;
	add_pred(h, all);
	add_objects(h, &s->op);
	for (t = 0; t < h->tasks; t++) {
		if (s->op.kind == CHESS_OP_ON_ALL)
			add_pred(h, h->task[t].last);
		if (s->op.kind == CHESS_OP_LEAVES)
			add_pred(h, h->task[t].join);
		if (s->op.kind == CHESS_OP_JOINS)
			add_pred(h, h->task[t].left);
	}
}

static void set_clock(struct chess_happens *h, size_t i)
{
	uint32_t *clock = &h->clock[i * h->tasks];
	size_t k, t;

	memset(clock, 0, h->tasks * sizeof(*clock));
	for (k = 0; k < h->preds; k++) {
		const uint32_t *from = &h->clock[(size_t)h->pred[k] * h->tasks];

		for (t = 0; t < h->tasks; t++)
			if (from[t] > clock[t])
				clock[t] = from[t];
	}
	clock[h->step[i].task] = i + 1;
}

/* A step that was not taken comes before no other. */
static bool is_taken(const struct chess_happens *h, size_t i)
{
	return i < h->done && !h->step[i].missed;
}

/* The step is taken: later dependent ones come after it. */
static void enter(struct chess_happens *h, size_t i, uint32_t *all)
{
	const struct chess_step *s = &h->step[i];
	struct chess_happens_task *t = &h->task[s->task];
	unsigned int k;

	if (s->spent)
		return;
	t->last = i + 1;
	if (s->moot)
		return;
	if (s->op.kind == CHESS_OP_ON_ALL)
		*all = t->all = i + 1;
	if (s->op.kind == CHESS_OP_LEAVES)
		t->left = i + 1;
	if (s->op.kind == CHESS_OP_JOINS)
		t->join = i + 1;
	for (k = 0; k < s->op.n; k++) {
		struct chess_happens_object *o = &h->object[s->op.object[k]];
		uint32_t *read = &h->read[s->op.object[k] * h->tasks];
		bool writes = chess_op_writes(&s->op, k);

		h->last[2 * (s->op.object[k] * h->tasks + s->task) + writes] = i + 1;
		if (!writes) {
			read[s->task] = i + 1;
			o->read = true;
			continue;
		}
		if (o->read)
			memset(read, 0, h->tasks * sizeof(*read));
		o->read = false;
		o->write = i + 1;
	}
}

/* The current step comes after step @e: is that due to no other step between them? */
static bool is_race(const struct chess_happens *h, uint32_t e)
{
	const struct chess_step *s = &h->step[h->at];
	size_t k;

	if (h->step[e].task == s->task || e == s->waker ||
	    chess_ops_end_and_wait(&h->step[e].op, &s->op))
		return false;
	for (k = 0; k < h->preds; k++)
		if (h->pred[k] != e && chess_happens_before(h, e, h->pred[k]))
			return false;
	return true;
}

/* Is step @y ordered before what the task of the current step did last, or is it that? */
static bool is_own(const struct chess_happens *h, size_t y)
{
	size_t k;

	for (k = 0; k < h->own_preds; k++)
		if (h->pred[k] == y || chess_happens_before(h, y, h->pred[k]))
			return true;
	return false;
}

/*
 * A step that tries for something could have come before step @e, which depends on everything, and
 * waited. What lets it go on in this run comes after @e, and hides that.
 */
static bool is_hidden_race(const struct chess_happens *h, uint32_t e)
{
	const struct chess_step *s = &h->step[h->at];

	return s->op.tries && h->step[e].task != s->task && !is_own(h, e) && !is_race(h, e);
}

static int room_for_clocks(struct chess_happens *h)
{
	size_t objects = h->depend.objects.n;
	size_t preds = 3 * h->tasks + 3 + CHESS_OP_OBJECTS * (h->tasks + 1);

	if ((h->n + objects) * h->tasks > CLOCKS_MAX) {
		note_flaw(h, "a run has too many steps to say which of them are ordered");
		return 1;
	}
	if (chess_array_room(&h->clock, &h->clock_room, h->n * h->tasks + 1, sizeof(*h->clock)) ||
	    chess_array_room(&h->pred, &h->pred_room, preds, sizeof(*h->pred)) ||
	    chess_array_room(&h->object, &h->object_room, objects + 1, sizeof(*h->object)) ||
	    chess_array_room(&h->last, &h->last_room, 2 * objects * h->tasks + 1,
			     sizeof(*h->last)) ||
	    chess_array_room(&h->conflict, &h->conflict_room, h->tasks * h->tasks + 1,
			     sizeof(*h->conflict)) ||
	    chess_array_room(&h->read, &h->read_room, objects * h->tasks + 1, sizeof(*h->read)))
		return no_memory();
	memset(h->object, 0, objects * sizeof(*h->object));
	memset(h->read, 0, objects * h->tasks * sizeof(*h->read));
	memset(h->last, 0, 2 * objects * h->tasks * sizeof(*h->last));
	memset(h->conflict, 0, h->tasks * h->tasks * sizeof(*h->conflict));
	return 0;
}

static bool is_due(const struct chess_happens *h, size_t i, size_t from)
{
	return h->step[i].decision >= from && !h->step[i].spent;
}

/**
 * chess_happens_races() - which steps could come the other way round
 * @h: a run that was read
 * @from: only where the second step was chosen at this decision or later, or never
 * @race: called for each pair, in the order of the second ones
 * @arg: its first argument
 *
 * Return: 0 or negative errno.
 */
int chess_happens_races(struct chess_happens *h, size_t from, chess_happens_race *race,
			void *arg)
{
	uint32_t all = 0;
	size_t i, k;
	int ret = room_for_clocks(h);

	if (ret)
		return ret < 0 ? ret : 0;
	for (i = 0; i < h->n && i < h->cut && !ret; i++) {
		find_preds(h, i, all);
		set_clock(h, i);
		for (k = h->own_preds; k < h->preds && !ret && is_due(h, i, from); k++)
			if (is_race(h, h->pred[k]))
				ret = race(arg, h->pred[k], i);
		if (all && !ret && is_due(h, i, from) && is_hidden_race(h, all - 1))
			ret = race(arg, all - 1, i);
		if (is_taken(h, i))
			enter(h, i, &all);
	}
	return ret;
}

/* The last step of @other that step @s, not yet taken, depends on, plus one. */
static uint32_t last_conflict(const struct chess_happens *h, const struct chess_step *s,
			      size_t other)
{
	uint32_t last = h->task[other].all;
	unsigned int i;

	if (s->op.kind == CHESS_OP_ON_ALL)
		return h->task[other].last;
	for (i = 0; i < s->op.n; i++) {
		const uint32_t *of = &h->last[2 * (s->op.object[i] * h->tasks + other)];

		/* The end of a thread and a wait for it are in no race, and must not hide one. */
		if (is_thread(h, s->op.object[i]))
			continue;
		if (of[1] > last)
			last = of[1];
		if (chess_op_writes(&s->op, i) && of[0] > last)
			last = of[0];
	}
	return last;
}

/* The next step of the task of step @i is known now: with which steps does it conflict so far? */
static void find_conflicts(struct chess_happens *h, size_t i)
{
	size_t task = h->step[i].task, t, next = chess_happens_next(h, task, i);

	for (t = 0; next != SIZE_MAX && t < h->tasks; t++)
		h->conflict[task * h->tasks + t] = t == task ? 0 :
						   last_conflict(h, &h->step[next], t);
}

/**
 * chess_happens_ready() - since when could the current step be taken?
 * @h: the run, while chess_happens_conflicts() reports on it
 *
 * Return: number of the first step in place of which it could have been.
 */
size_t chess_happens_ready(const struct chess_happens *h)
{
	size_t k, ready = 0;

	for (k = 0; k < h->own_preds; k++)
		if (h->pred[k] >= ready)
			ready = h->pred[k] + 1;
	return ready;
}

static int tell_conflicts(struct chess_happens *h, chess_happens_race *race, void *arg)
{
	const struct chess_step *s = &h->step[h->at];
	size_t ready = chess_happens_ready(h), end = h->at, i, t;
	int ret = 0;

	if (end > h->done)
		end = h->done;
	if (end > h->cut)
		end = h->cut;
	for (i = ready; i < end && !ret; i++)
		if (h->step[i].task != s->task && !h->step[i].moot && is_taken(h, i) &&
		    !chess_ops_end_and_wait(&h->step[i].op, &s->op) &&
		    chess_ops_depend(&h->step[i].op, &s->op))
			ret = race(arg, i, h->at);
	for (t = 0; t < h->tasks && !ret; t++) {
		uint32_t e = h->conflict[s->task * h->tasks + t];

		if (e && e - 1 < ready && !is_own(h, e - 1) &&
		    !chess_ops_end_and_wait(&h->step[e - 1].op, &s->op))
			ret = race(arg, e - 1, h->at);
	}
	for (i = h->own_preds; i < h->preds && !ret; i++)
		if (h->pred[i] < ready && is_race(h, h->pred[i]))
			ret = race(arg, h->pred[i], h->at);
	return ret;
}

/**
 * chess_happens_conflicts() - the same where schedules have a bound
 * @h: a run that was read
 * @from: as for chess_happens_races()
 * @race: as there
 * @arg: its first argument
 *
 * A step between two that depend on each other may be one that the bound does not allow to be
 * moved. So for each step all steps are reported that depend on it and were taken while its task
 * could have taken it; of each task only the last one before it.
 *
 * Return: 0 or negative errno.
 */
int chess_happens_conflicts(struct chess_happens *h, size_t from, chess_happens_race *race,
			    void *arg)
{
	uint32_t all = 0;
	size_t i;
	int ret = room_for_clocks(h);

	if (ret)
		return ret < 0 ? ret : 0;
	for (i = 0; i < h->n && !ret; i++) {
		find_preds(h, i, all);
		set_clock(h, i);
		if (is_due(h, i, from) && chess_happens_ready(h) <= h->cut)
			ret = tell_conflicts(h, race, arg);
		if (is_taken(h, i)) {
			enter(h, i, &all);
			find_conflicts(h, i);
		}
	}
	return ret;
}
