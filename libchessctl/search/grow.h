/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How far a search goes beyond the bound that was asked for: forks.c uses it. A small program
 * is through with all schedules of two preemptions in a second, and a bug that needs three is
 * one more second away. So where nobody said how far, the bound rises while the search is short.
 */
#ifndef CHESSCTL_GROW_H
#define CHESSCTL_GROW_H

#include "search/worklist.h"

/* So many levels at most: no more are kept, however short the search is. */
#define CHESS_GROW_LEVELS	8

/**
 * struct chess_grow - how far one search goes
 * @asked: the bound that was asked for
 * @max: no way is kept that costs more
 * @runs: a level beyond @asked is begun while there are fewer runs; 0: none is
 * @ended: the search was given up within such a level
 * @over: no level is left, and the current one is done
 * @cut: ways that cost more than what was run may have been left out
 */
struct chess_grow {
	unsigned int asked, max;
	uint64_t runs;
	bool ended, over, cut;
};

struct chess_grow chess_grow_new(unsigned int asked, uint64_t runs);
bool chess_grow_up(struct chess_grow *g, struct chess_worklist *w, uint64_t runs,
		   unsigned int *level);
void chess_grow_trim(struct chess_grow *g, struct chess_worklist *w, uint64_t runs,
		     unsigned int level);
uint64_t chess_grow_count(const struct chess_grow *g, const struct chess_worklist *w,
			  unsigned int level);

/* Cost that forks of the @level may have, of those that belong to what was asked for or to it. */
static inline unsigned int chess_grow_left(const struct chess_grow *g, unsigned int level)
{
	return level < g->asked ? g->asked - level : 0;
}

/* Is what was asked for done, and the @level after it not? */
static inline bool chess_grow_beyond(const struct chess_grow *g, unsigned int level)
{
	return level > g->asked && !g->over;
}

#endif /* CHESSCTL_GROW_H */
