// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See depend.h: the ends of threads, and waits for them. The exit of a thread may not be a point,
 * as with points at functions only; then its last step, which is at another point, ends it.
 */
#include <errno.h>
#include <string.h>

#include "record/depend.h"

/**
 * chess_depend_left() - a task has ended in a step whose point is of another op
 * @d: what is known
 * @task: which
 * @op: of the step; it ends the thread as well from now on
 *
 * So it is where the exit is not a point. With a second process the step depends on everything.
 *
 * Return: 0 or -ENOMEM.
 */
int chess_depend_left(struct chess_depend *d, uint16_t task, struct chess_op *op)
{
	int64_t thread;

	if (op->kind == CHESS_OP_ON_ALL || op->kind == CHESS_OP_LEAVES)
		return 0;
	if (d->processes || (task < d->tasks && d->task[task].held)) {
		op->kind = CHESS_OP_ON_ALL;
		return 0;
	}
	thread = chess_objects_find(&d->objects, CHESS_OBJECT_TASK, task);
	if (thread < 0)
		return thread;
	/* The thread is the first object. */
	if (!op->write)
		op->only_read = (1 << op->n) - 1;
	op->only_read <<= 1;
	memmove(&op->object[1], &op->object[0], op->n * sizeof(op->object[0]));
	op->object[0] = thread;
	op->n++;
	op->write = true;
	op->kind = CHESS_OP_LEAVES;
	return 0;
}

/**
 * chess_depend_awaits_end() - does an op wait for the end of a thread?
 * @d: what is known
 * @op: the op
 * @task: the thread
 *
 * Return: whether it does, or may do so.
 */
bool chess_depend_awaits_end(const struct chess_depend *d, const struct chess_op *op, uint16_t task)
{
	unsigned int i;

	if (op->kind == CHESS_OP_JOINS)
		return true;
	for (i = 0; op->kind == CHESS_OP_ON_OBJECTS && i < op->n; i++) {
		const struct chess_object_key *k = &d->objects.key[op->object[i]];

		if (k->kind == CHESS_OBJECT_TASK && k->number == task)
			return true;
	}
	return false;
}

/**
 * chess_ops_end_and_wait() - are two ops the end of a thread and a wait for ends?
 * @a: one
 * @b: the other one, with objects of the same table
 *
 * The wait is over after the end, whichever of them comes first. The end may have other objects,
 * too: that of pthread_once(), or those of the op at whose point the thread ends.
 *
 * Return: whether they are, and have no other object in common.
 */
bool chess_ops_end_and_wait(const struct chess_op *a, const struct chess_op *b)
{
	const struct chess_op *end = a->kind == CHESS_OP_LEAVES ? a : b;
	const struct chess_op *wait = end == b ? a : b;
	unsigned int i, k;

	if (end->kind != CHESS_OP_LEAVES || wait->kind == CHESS_OP_ON_ALL)
		return false;
	/* The first object is the thread itself. */
	for (i = 1; i < end->n; i++)
		for (k = 0; k < wait->n; k++)
			if (end->object[i] == wait->object[k])
				return false;
	return true;
}
