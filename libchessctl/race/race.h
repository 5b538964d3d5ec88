/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Data races of a run: two accesses of different tasks to the same bytes, one of them a
 * write, not both atomic, that nothing in the run puts in order. A heap's free() is a write
 * of the piece it is given. Found by what orders the
 * tasks (sync.h), so also where the two came far from each other.
 */
#ifndef CHESSCTL_RACE_H
#define CHESSCTL_RACE_H

#include "race/sync.h"

struct chess_detector;

/**
 * struct chess_race - a pair of instructions that race
 * @first: number of the access that came first in the run, of the first such pair
 * @second: of the other one
 * @last: the second access of the last such pair
 * @address: the first byte that both of the first pair access
 * @size: how many they do
 * @allocated: number from 1 of the access of kind ALLOCATED that handed out the piece of a
 *	heap it is on, the last one before @second; 0: it is on none, or nobody saw it
 * @freed: of the one of kind FRESH that gave it back since; 0: none did
 * @space: address space, as in struct chess_step; piece.c: the one its pieces are looked for
 *	in now
 * @is_open: piece.c: still being looked for
 * @count: how many accesses were second ones, at least: again and again without a release
 *	in between is once
 * @beside_atomic: one of the two instructions is atomic. Where it is known of no access
 *	that it is to an atomic variable, the other may be such an access all the same:
 *	on x86 its loads and stores are plain moves
 */
struct chess_race {
	size_t first, second, last;
	uint64_t address;
	uint32_t size;
	uint32_t allocated, freed;
	uint64_t count;
	uint16_t space;
	bool beside_atomic, is_open;
};

/**
 * struct chess_race_opts - how to look for races; zeroed is all defaults
 * @max_entries: remembered accesses, up to a hundred bytes each; 0: two millions
 * @max_races: pairs of instructions; 0: 4096
 * @detector: in place of vector clocks, for tests; NULL: vector clocks
 * @no_frees: a heap's free() is not an access
 * @kind: of an access, with what is known of it beside its instruction: ATOMIC, that it is to
 *	an atomic variable, ORDERS, that it only orders tasks; or NULL
 * @arg: for @kind
 */
struct chess_race_opts {
	size_t max_entries;
	size_t max_races;
	const struct chess_detector *detector;
	bool no_frees;
	uint8_t (*kind)(void *arg, const struct chess_access *a);
	void *arg;
};

/**
 * struct chess_races - what was found
 * @v: in the order in which they were seen
 * @n: how many
 * @room: of @v
 * @forgotten: accesses that found no room; races with them are missed
 * @dropped: pairs of accesses that were not looked at any more, at @max_races
 */
struct chess_races {
	struct chess_race *v;
	size_t n, room;
	uint64_t forgotten, dropped;
};

/**
 * chess_races_find() - the races of a run
 * @r: its record
 * @a: its accesses, in their order
 * @n: how many
 * @opts: or NULL
 * @out: filled in; free(@out->v)
 *
 * Return: 0 or a negative errno with chess_error().
 */
int chess_races_find(const struct chess_record *r, const struct chess_access *a, size_t n,
		     const struct chess_race_opts *opts, struct chess_races *out);

/* piece.c: sets @allocated and @freed of the @n races at @v */
void chess_races_find_pieces(const struct chess_steps *steps, const struct chess_access *a,
			     struct chess_race *v, size_t n);

#endif /* CHESSCTL_RACE_H */
