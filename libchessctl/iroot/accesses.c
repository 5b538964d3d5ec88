// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The record of a run as accesses to objects: which locks their tasks had, and which come
 * before them in every schedule because tasks are created and joined (Maple, sections 3.3 and
 * 3.4). Signals of conditions, semaphores and the like are no such order here: another schedule
 * may have them the other way round, and an iRoot that is left out is never tried.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "iroot/iroot.h"

/* Clocks are rows of as many numbers as there are tasks. */
#define MAX_CLOCK_TASKS	256
/* A task that has more locks at a time is taken to have the first ones only. */
#define MAX_LOCKS	16

/**
 * struct owner - a task, as far as it was read
 * @ops: how many operations
 * @event: index of the last one's event
 * @clock: row of the clock
 * @have: locks it has, @n_have of them
 * @again: how often each was taken again
 * @locks: where the list of them is in the run's, if @listed
 * @begun: it did something; @clock is good
 */
struct owner {
	uint32_t ops, clock, locks;
	size_t event;
	struct chess_iroot_lock have[MAX_LOCKS];
	unsigned int again[MAX_LOCKS], n_have;
	bool listed, begun;
};

/**
 * struct reader - a record that is being read
 * @run: what is found
 * @record: the record
 * @owner: by task
 * @given: row of the clock with which each task was last created, ended or joined, plus one
 */
struct reader {
	struct chess_iroot_run *run;
	const struct chess_record *record;
	struct owner *owner;
	uint32_t *given;
};

static bool is_lock(const struct chess_event *e)
{
	return e->op == CHESS_OP_LOCK || e->op == CHESS_OP_TRYLOCK || e->op == CHESS_OP_RDLOCK ||
	       e->op == CHESS_OP_WRLOCK;
}

/* As kmod/policy.c has it; 0: policy order knows no such place. */
static uint32_t place_of(const struct chess_event *e)
{
	if (e->object_kind == CHESS_OBJECT_NONE)
		return 0;
	if (!(e->flags & CHESS_OPF_PROBE))
		return CHESS_ORDER_CALL(e->nr, e->ip);
	if (!e->nr || chess_event_is_access(e))
		return e->nr;
	return CHESS_HOLD_CALL(e->caller ? e->caller : e->ip);
}

/* A row like row @from; UINT32_MAX: no memory. */
static uint32_t copy_clock(struct chess_iroot_run *run, uint32_t from)
{
	size_t to = run->n_clocks;

	if (chess_array_room(&run->clock, &run->clock_room, (to + 1) * run->tasks,
			     sizeof(*run->clock)))
		return CHESS_IROOT_NONE;
	memcpy(run->clock + to * run->tasks, run->clock + from * run->tasks,
	       run->tasks * sizeof(*run->clock));
	return run->n_clocks++;
}

/* What is done to a task: it is created, begins, ends or is joined. */
static int read_task(struct reader *d, const struct chess_hb_access *a)
{
	struct chess_iroot_run *run = d->run;
	struct owner *o = &d->owner[a->task];
	uint32_t *given = a->number < run->tasks ? &d->given[a->number] : NULL, *row, *other, clock;
	size_t i;

	if (!run->clock || !given)
		return 0;
	clock = copy_clock(run, o->clock);
	if (clock == CHESS_IROOT_NONE)
		return -ENOMEM;
	o->clock = clock;
	row = run->clock + (size_t)clock * run->tasks;
	other = *given ? run->clock + (size_t)(*given - 1) * run->tasks : row;
	for (i = 0; i < run->tasks; i++)
		if (other[i] > row[i])
			row[i] = other[i];
	row[a->task] = o->ops;
	if (!a->write)
		return 0;
	clock = copy_clock(run, clock);
	if (clock == CHESS_IROOT_NONE)
		return -ENOMEM;
	*given = clock + 1;
	return 0;
}

static void take_lock(struct owner *o, const struct chess_hb_access *a, bool shared)
{
	unsigned int i;

	for (i = 0; i < o->n_have; i++)
		if (o->have[i].object == a->object) {
			o->again[i]++;
			return;
		}
	if (i == MAX_LOCKS)
		return;
	o->have[i] = (struct chess_iroot_lock){ .object = a->object, .since = o->ops,
						.shared = shared };
	o->again[i] = 0;
	o->n_have++;
	o->listed = false;
}

