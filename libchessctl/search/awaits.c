// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See awaits.h. The module marks an access as a yield from the turn on that does what the one
 * before it did (kmod/await.h). Between two arrivals at that access lies one turn.
 */
#include <string.h>

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

		if (e->timed || e->flags & (CHESS_OPF_EARLY | CHESS_OPF_TIMER))
			return false;
		switch (e->type) {
		case CHESS_EVENT_POINT:
			if ((e->flags & CHESS_OPF_YIELD && !chess_event_awaits(r, e)) ||
			    e->op == CHESS_OP_FORK)
				return false;
			any |= chess_event_awaits(r, e);
			break;
		case CHESS_EVENT_WAKE:
			if (e->object == CHESS_TASK_NONE)
				return false;
			break;
		case CHESS_EVENT_BLOCK:
		case CHESS_EVENT_EXIT:
		case CHESS_EVENT_SPAWN:
		case CHESS_EVENT_EXEC:
		case CHESS_EVENT_KILLED:
		case CHESS_EVENT_FAIR:
			break;
		default:
			return false;
		}
	}
	return any;
}

bool chess_awaits_point(struct chess_happens *h, struct chess_await_points *p,
			const struct chess_event *e)
{
	unsigned int i, k;

	p->since = CHESS_NO_STEP;
	if (!chess_event_is_access(e))
		p->n = 0;
	if (!chess_event_awaits(h->record, e))
		return true;
	for (i = p->n; i--;)
		if (p->site[i] == e->nr && p->object[i] == e->object)
			break;
	if (i >= p->n)
		return false;
	p->since = p->step[i];
	for (k = i; k < p->n; k++)
		h->step[p->step[k]].idle = true;
	return true;
}

void chess_awaits_step(struct chess_await_points *p, const struct chess_event *e, uint32_t step)
{
	unsigned int i;

	if (!e || !chess_event_is_access(e)) {
		p->n = 0;
		return;
	}
	if (p->n == CHESS_AWAIT_POINTS) {
		p->n--;
		for (i = 0; i < p->n; i++) {
			p->site[i] = p->site[i + 1];
			p->object[i] = p->object[i + 1];
			p->step[i] = p->step[i + 1];
		}
	}
	p->site[p->n] = e->nr;
	p->object[p->n] = e->object;
	p->step[p->n++] = step;
}

/* Does step @k write what a step of @task read from step @since on, before @k? */
static bool ends_wait(const struct chess_happens *h, size_t task, size_t since, size_t k)
{
	const struct chess_step *s = &h->step[k];
	size_t i;

	if (s->task == task || s->idle || s->missed)
		return false;
	for (i = since; i < k; i++) {
		struct chess_op op = h->step[i].op;

		/* An exchange in such a turn has changed nothing. */
		op.write = false;
		if (h->step[i].task == task && chess_ops_depend(&op, &s->op))
			return true;
	}
	return false;
}

/* Did @task take a step from @k on, before step @i? What was written earlier it has read. */
static bool reads_on(const struct chess_happens *h, size_t task, size_t k, size_t i)
{
	while (k < i && h->step[k].task != task)
		k++;
	return k < i;
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
		for (k = s->since + 1; k < end && !ends_wait(h, s->task, s->since, k); k++)
			;
		s->waits = k == end;
		if (!s->waits && !reads_on(h, s->task, k, end))
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
