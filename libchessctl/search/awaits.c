// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See awaits.h. The module marks an access as a yield from the turn on that does what the one
 * before it did (kmod/await.h). Between two arrivals at that access lies one turn. Only turns of
 * one access are left out. Of two accesses, a write may come between them; then a part of one
 * turn and a part of the next make up the turn that ends the loop.
 */
#include "internal.h"
#include "record/decision.h"
#include "search/awaits.h"
#include "search/happens.h"

/* Sets of tasks are one word in dpor.c. */
#define TASKS_MAX	64

/* CHESS_AWAIT_SITES of kmod/await.h. */
#define COUNTED_MAX	4

/*
 * Fairness and time count each turn, so turns are left out only where no task yields by itself and
 * none waits with a deadline. Memory that processes share is written by what no step shows.
 */
bool chess_awaits_apply(const struct chess_record *r)
{
	size_t i, length = chess_record_length(r);
	bool any = false;

	if (!chess_record_yield_await(r) || chess_record_tasks(r) > TASKS_MAX)
		return false;
	for (i = 0; i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type != CHESS_EVENT_FAIR && !chess_event_is_ordinary(e))
			return false;
		if (e->type != CHESS_EVENT_POINT)
			continue;
		if ((e->flags & CHESS_OPF_YIELD && !chess_event_awaits(r, e)) ||
		    e->op == CHESS_OP_FORK)
			return false;
		any |= chess_event_awaits(r, e);
	}
	return any;
}

static bool is_same(const struct chess_await_points *p, unsigned int i, unsigned int k)
{
	return p->site[i] == p->site[k] && p->object[i] == p->object[k];
}

/*
 * Turns are counted from where the loop was entered, or has changed something. It was not after
 * the last time that the task came to access @from and did not yield.
 */
static unsigned int known_since(const struct chess_await_points *p, unsigned int from)
{
	unsigned int since = from, i = from;

	while (i-- && p->waited[since])
		if (is_same(p, i, from))
			since = i;
	return since;
}

/* Of a loop with more accesses the module forgets some, so that turns of it are counted again. */
static bool are_counted(const struct chess_await_points *p, unsigned int since)
{
	unsigned int i, k, n = 0;

	for (i = since; i < p->n; i++) {
		for (k = since; k < i && p->site[k] != p->site[i]; k++)
			;
		n += k == i;
	}
	return n <= COUNTED_MAX;
}

/*
 * Within a bound it may be the first turns in vain that let others run for free. Would later
 * accesses be yields without the turn that begins at access @from, too? Those that were none in
 * two turns before it are none in any.
 */
static bool is_free(const struct chess_await_points *p, unsigned int from)
{
	unsigned int since = known_since(p, from), i, k, before;

	for (i = from; i < p->n; i++) {
		for (before = 0, k = since; k < i; k++)
			before += is_same(p, k, i);
		if (!p->waited[i] && before < 2)
			return false;
	}
	return p->waited[from] && are_counted(p, since);
}

bool chess_awaits_point(struct chess_happens *h, struct chess_await_points *p,
			const struct chess_event *e)
{
	unsigned int i = p->n;

	if (!chess_event_awaits(h->record, e))
		return true;
	while (i && (p->site[i - 1] != e->nr || p->object[i - 1] != e->object))
		i--;
	if (!i--)
		return false;
	if (i == p->n - 1) {
		p->since = p->step[i];
		h->step[p->step[i]].idle = true;
	} else if (!h->bounded || is_free(p, i)) {
		p->turn = p->step[i];
	}
	return true;
}

void chess_awaits_step(struct chess_happens *h, struct chess_await_points *p,
		       const struct chess_event *e, uint32_t step)
{
	unsigned int i;

	p->since = CHESS_NO_STEP;
	p->turn = CHESS_NO_STEP;
	if (!e || !chess_event_is_access(e)) {
		p->n = 0;
		return;
	}
	if (p->n == CHESS_TURN_MAX) {
		for (i = 1; i < p->n; i++) {
			p->site[i - 1] = p->site[i];
			p->step[i - 1] = p->step[i];
			p->object[i - 1] = p->object[i];
			p->waited[i - 1] = p->waited[i];
		}
		p->n--;
	}
	p->site[p->n] = e->nr;
	p->step[p->n] = step;
	p->object[p->n] = e->object;
	p->waited[p->n++] = chess_event_awaits(h->record, e);
}