static void give_lock(struct owner *o, uint32_t object)
{
	unsigned int i;

	for (i = 0; i < o->n_have; i++)
		if (o->have[i].object == object)
			break;
	if (i == o->n_have)
		return;
	if (o->again[i]) {
		o->again[i]--;
		return;
	}
	o->n_have--;
	memmove(&o->have[i], &o->have[i + 1], (o->n_have - i) * sizeof(*o->have));
	memmove(&o->again[i], &o->again[i + 1], (o->n_have - i) * sizeof(*o->again));
	o->listed = false;
}

/* A wait for a condition gives its mutex and takes it: what it guards may change meanwhile. */
static void renew_lock(struct owner *o, uint32_t object)
{
	unsigned int i;

	for (i = 0; i < o->n_have; i++)
		if (o->have[i].object == object) {
			o->have[i].since = o->ops;
			o->listed = false;
		}
}

static int list_locks(struct reader *d, struct owner *o, struct chess_iroot_access *a)
{
	struct chess_iroot_run *run = d->run;

	if (!o->listed) {
		if (chess_array_room(&run->lock, &run->lock_room, run->n_locks + o->n_have,
				     sizeof(*run->lock)))
			return -ENOMEM;
		o->locks = run->n_locks;
		memcpy(run->lock + run->n_locks, o->have, o->n_have * sizeof(*run->lock));
		run->n_locks += o->n_have;
		o->listed = true;
	}
	a->locks = o->locks;
	a->n_locks = o->n_have;
	return 0;
}

static int read_access(struct reader *d, const struct chess_hb_access *a)
{
	const struct chess_event *e = chess_record_event(d->record, a->event);
	struct owner *o = &d->owner[a->task];
	struct chess_iroot_access *to;
	int ret;

	if (!o->begun || o->event != a->event)
		o->ops++;
	o->begun = true;
	o->event = a->event;
	/* The mutex of a wait for a condition does not count as a place. */
	if (e->op == CHESS_OP_COND_WAIT && a->number == e->arg && a->number != e->object) {
		renew_lock(o, a->object);
		return 0;
	}
	if (!place_of(e))
		return 0;
	to = &d->run->access[d->run->n];
	*to = (struct chess_iroot_access){
		.event = a->event, .task = a->task, .object = a->object, .place = place_of(e),
		.own = o->ops,
		.write = a->write, .tried = a->tried, .takes = is_lock(e),
		.gives = e->op == CHESS_OP_UNLOCK, .clock = o->clock,
	};
	/* Whether a trylock succeeded is not recorded: without the lock more is predicted. */
	if (to->takes && !a->tried && e->op != CHESS_OP_TRYLOCK)
		take_lock(o, a, e->op == CHESS_OP_RDLOCK);
	ret = list_locks(d, o, to);
	if (to->gives)
		give_lock(o, a->object);
	d->run->n++;
	return ret;
}

/* Indices of accesses by object, each object's in their order. */
static uint32_t *sort_by_object(const struct chess_iroot_run *run)
{
	uint32_t *begin = calloc(run->objects + 2, sizeof(*begin));
	uint32_t *sorted = malloc((run->n + 1) * sizeof(*sorted));
	size_t i;

	if (!begin || !sorted) {
		free(begin);
		free(sorted);
		return NULL;
	}
	for (i = 0; i < run->n; i++)
		begin[run->access[i].object + 2]++;
	for (i = 2; i < run->objects + 2; i++)
		begin[i] += begin[i - 1];
	for (i = 0; i < run->n; i++)
		sorted[begin[run->access[i].object + 1]++] = i;
	free(begin);
	return sorted;
}

/* @last: of each task, the last access and the last write seen, plus one; zero in the end. */
static void link_object(struct chess_iroot_run *run, const uint32_t *at, size_t n, uint32_t *last)
{
	struct chess_iroot_access *a;
	size_t i;

	for (i = 0; i < n; i++) {
		a = &run->access[at[i]];
		a->previous = last[2 * a->task] - 1;
		a->previous_write = last[2 * a->task + 1] - 1;
		last[2 * a->task] = at[i] + 1;
		if (a->write)
			last[2 * a->task + 1] = at[i] + 1;
	}
	for (i = 0; i < n; i++)
		last[2 * run->access[at[i]].task] = last[2 * run->access[at[i]].task + 1] = 0;
	for (i = n; i-- > 0; ) {
		a = &run->access[at[i]];
		a->next = last[2 * a->task] - 1;
		a->next_write = last[2 * a->task + 1] - 1;
		last[2 * a->task] = at[i] + 1;
		if (a->write)
			last[2 * a->task + 1] = at[i] + 1;
	}
	for (i = 0; i < n; i++)
		last[2 * run->access[at[i]].task] = last[2 * run->access[at[i]].task + 1] = 0;
}

