// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The decisions of a run and the deviations among them, see deviate.h. Pure: it
 * looks at records only. What costs a preemption is said in docs/strategies.md.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "shrink/deviate.h"
#include "search/forks.h"
#include "internal.h"
#include "record/decision.h"

_Static_assert(!CHESS_EVENT_IS_DECISION(CHESS_EVENT_SPURIOUS + 1), "the last type that decides");

/* What a task has done so far. */
struct chess_walk_task {
	uint32_t points;
	uint32_t since[CHESS_EVENT_SPURIOUS + 1];	/* the last point, by type */
};

/**
 * chess_walk_begin() - stand before the first decision of a record
 * @w: filled in; for chess_walk_end() when this returns 0
 * @r: must outlive @w
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_walk_begin(struct chess_walk *w, const struct chess_record *r)
{
	*w = (struct chess_walk){ .r = r };
	w->task = calloc(chess_record_tasks(r) + 1, sizeof(*w->task));
	return w->task ? 0 : chess_set_error(ENOMEM, "no memory to look through a record");
}

/* Timers that go off do so at the decision that follows: by that it is known. */
static uint8_t named_as(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (e->type != CHESS_EVENT_EXPIRE)
		return e->type;
	while ((e = chess_record_event(r, ++i)))
		if (CHESS_EVENT_IS_TURN(e->type))
			return e->type;
	return CHESS_EVENT_POINT;
}

/**
 * chess_walk_next() - go to the next decision
 * @w: the walk
 *
 * Events at which no task could continue are not decisions.
 *
 * Return: false after the last one.
 */
bool chess_walk_next(struct chess_walk *w)
{
	for (; w->next < chess_record_length(w->r); w->next++) {
		const struct chess_event *e = chess_record_event(w->r, w->next);
		struct chess_walk_task *t;
		uint8_t type;

		if (!chess_event_decides(e))
			continue;
		t = &w->task[e->task];
		type = named_as(w->r, w->next);
		if (type == CHESS_EVENT_POINT && !w->expired) {
			t->points++;
			memset(t->since, 0, sizeof(t->since));
		}
		w->expired = e->type == CHESS_EVENT_EXPIRE;
		w->e = e;
		w->i = w->next++;
		w->here = (struct chess_deviation){
			.at = w->decisions++, .point = t->points, .nth = t->since[type]++,
			.task = e->task, .chosen = e->chosen, .type = type,
		};
		return true;
	}
	return false;
}

void chess_walk_end(struct chess_walk *w)
{
	free(w->task);
	w->task = NULL;
}

bool chess_walk_may(const struct chess_walk *w, uint16_t task)
{
	if (task == CHESS_TASK_TIMER)
		return chess_record_may_expire(w->r, w->i);
	return chess_forks_may(w->r, w->i, task) &&
	       (CHESS_EVENT_IS_TURN(w->e->type) || chess_record_enabled(w->r, w->i, task));
}

unsigned int chess_walk_cost(const struct chess_walk *w, uint16_t task)
{
	const struct chess_event *e = w->e;

	if (e->type == CHESS_EVENT_SIGNAL || e->type == CHESS_EVENT_QUEUE ||
	    task == chess_record_default(w->r, w->i))
		return 0;
	if (e->type == CHESS_EVENT_SPURIOUS)
		return chess_forks_ends_early(w->r, w->i, task);
	if (task == CHESS_TASK_TIMER || chess_record_timed(w->r, w->i, task))
		return 1;
	return chess_forks_preempts(w->r, w->i);
}

bool chess_deviation_fits(const struct chess_deviation *d, const struct chess_walk *w)
{
	return d->task == w->here.task && d->type == w->here.type &&
	       d->point == w->here.point && d->nth == w->here.nth;
}

int chess_deviations_of(const struct chess_record *r, struct chess_deviation **out, size_t *n)
{
	struct chess_deviation *list = NULL;
	struct chess_walk w;
	int ret;

	*n = 0;
	ret = chess_walk_begin(&w, r);
	if (ret)
		return ret;
	while (!ret && chess_walk_next(&w)) {
		if (w.e->chosen == chess_record_default(r, w.i))
			continue;
		if (chess_array_resize(&list, *n + 1, sizeof(*list))) {
			ret = chess_set_error(ENOMEM, "no memory for the choices of a run");
			break;
		}
		list[(*n)++] = w.here;
	}
	chess_walk_end(&w);
	if (ret) {
		free(list);
		list = NULL;
	}
	*out = list;
	return ret;
}

struct chess_schedule *chess_prefix_of(const struct chess_record *r, size_t n, uint16_t chosen)
{
	struct chess_schedule *s = chess_schedule_new();
	size_t i, at = 0;
	int ret = s ? 0 : -ENOMEM;

	for (i = 0; !ret && at < n && i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e))
			continue;
		ret = chess_schedule_push(s, e->chosen);
		at++;
	}
	if (!ret && chosen != CHESS_TASK_NONE)
		ret = chess_schedule_push(s, chosen);
	if (ret) {
		chess_schedule_free(s);
		errno = -ret;
		return NULL;
	}
	return s;
}
