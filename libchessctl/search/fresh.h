/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The forks of the current record, until they go where they wait (forks.c), and the share of
 * the tree that each of them has.
 */
#ifndef CHESSCTL_FRESH_H
#define CHESSCTL_FRESH_H

#include "search/fork.h"

/* Forks that cost equally much more, in the order of the record. */
struct chess_fresh_list {
	struct fork *fork;
	uint32_t n;
	size_t room;
};

/* @list: of forks, by their additional cost; @costs of them */
struct chess_fresh {
	struct chess_fresh_list *list;
	unsigned int costs;
};

/* All zero is empty. 0 or -ENOMEM */
int chess_fresh_push(struct chess_fresh *f, unsigned int cost, const struct fork *fork);
/* None is left; their memory is kept. */
void chess_fresh_drop(struct chess_fresh *f);
void chess_fresh_clear(struct chess_fresh *f);

/*
 * Share the @weight of the subtree that the run begins; schedules in it may cost @left
 * more than the run, and forks that cost more have no share. Return: the weight of its leaf,
 * which has size one; zero where the tree is so large that no number would help.
 */
double chess_fresh_share(struct chess_fresh *f, unsigned int left, double weight);

#endif /* CHESSCTL_FRESH_H */
