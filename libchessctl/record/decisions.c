// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The decisions of a record: the tasks that were enabled, the one that would have been chosen by
 * default, and which decisions were preemptions.
 */
#include <errno.h>

#include "internal.h"
#include "record/decision.h"
#include "record/fields.h"

bool chess_record_enabled(const struct chess_record *r, size_t i, uint16_t task)
{
	const struct flips *f;
	uint32_t low = 0, high, mid;

	if (i >= r->length)
		return false;
	if (task < WORD_TASKS && chess_event_is_decision(&r->event[i]))
		return r->event[i].enabled >> task & 1;
	/* Threads that may take a signal: all are in the event. */
	if (task >= r->n_flips || r->event[i].type == CHESS_EVENT_SIGNAL ||
	    r->event[i].type == CHESS_EVENT_QUEUE || r->event[i].type == CHESS_EVENT_SPURIOUS)
		return false;
	/* How many flips happened up to and at event i? */
	f = &r->flips[task];
	high = f->n;
	while (low < high) {
		mid = low + (high - low) / 2;
		if (f->at[mid] <= i)
			low = mid + 1;
		else
			high = mid;
	}
	return low & 1;
}

bool chess_record_allowed(const struct chess_record *r, size_t i, uint16_t task)
{
	if (!chess_record_enabled(r, i, task) || !chess_event_is_decision(&r->event[i]))
		return false;
	for (; i && r->event[i - 1].type == CHESS_EVENT_FAIR; i--)
		if (r->event[i - 1].object == task / WORD_TASKS &&
		    (r->event[i - 1].enabled >> (task % WORD_TASKS) & 1))
			return false;
	return true;
}

bool chess_record_timed(const struct chess_record *r, size_t i, uint16_t task)
{
	const struct chess_event *e = chess_record_event(r, i);

	return e && chess_event_is_decision(e) && task < WORD_TASKS && (e->timed >> task & 1) &&
	       !chess_record_enabled(r, i, task);
}

/* Does the task of @e give way of its own accord, or because its quantum ended? */
bool chess_event_gives_way(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_QUANTUM ||
	       (e->type == CHESS_EVENT_POINT && (e->flags & CHESS_OPF_YIELD));
}

static bool goes_on(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && !(e->flags & CHESS_OPF_YIELD);
}

/* The first that is allowed, beginning with @first; last of all @last. */
static uint16_t first_allowed(const struct chess_record *r, size_t i, size_t first, uint16_t last)
{
	size_t tasks = r->tasks > WORD_TASKS ? r->tasks : WORD_TASKS, k;
	uint16_t id;

	for (k = 0; k < tasks; k++) {
		id = (first + k) % tasks;
		if (id != last && chess_record_allowed(r, i, id))
			return id;
	}
	return last;
}

uint16_t chess_record_default(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);
	uint16_t task;

	if (!e || !chess_event_is_decision(e) || e->type == CHESS_EVENT_EXPIRE)
		return CHESS_TASK_NONE;
	if (e->type == CHESS_EVENT_QUEUE)
		return e->object;
	if (e->type == CHESS_EVENT_SPURIOUS)
		return e->enabled & 1ULL << CHESS_ENDS_LATE ? CHESS_ENDS_LATE :
							      CHESS_ENDS_FOR_NOTHING;
	if (goes_on(e) && chess_record_allowed(r, i, e->task))
		return e->task;
	if (chess_event_gives_way(e))
		task = first_allowed(r, i, r->settings.fair ? 0 : (size_t)e->task + 1, e->task);
	else
		task = first_allowed(r, i, 0, CHESS_TASK_NONE);
	/* Alone, who gives way waits for time to pass. */
	if (task != CHESS_TASK_NONE && chess_record_enabled(r, i, task) &&
	    !(chess_event_gives_way(e) && task == e->task && e->timed))
		return task;
	/* The earliest deadline: which one that is the record says by its choice. */
	return e->flags & CHESS_OPF_EARLY ? CHESS_TASK_NONE : e->chosen;
}

bool chess_record_is_expired(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (!e || !CHESS_EVENT_IS_TURN(e->type))
		return false;
	while (i-- && !CHESS_EVENT_IS_TURN(r->event[i].type))
		if (r->event[i].type == CHESS_EVENT_EXPIRE)
			return true;
	return false;
}

bool chess_record_may_expire(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);

	return e && CHESS_EVENT_IS_TURN(e->type) && e->chosen != CHESS_TASK_NONE &&
	       (e->flags & CHESS_OPF_TIMER);
}

bool chess_record_is_preemption(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (!e || !chess_event_is_decision(e) || e->chosen == CHESS_TASK_NONE)
		return false;
	if (e->flags & CHESS_OPF_EARLY)
		return true;
	/* The timers took the token from it, and that is counted. */
	if (chess_record_is_expired(r, i))
		return false;
	if (r->settings.fair || !chess_event_gives_way(e))
		return goes_on(e) && e->chosen != e->task && chess_record_allowed(r, i, e->task);
	/* A task can be killed at its point; leaving it is free then. */
	return chess_record_enabled(r, i, e->task) && e->chosen != chess_record_default(r, i);
}

/*
 * With nothing but the event, a task above 63 is taken as enabled at its point, and the
 * run as fair, with nobody who has to let others go first, and no timer that went off early.
 */
bool chess_event_is_preemption(const struct chess_event *e)
{
	if (!chess_event_is_decision(e) || e->chosen == CHESS_TASK_NONE)
		return false;
	if (e->flags & CHESS_OPF_EARLY)
		return true;
	if (!goes_on(e) || (e->task < WORD_TASKS && !(e->enabled >> e->task & 1)))
		return false;
	return e->chosen != e->task;
}

size_t chess_record_preemptions(const struct chess_record *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->length; i++)
		n += chess_record_is_preemption(r, i);
	return n;
}

struct chess_schedule *chess_record_schedule(const struct chess_record *r)
{
	struct chess_schedule *s = chess_schedule_new();
	size_t i;
	int ret;

	for (i = 0; s && i < r->length; i++) {
		if (!chess_event_is_decision(&r->event[i]))
			continue;
		ret = chess_schedule_push(s, r->event[i].chosen);
		if (ret) {
			chess_schedule_free(s);
			errno = -ret;
			return NULL;
		}
	}
	return s;
}
