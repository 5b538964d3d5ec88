/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Streams that a forked process has a copy of: what was not flushed yet it writes, too, where it
 * flushes them, as exit() does.
 */
#ifndef CHESSCTL_STREAMS_H
#define CHESSCTL_STREAMS_H

#include "chessctl/chessctl.h"

/**
 * chess_streams_find() - calls for streams, and where a process copies these
 * @run: with record and accesses
 * @kind: what is asked for the kind of an access
 * @arg: for @kind
 * @out: a write for each call that has to do with a stream, what orders tasks, and at each fork a
 *	read of each of these streams, with site 0. NULL where no process is forked or no stream
 *	is used. free() it
 * @n: how many
 * @dropped: streams that were left out, since of very many the first ones are taken
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_streams_find(const struct chess_run_result *run,
		       uint8_t (*kind)(void *arg, const struct chess_access *a), void *arg,
		       struct chess_access **out, size_t *n, uint64_t *dropped);

#endif /* CHESSCTL_STREAMS_H */
