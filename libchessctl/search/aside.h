/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Forks that are not run unless more is learned about an object: preemptions at ops on
 * objects for which no tasks have raced so far (ordered.h).
 */
#ifndef CHESSCTL_ASIDE_H
#define CHESSCTL_ASIDE_H

#include "search/fork.h"
#include "search/trunk.h"

/**
 * struct chess_aside_fork - a fork put aside
 * @object: the object at which it is
 * @trunk: the run it leaves, with a reference; NULL while that run is being read
 * @fork: without a weight: the estimate assumes that it is never run
 * @level: what a schedule that takes it costs at least
 * @row: free choices in it (worklist.h)
 */
struct chess_aside_fork {
	uint64_t object;
	struct chess_trunk *trunk;
	struct fork fork;
	uint32_t level, row;
};

/* All zero is empty. The first @kept have their run, those after them are fresh. */
struct chess_aside {
	struct chess_aside_fork *fork;
	size_t n, kept, room;
};

int chess_aside_add(struct chess_aside *a, uint64_t object, unsigned int level,
		    unsigned int row, const struct fork *fork);
bool chess_aside_has_fresh(const struct chess_aside *a);
/* all fresh ones belong to the run @t, or are dropped */
void chess_aside_keep(struct chess_aside *a, struct chess_trunk *t);
void chess_aside_drop_fresh(struct chess_aside *a);
void chess_aside_clear(struct chess_aside *a);

#endif /* CHESSCTL_ASIDE_H */
