// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which tasks sleep: a task that was left at its point although it could have run, until a
 * task does an op on which its own depends (sleep sets, Godefroid, LNCS 1032, as far as they do
 * not collide with the bound).
 */
#include "internal.h"
#include "search/reduce_internal.h"

/*
 * Does @task sleep when @chosen takes a step at decision @i? It could have run, and that is a
 * separate way, taken at no more cost: of all schedules that differ only in when @task does its
 * op, one is enough.
 */
static bool falls_asleep(const struct chess_reduce *d, size_t i, uint16_t task, uint16_t chosen)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	uint16_t usual;

	if (task == chosen || !chess_record_allowed(d->record, i, task))
		return false;
	if (d->costs != CHESS_REDUCE_COSTS_NOTHING)
		return e->type == CHESS_EVENT_POINT && task == e->task;
	usual = chess_record_default(d->record, i);
	return task == usual || (chosen != usual && task < chosen);
}

/* The tasks that sleep once @chosen has taken its step at decision @i: d->next. */
void chess_reduce_find_sleepers(struct chess_reduce *d, size_t i, uint16_t chosen,
				 const struct chess_op *op)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	bool anyone = d->costs == CHESS_REDUCE_COSTS_NOTHING;
	size_t end = anyone ? chess_record_tasks(d->record) : e->task + 1u;
	uint16_t t, first = anyone ? 0 : e->task;
	size_t k;

	d->next.n = 0;
	if (!(d->flags & CHESS_REDUCE_SLEEP) || chess_event_gives_way(e) ||
	    op->kind == CHESS_OP_ON_ALL || chess_record_is_expired(d->record, i))
		return;
	/* The op of a sleeper might enable a task that @chosen has to let go first. */
	if (chess_windows_holds(&d->windows, chosen))
		return;
	for (k = 0; k < d->asleep.n; k++) {
		t = d->asleep.task[k];
		if (t != chosen && !chess_ops_depend(op, &d->task[t].op))
			d->next.task[d->next.n++] = t;
	}
	for (t = first; t < end; t++) {
		for (k = 0; k < d->asleep.n && d->asleep.task[k] != t; k++)
			;
		if (k == d->asleep.n && falls_asleep(d, i, t, chosen) &&
		    !chess_ops_depend(op, &d->task[t].op))
			d->next.task[d->next.n++] = t;
	}
}

bool chess_reduce_sleeps(const struct chess_reduce *d, uint16_t task)
{
	size_t k;

	for (k = 0; k < d->asleep.n; k++)
		if (d->asleep.task[k] == task)
			return true;
	return false;
}
