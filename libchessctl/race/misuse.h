/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory that a run used after it had been given back, or gave back twice.
 */
#ifndef CHESSCTL_MISUSE_H
#define CHESSCTL_MISUSE_H

#include "chessctl/trace.h"

/**
 * struct chess_misuse_opts - what is known of a run's accesses
 * @heap_first: sites from this one on are in the file that has the heap, and may be the
 *	heap's own, which uses what is free; 0: none are
 * @heap_end: and before this one
 * @calls_itself: a thread that ends may free what is free: the heap does, of its cache
 */
struct chess_misuse_opts {
	uint32_t heap_first, heap_end;
	bool calls_itself;
};

/**
 * chess_misuse_find() - the first misuse of a heap in a run
 * @r: its record
 * @a: its accesses, all of them, in their order
 * @n: how many
 * @o: what is known of them
 * @out: filled in: first is the free(), second the access after it, or the other free()
 *
 * Return: 1; 0: there is none; -errno with chess_error().
 */
int chess_misuse_find(const struct chess_record *r, const struct chess_access *a, size_t n,
		      const struct chess_misuse_opts *o, struct chess_trace_race *out);

#endif /* CHESSCTL_MISUSE_H */
