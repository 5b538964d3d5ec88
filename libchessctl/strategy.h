/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What picks the next prefix. explore.c asks a strategy for prefixes and hands
 * back the record of each run; it knows nothing else about it. A new strategy
 * is a file of its own and one row of the table in explore.c.
 */
#ifndef CHESSCTL_STRATEGY_H
#define CHESSCTL_STRATEGY_H

#include "chessctl/chessctl.h"

/**
 * struct chess_strategy_ops - one strategy
 * @name: what --strategy calls it
 * @new: start a search; NULL and errno with a sentence on failure
 * @next: the prefix of the next run. Returns 1 and sets *@prefix, which stays
 *	the strategy's and is valid until the next call; 0 when the search is
 *	over; negative errno
 * @report: the record of the run under the prefix that @next gave last. Called
 *	only for runs that followed their prefix. Returns 0; 1 when the run
 *	differs, before the end of the prefix, from the run the prefix was
 *	taken from (nothing is derived from it then); negative errno
 * @bound: preemption bound in work
 * @free: end of the search
 */
struct chess_strategy_ops {
	const char *name;
	void *(*new)(const struct chess_explore_opts *o);
	int (*next)(void *strategy, const struct chess_schedule **prefix);
	int (*report)(void *strategy, const struct chess_record *r);
	unsigned int (*bound)(const void *strategy);
	void (*free)(void *strategy);
};

/* strategy_icb.c */
extern const struct chess_strategy_ops chess_strategy_icb;

#endif /* CHESSCTL_STRATEGY_H */
