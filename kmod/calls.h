/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of each system call.
 */
#ifndef _CHESS_CALLS_H
#define _CHESS_CALLS_H

#include <linux/nospec.h>

#include "chess.h"

/* Where the object of a call is. */
enum chess_object_source {
	CHESS_OBJECT_FROM_NOTHING,
	CHESS_OBJECT_FROM_FD,		/* inode of a file descriptor */
	CHESS_OBJECT_FROM_ADDRESS,	/* user address as it is */
	CHESS_OBJECT_FROM_PID,		/* a pid, named by task id */
	CHESS_OBJECT_FROM_KEY,		/* a number as it is */
	CHESS_OBJECT_FROM_ID,		/* a System V IPC object, by first access */
	CHESS_OBJECT_FROM_PATH,		/* none; what is known of the path */
};

#define CHESS_CALL_SELF	0xff

/* When a call is a point; see witness.c. */
enum chess_when {
	CHESS_WHEN_ALWAYS,
	CHESS_WHEN_OTHERS,		/* there is another task */
	CHESS_WHEN_THREADS,		/* its process has another thread */
	CHESS_WHEN_MASK,		/* a signal that may come is blocked or let in */
	CHESS_WHEN_STACK,		/* a signal may come, and its handler have another stack */
	CHESS_WHEN_MEMORY,		/* memory that another task uses, too, changes */
	CHESS_WHEN_PRCTL,		/* the option is one that others notice */
	CHESS_WHEN_ACTION,		/* it changes an action, or another task may */
	CHESS_WHEN_USAGE,		/* it asks about children, for which others may wait */
	CHESS_WHEN_PROCESSORS,		/* there is another task, and the run flag more-calls */
};

#define CHESS_CALLS	512

/**
 * struct chess_call - what is known of a system call
 * @plain_below: results from 0 to below this only go into the record
 * @op: enum chess_op_class; CHESS_CALL_SELF: no point
 * @flags: CHESS_OPF_*
 * @source: enum chess_object_source
 * @arg: which argument names the object
 * @when: enum chess_when
 * @special: there is more to it than the row says
 * @is_odd: it is more than a point that always stands at sys_enter and works on nothing
 * @is_answered: it asks for time or random numbers, or may wait
 * @exit_matters: its end is looked at whatever it returns
 * @may_close: it may close a descriptor
 * @may_shorten: it may shorten a file
 * @gives_id: it returns a number of the system: a task, a System V object
 */
struct chess_call {
	unsigned long plain_below;
	u8 op;
	u8 flags;
	u8 source : 4;
	u8 arg : 4;
	u8 when;
	bool special;
	bool is_odd;
	bool is_answered;
	bool exit_matters;
	bool may_close;
	bool may_shorten;
	bool gives_id;
};

/* One more, for all numbers after them. */
extern struct chess_call chess_calls[CHESS_CALLS + 1];

/**
 * chess_call_of() - what is known of a call
 * @nr: its number; of the native table
 *
 * Context: any.
 * Return: its row.
 */
static inline const struct chess_call *chess_call_of(unsigned long nr)
{
	if (nr >= CHESS_CALLS)
		return &chess_calls[CHESS_CALLS];
	return &chess_calls[array_index_nospec(nr, CHESS_CALLS)];
}

void chess_calls_init(void);

#endif /* _CHESS_CALLS_H */
