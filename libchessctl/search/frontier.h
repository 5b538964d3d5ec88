/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The prefixes that wait, outside of a search: frontier.c. What strategies with forks.h put in and
 * take out; <chessctl/search.h> has what programs do with it.
 */
#ifndef CHESSCTL_FRONTIER_H
#define CHESSCTL_FRONTIER_H

#include "search/worklist.h"

/* 0 or -ENOMEM with chess_error(); takes a reference to the source of @t */
int chess_frontier_add(struct chess_frontier *f, unsigned int level, const struct chess_waiting *t);
/* Number @i, as it was added; borrowed. false: there are no more */
bool chess_frontier_get(const struct chess_frontier *f, size_t i, unsigned int *level,
			struct chess_waiting *t);
/* Nothing waits any more. */
void chess_frontier_clear(struct chess_frontier *f);
/* Nothing was run: the empty prefix waits. */
void chess_frontier_set_root(struct chess_frontier *f);
bool chess_frontier_is_root(const struct chess_frontier *f);

#endif /* CHESSCTL_FRONTIER_H */
