/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which ways of a search need not be taken, because what follows them is also found after
 * another one that costs no more. docs/proofs.md says why that is so.
 */
#ifndef CHESSCTL_REDUCE_H
#define CHESSCTL_REDUCE_H

#include "chessctl/chessctl.h"

struct chess_reduce;

/**
 * enum chess_reduce_costs - what it costs to run another task
 * @CHESS_REDUCE_COSTS_LEAVING: one, where the task at the point could run; else nothing
 * @CHESS_REDUCE_COSTS_TURNS: depends on whose turn it is, so on the task at the point
 * @CHESS_REDUCE_COSTS_NOTHING: never anything
 */
enum chess_reduce_costs {
	CHESS_REDUCE_COSTS_LEAVING,
	CHESS_REDUCE_COSTS_TURNS,
	CHESS_REDUCE_COSTS_NOTHING,
};

/**
 * enum chess_reduce_where - where a step of a run is
 * @CHESS_REDUCE_PREFIX: inside the prefix but not its last one
 * @CHESS_REDUCE_FORK: the last one of the prefix, which chess_reduce_wants() wanted
 * @CHESS_REDUCE_AFTER: after the prefix
 * @CHESS_REDUCE_KNOWN: after a step whose like is found elsewhere: nothing is entered
 */
enum chess_reduce_where {
	CHESS_REDUCE_PREFIX,
	CHESS_REDUCE_FORK,
	CHESS_REDUCE_AFTER,
	CHESS_REDUCE_KNOWN,
};

struct chess_reduce *chess_reduce_new(unsigned int flags, enum chess_reduce_costs costs,
				      bool accesses);
void chess_reduce_free(struct chess_reduce *d);
int chess_reduce_begin(struct chess_reduce *d, const struct chess_record *r);
int chess_reduce_read(struct chess_reduce *d, size_t i);
int chess_reduce_wants(struct chess_reduce *d, size_t i, uint16_t task, unsigned int cost);
int chess_reduce_step(struct chess_reduce *d, size_t i, enum chess_reduce_where where,
		      unsigned int cost);
const char *chess_reduce_flaw(const struct chess_reduce *d);
void chess_reduce_left_out(const struct chess_reduce *d, uint64_t n[CHESS_LEFT_OUT_CAUSES]);

#endif /* CHESSCTL_REDUCE_H */
