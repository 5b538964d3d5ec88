/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a task may be cut off, or find errno changed: accesses that should be points of a
 * search though they race with no access of another task.
 */
#ifndef CHESSCTL_CUT_H
#define CHESSCTL_CUT_H

#include "chessctl/chessctl.h"

/**
 * struct chess_cut_sites - instructions that should be points
 * @v: sites; free() it
 * @n: how many
 * @room: of @v
 */
struct chess_cut_sites {
	uint32_t *v;
	size_t n, room;
};

/**
 * chess_cut_find() - what a task writes where it may be cut off
 * @run: with record and accesses
 * @is_programs: is an access one of the code that is looked at?
 * @arg: for @is_programs
 * @out: filled in
 *
 * A signal handler that left by a jump in this run, as with siglongjmp(), may leave whatever it
 * interrupts; so may pthread_cancel() a thread that has set its type to asynchronous, and a
 * signal from elsewhere that ended the task's process in this run. What the task had changed
 * up to there stays, of a process what it shares with others: points are its writes where that
 * may happen, to words that somebody accesses afterwards.
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_cut_find(const struct chess_run_result *run,
		   bool (*is_programs)(void *arg, const struct chess_access *a), void *arg,
		   struct chess_cut_sites *out);

/**
 * chess_cut_errno() - the accesses to errno in a run
 * @run: with record and accesses
 * @out: what is recorded of memory and signals, and accesses to errno, each task's at an address
 *	of its own; a call in a handler that failed counts as a write, with site 0. NULL where
 *	no call in a handler failed, or nobody reads errno. free() it
 * @n: how many
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_cut_errno(const struct chess_run_result *run, struct chess_access **out, size_t *n);

#endif /* CHESSCTL_CUT_H */
