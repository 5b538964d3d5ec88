// SPDX-License-Identifier: LGPL-2.1-or-later
/* See rows.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "record/decision.h"
#include "record/depend.h"
#include "record/rows.h"

/* CHESS_FAIR_POINTS of the module, and how many parts a row has with long rows. */
#define PART	1000
#define PARTS	100

/**
 * chess_row_limit() - how many points in a row could a task take?
 * @r: a run
 *
 * Return: after so many others went first.
 */
uint32_t chess_row_limit(const struct chess_record *r)
{
	return chess_record_long_rows(r) ? PARTS * PART : PART;
}

/**
 * chess_row_is_cut() - is this the last of so many points that it was made a yield?
 * @row: of the points before; begins with CHESS_TASK_NONE and is kept up to date
 * @e: the next point
 *
 * Return: whether it is, and the program does not yield there itself.
 */
bool chess_row_is_cut(struct chess_row *row, const struct chess_event *e)
{
	if (e->task != row->task)
		*row = (struct chess_row){ .task = e->task };
	if (++row->points < PART)
		return false;
	row->points = 0;
	return e->flags & CHESS_OPF_YIELD && e->op != CHESS_OP_YIELD;
}

/**
 * struct use - of an object in a run
 * @task: the task that used it, plus one
 * @shared: another one did so too
 * @written: some op did more than read it
 */
struct use {
	uint32_t task;
	bool shared, written;
};

struct uses {
	struct chess_depend depend;
	struct use *use;
	size_t room;
};

static int note(struct uses *u, const struct chess_op *op, uint32_t task)
{
	size_t room = u->room;
	unsigned int i;

	if (chess_array_room(&u->use, &u->room, u->depend.objects.n + 1, sizeof(*u->use)))
		return -ENOMEM;
	memset(u->use + room, 0, (u->room - room) * sizeof(*u->use));
	for (i = 0; i < op->n; i++) {
		struct use *use = &u->use[op->object[i]];

		use->shared |= use->task && use->task != task + 1;
		use->task = task + 1;
		use->written |= chess_op_writes(op, i);
	}
	return 0;
}

/* Does no other task mind when this is done? */
static bool is_private(const struct uses *u, const struct chess_op *op)
{
	unsigned int i;

	if (op->kind != CHESS_OP_ON_OBJECTS)
		return op->kind == CHESS_OP_LOCAL;
	for (i = 0; i < op->n; i++)
		if (u->use[op->object[i]].shared && u->use[op->object[i]].written)
			return false;
	return true;
}

/* Is @points a number that the search takes to be decided by the limit of rows? */
static bool is_long(const struct chess_record *r, size_t i, uint32_t points)
{
	return points > chess_row_limit(r) / 2 &&
	       !chess_record_is_alone(r, i, chess_record_event(r, i)->task);
}

/* First all uses are noted; when they are @known, a row that others do not mind is looked for. */
static int read_points(struct uses *u, const struct chess_record *r, bool known)
{
	uint32_t task = CHESS_TASK_NONE, points = 0;
	size_t i, length = chess_record_length(r);
	struct chess_op op;
	int ret = 0;

	chess_depend_reset(&u->depend);
	for (i = 0; i < length && !ret; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_SPAWN)
			ret = chess_depend_spawn(&u->depend, e);
		if (e->type == CHESS_EVENT_EXEC)
			chess_apart_executed(&u->depend, e->task);
		if (e->type == CHESS_EVENT_EXIT || e->type == CHESS_EVENT_KILLED)
			chess_apart_ended(&u->depend, e->task);
		if (ret || e->type != CHESS_EVENT_POINT)
			continue;
		ret = chess_depend_op(&u->depend, r, e, &op);
		if (!ret && !known)
			ret = note(u, &op, e->task);
		if (ret || !known)
			continue;
		points = e->task == task && is_private(u, &op) ? points + 1 : 0;
		task = e->task;
		ret = is_long(r, i, points);
	}
	return ret;
}

static bool has_long_row(const struct chess_record *r)
{
	uint32_t task = CHESS_TASK_NONE, points = 0;
	size_t i, length = chess_record_length(r);

	for (i = 0; i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type != CHESS_EVENT_POINT)
			continue;
		points = e->task == task ? points + 1 : 0;
		task = e->task;
		if (is_long(r, i, points))
			return true;
	}
	return false;
}

/**
 * chess_rows_should_be_longer() - is the limit of rows in the way of a task that does not wait?
 * @r: a run
 *
 * Return: 1 where a task took more than half as many points in a row, all of them on objects that
 * in this run concern no other task; 0; -ENOMEM with chess_error().
 */
int chess_rows_should_be_longer(const struct chess_record *r)
{
	struct uses u = { 0 };
	int ret;

	if (chess_record_long_rows(r) || !has_long_row(r))
		return 0;
	chess_depend_init(&u.depend, false);
	ret = read_points(&u, r, false);
	if (!ret)
		ret = read_points(&u, r, true);
	chess_depend_free(&u.depend);
	free(u.use);
	return ret < 0 ? chess_set_error(ENOMEM, "no memory for the objects of a run") : ret;
}
