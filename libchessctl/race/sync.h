/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What in a run orders the tasks: the record of events, and the accesses, as one list of
 * releases, acquires and accesses. The order in which the token went round orders nothing.
 */
#ifndef CHESSCTL_SYNC_H
#define CHESSCTL_SYNC_H

#include "chessctl/chessctl.h"

/**
 * enum chess_step_kind - what a task does
 * @CHESS_STEP_RELEASE: what it did so far comes before what follows acquires of the object
 * @CHESS_STEP_ACQUIRE: after everything that was released into the object so far
 * @CHESS_STEP_ACCESS: @object is the number of the access
 * @CHESS_STEP_COPY: address space @space begins as a copy of number @object; orders nothing
 * @CHESS_STEP_COPIED: access number @object, of a process that was forked, reads what the
 *	copy that is made here took (copied.h)
 */
enum chess_step_kind {
	CHESS_STEP_RELEASE, CHESS_STEP_ACQUIRE, CHESS_STEP_ACCESS, CHESS_STEP_COPY,
	CHESS_STEP_COPIED,
};

/**
 * struct chess_step - one of them
 * @kind: enum chess_step_kind
 * @last: nobody will use the object any more
 * @holds: of an acquire: until its release no other task gets the object
 * @task: who: a task, or a handler of one (handlers.h), which come after the tasks
 * @space: of an access, or a copy: which address space, from 0; of shared memory
 *	CHESS_SPACE_SHARED less chess_access.memory
 * @seq: event that it belongs to
 * @object: from 0
 */
struct chess_step {
	uint8_t kind;
	bool last, holds;
	uint16_t task;
	uint16_t space;
	uint32_t seq;
	uint32_t object;
};

#define CHESS_SPACE_SHARED	UINT16_MAX

/*
 * Kind of an access, beside those of the ABI: code that is not looked at for races made it.
 * If it is atomic it orders tasks, else it is nothing.
 */
#define CHESS_ACCESS_ORDERS	0x80

/* The last @handlers of @tasks are handlers. */
struct chess_steps {
	struct chess_step *v;
	size_t n, room;
	size_t objects, tasks, handlers;
};

/**
 * chess_sync_steps() - the steps of a run
 * @r: its record
 * @a: its accesses, in their order
 * @n: how many
 * @out: filled in; free(@out->v)
 *
 * Return: 0, -EINVAL for an access of a task that is not in the record or out of order, or
 * -ENOMEM, with chess_error().
 */
int chess_sync_steps(const struct chess_record *r, const struct chess_access *a, size_t n,
		     struct chess_steps *out);

#endif /* CHESSCTL_SYNC_H */