/* Does step @k write what step @i, an earlier one of another task, read in a turn in vain? */
static bool ends_wait(const struct chess_happens *h, size_t i, size_t k)
{
	struct chess_op op = h->step[i].op;

	/* An exchange in such a turn has changed nothing. */
	op.write = false;
	return h->step[k].task != h->step[i].task && !h->step[k].idle && !h->step[k].missed &&
	       chess_ops_depend(&op, &h->step[k].op);
}

/* Steps of turns of several accesses; those from the first one that need not be taken are spent. */
static void find_turns(struct chess_happens *h)
{
	size_t i, k, t;
	bool spent;

	for (i = 0; i < h->n; i++)
		for (k = h->step[i].turn; k < i; k = chess_happens_next(h, h->step[i].task, k))
			h->step[k].turned = true;
	for (t = 0; t < h->tasks; t++) {
		spent = false;
		for (i = chess_happens_first(h, t); i != SIZE_MAX;
		     i = chess_happens_next(h, t, i)) {
			struct chess_step *s = &h->step[i];

			spent |= s->turn != CHESS_NO_STEP;
			s->spent = spent;
			s->idle |= spent && s->turned;
			spent &= s->turned;
		}
	}
}

/*
 * Where a task stands at a loop after a turn and takes step @i: the step that shows that it has
 * left the loop, as the turn would otherwise be over. SIZE_MAX: it has not.
 */
static size_t left_at(const struct chess_happens *h, size_t i)
{
	const struct chess_step *s = &h->step[i];
	size_t turn, next = i;

	for (turn = s->turn; turn < i && next != SIZE_MAX;
	     turn = chess_happens_next(h, s->task, turn))
		next = chess_happens_next(h, s->task, next);
	return next;
}

/* Is that because a step before it has written what the turn before read? */
static bool may_leave(const struct chess_happens *h, size_t arrival, size_t left)
{
	const struct chess_step *s = &h->step[arrival];
	size_t i, k, end = left < h->done ? left : h->done;

	for (i = s->turn; i < end; i = chess_happens_next(h, s->task, i))
		for (k = i + 1; k < end; k++)
			if (ends_wait(h, i, k))
				return true;
	return false;
}

/* Turns of several accesses. Return: false: something ended a wait that no step shows */
static bool turns_are_known(const struct chess_happens *h)
{
	size_t i, left;

	for (i = 0; i < h->n; i++) {
		const struct chess_step *s = &h->step[i];

		/* A handler may run where it waits. */
		if (s->spent && chess_depend_signalled(&h->depend, s->task))
			return false;
		if (s->turn == CHESS_NO_STEP || s->turned)
			continue;
		left = left_at(h, i);
		if (left != SIZE_MAX && !may_leave(h, i, left))
			return false;
	}
	return true;
}

bool chess_awaits_stands(const struct chess_happens *h, size_t task)
{
	size_t i;

	for (i = h->done; i < h->n; i++)
		if (h->step[i].task == task)
			return h->step[i].since != CHESS_NO_STEP ||
			       h->step[i].turn != CHESS_NO_STEP;
	return false;
}

bool chess_awaits_find(struct chess_happens *h)
{
	size_t i, k;

	find_turns(h);
	for (i = 0; i < h->n; i++) {
		struct chess_step *s = &h->step[i];
		size_t end = i < h->done ? i : h->done;

		if (s->idle && s->op.kind != CHESS_OP_ON_OBJECTS)
			return false;
		if (s->since == CHESS_NO_STEP)
			continue;
		for (k = s->since + 1; k < end && !ends_wait(h, s->since, k); k++)
			;
		s->waits = k == end;
		if (!s->waits)
			s->waker = k;
		if (s->waits && !s->idle && chess_happens_next(h, s->task, i) != SIZE_MAX)
			return false;
	}
	return turns_are_known(h);
}

bool chess_awaits_waits(const struct chess_happens *h, size_t task, size_t i)
{
	size_t next = i < h->n && h->step[i].task == task ? i : chess_happens_next(h, task, i);
	const struct chess_step *s = next == SIZE_MAX ? NULL : &h->step[next];

	if (s && s->spent)
		return true;
	if (!s || s->since == CHESS_NO_STEP || s->since >= i)
		return false;
	return s->waits || (s->waker != CHESS_NO_STEP && s->waker >= i);
}
