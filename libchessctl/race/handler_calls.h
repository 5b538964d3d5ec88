/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handlers that call the heap, or write to a stream, while they may interrupt a call that does the
 * same: no such function may be called in a handler (signal-safety(7)), since the interrupted call
 * may hold a lock, or be half done.
 */
#ifndef CHESSCTL_HANDLER_CALLS_H
#define CHESSCTL_HANDLER_CALLS_H

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

/**
 * chess_handler_streams_find() - does a handler use a stream in a call that may interrupt another?
 * @r: record of a run
 * @a: its accesses, all of them, in their order
 * @n: how many
 * @stream_of: the stream that an access stands for a call with, as a number; 0: it is no such call
 * @arg: for @stream_of
 *
 * Return: 1; 0: none does; -errno with chess_error().
 */
int chess_handler_streams_find(const struct chess_record *r, const struct chess_access *a, size_t n,
			       uint64_t (*stream_of)(void *arg, const struct chess_access *a),
			       void *arg);

#endif /* CHESSCTL_HANDLER_CALLS_H */
