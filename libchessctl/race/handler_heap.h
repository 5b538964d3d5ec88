/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handlers that call the heap while they may interrupt it: no function of it may be called in a
 * handler (signal-safety(7)), since the interrupted call may hold the heap's lock, or be half done.
 */
#ifndef CHESSCTL_HANDLER_HEAP_H
#define CHESSCTL_HANDLER_HEAP_H

#include "chessctl/trace.h"

/**
 * chess_handler_heap_find() - a handler's call of the heap, and one that it may interrupt
 * @r: record of a run
 * @a: its accesses, all of them, in their order
 * @n: how many
 * @out: filled in, with @in_handler
 *
 * Return: 1; 0: there is none; -errno with chess_error().
 */
int chess_handler_heap_find(const struct chess_record *r, const struct chess_access *a, size_t n,
			    struct chess_trace_race *out);

#endif /* CHESSCTL_HANDLER_HEAP_H */
