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

bool chess_awaits_point(struct chess_happens *h, struct chess_await_point *p,
			const struct chess_event *e)
{
	p->since = CHESS_NO_STEP;
	if (!chess_event_awaits(h->record, e))
		return true;
	if (p->step == CHESS_NO_STEP || p->site != e->nr || p->object != e->object)
		return false;
	p->since = p->step;
	h->step[p->step].idle = true;
	return true;
}

void chess_awaits_step(struct chess_await_point *p, const struct chess_event *e, uint32_t step)
{
	bool access = e && chess_event_is_access(e);

	*p = (struct chess_await_point){
		.site = access ? e->nr : 0, .object = access ? e->object : 0,
		.step = access ? step : CHESS_NO_STEP, .since = CHESS_NO_STEP,
	};
}

/* Does step @k write what the task of @s read in its turn before? */
static bool ends_wait(const struct chess_happens *h, const struct chess_step *s, size_t k)
{
	struct chess_op op = h->step[s->since].op;

	/* An exchange in such a turn has changed nothing. */
	op.write = false;
	return !h->step[k].idle && !h->step[k].missed && chess_ops_depend(&op, &h->step[k].op);
}

bool chess_awaits_find(struct chess_happens *h)
{
	size_t i, k;

	for (i = 0; i < h->n; i++) {
		struct chess_step *s = &h->step[i];
		size_t end = i < h->done ? i : h->done;

		if (s->idle && s->op.kind != CHESS_OP_ON_OBJECTS)
			return false;
		if (s->since == CHESS_NO_STEP)
			continue;
		for (k = s->since + 1; k < end && !ends_wait(h, s, k); k++)
			;
		s->waits = k == end;
		if (!s->waits)
			s->waker = k;
		if (s->waits && !s->idle && chess_happens_next(h, s->task, i) != SIZE_MAX)
			return false;
	}
	return true;
}

bool chess_awaits_waits(const struct chess_happens *h, size_t task, size_t i)
{
	size_t next = i < h->n && h->step[i].task == task ? i : chess_happens_next(h, task, i);
	const struct chess_step *s = next == SIZE_MAX ? NULL : &h->step[next];

	if (!s || s->since == CHESS_NO_STEP || s->since >= i)
		return false;
	return s->waits || (s->waker != CHESS_NO_STEP && s->waker >= i);
}
