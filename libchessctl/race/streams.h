/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What takes all streams at a time: a fork, as the new process has a copy of them and writes what
 * was not flushed yet, too; exit() and fflush(NULL), which flush them. Lists of functions that are
 * to be called at such a time count as streams.
 */
#ifndef CHESSCTL_STREAMS_H
#define CHESSCTL_STREAMS_H

#include "chessctl/chessctl.h"

/**
 * chess_streams_find() - calls for streams, and where a process copies or flushes all of these
 * @run: with record and accesses
 * @kind: what is asked for the kind of an access
 * @arg: for @kind
 * @out: a write for each call that has to do with a stream, what orders tasks, and a read of each
 *	of these streams at each fork and end of a process, with site 0, and at each call that
 *	flushes all. NULL where no stream is used. free() it
 * @n: how many
 * @dropped: streams that were left out, since of very many the first ones are taken
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_streams_find(const struct chess_run_result *run,
		       uint8_t (*kind)(void *arg, const struct chess_access *a), void *arg,
		       struct chess_access **out, size_t *n, uint64_t *dropped);

#endif /* CHESSCTL_STREAMS_H */