/* Which accesses of a task to one object follow each other. */
static int link_accesses(struct chess_iroot_run *run)
{
	uint32_t *last = calloc(2 * run->tasks + 1, sizeof(*last));
	uint32_t *sorted = sort_by_object(run);
	size_t i, end;

	for (i = 0; last && sorted && i < run->n; i = end) {
		for (end = i; end < run->n && run->access[sorted[end]].object ==
					      run->access[sorted[i]].object; )
			end++;
		link_object(run, sorted + i, end - i, last);
	}
	i = last && sorted;
	free(last);
	free(sorted);
	return i ? 0 : -ENOMEM;
}

/**
 * chess_iroot_read() - what tasks did in a run
 * @run: all zero; chess_iroot_run_clear() it in any case
 * @r: the record
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_iroot_read(struct chess_iroot_run *run, const struct chess_record *r)
{
	struct reader d = { .run = run, .record = r };
	struct chess_hb_access *a;
	size_t n, i;
	int ret;

	ret = chess_hb_accesses(r, true, &a, &n, &run->objects);
	if (ret)
		return ret;
	run->tasks = chess_record_tasks(r);
	run->access = calloc(n + 1, sizeof(*run->access));
	d.owner = calloc(run->tasks + 1, sizeof(*d.owner));
	d.given = calloc(run->tasks + 1, sizeof(*d.given));
	if (!run->access || !d.owner || !d.given)
		ret = -ENOMEM;
	/* Row 0: nothing comes before. */
	if (!ret && run->tasks && run->tasks <= MAX_CLOCK_TASKS) {
		ret = chess_array_room(&run->clock, &run->clock_room, run->tasks,
				       sizeof(*run->clock));
		if (!ret)
			memset(run->clock, 0, run->tasks * sizeof(*run->clock));
		run->n_clocks = 1;
	}
	for (i = 0; i < n && !ret; i++)
		if (a[i].kind == CHESS_OBJECT_TASK)
			ret = read_task(&d, &a[i]);
		else if (a[i].event != SIZE_MAX)
			ret = read_access(&d, &a[i]);
	if (!ret)
		ret = link_accesses(run);
	free(d.owner);
	free(d.given);
	free(a);
	return ret ? chess_set_error(ENOMEM, "no memory for the %zu accesses of a run", n) : 0;
}

/**
 * chess_iroot_run_clear() - forget it
 * @run: all zero afterwards
 */
void chess_iroot_run_clear(struct chess_iroot_run *run)
{
	free(run->access);
	free(run->lock);
	free(run->clock);
	memset(run, 0, sizeof(*run));
}

/**
 * chess_iroot_depends() - can there be an iRoot A => B of these
 * @a: an access
 * @b: an access of another task to the same object
 *
 * Of lock operations these are: a lock is taken after it was given back, or is asked for while
 * another task has it. The second is not in the paper, whose deadlocks of idiom 5 need it.
 * What found out that it has to wait may be either: in another schedule it does not.
 *
 * Return: whether they conflict in this way.
 */
bool chess_iroot_depends(const struct chess_iroot_access *a, const struct chess_iroot_access *b)
{
	if (a->task == b->task || a->object != b->object)
		return false;
	if ((a->takes || a->gives) && (b->takes || b->gives))
		return b->takes;
	return a->write || b->write;
}

/**
 * chess_iroot_is_alone() - does a task leave two objects alone between two accesses
 * @run: the run
 * @a: an access
 * @d: a later one of the same task
 *
 * Return: whether it accesses neither the object of @a nor that of @d in between.
 */
bool chess_iroot_is_alone(const struct chess_iroot_run *run, const struct chess_iroot_access *a,
			  const struct chess_iroot_access *d)
{
	uint32_t next = a->next, previous = d->previous;

	/* An operation that had to wait has several accesses. */
	while (next != CHESS_IROOT_NONE && run->access[next].own == a->own)
		next = run->access[next].next;
	while (previous != CHESS_IROOT_NONE && run->access[previous].own == d->own)
		previous = run->access[previous].previous;
	return (next == CHESS_IROOT_NONE || run->access[next].own >= d->own) &&
	       (previous == CHESS_IROOT_NONE || run->access[previous].own <= a->own);
}
