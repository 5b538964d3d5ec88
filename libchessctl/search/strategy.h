/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What picks the next plan. explore.c asks a strategy for plans and hands back the record of
 * each run; it knows nothing else about the strategy. A new strategy is a separate file and one
 * row of CHESS_STRATEGIES below: the search, --strategy, its help and its errors take the names
 * from there.
 *
 * Several plans may be out at a time: next() is called again before the reports of
 * earlier plans are in. What a search finds must not depend on how many are out.
 */
#ifndef CHESSCTL_STRATEGY_H
#define CHESSCTL_STRATEGY_H

#include "chessctl/chessctl.h"

/**
 * struct chess_strategy_ops - one strategy
 * @name: what --strategy calls it
 * @counts: what its bound counts, in the singular; NULL: it has none
 * @default_runs: when neither runs nor time are limited; 0: it ends by itself, with
 *	every schedule run. With any other value it never says that there is no bug
 * @races: it needs the races of the program
 * @mixes: its bound is of plans without a policy only, and that are not unbounded; others are
 *	runs by chance
 * @remembers: it reports to the memo what its runs exposed; else the search does
 * @once: a run that differs is what it looks for, not to be tried again
 * @new: start a search; NULL and errno with a sentence on failure
 * @begin: before the first next(): what there is to run is @from, which another search has left;
 *	0 or negative errno. NULL: the strategy is not to be cut into pieces
 * @back: a plan that was handed out and is not run is to be left over; done() comes next
 * @leave: the search has ended; what was not run goes to @to. 0 or negative errno
 * @waiting: how many prefixes wait
 * @next: fill in *@plan, which is all zero. Returns 1; 0 when the search is over;
 *	-EAGAIN when the next plan depends on those that are out; negative errno
 * @peek: fill in *@plan, which is all zero, as next() would if it were called @k times more
 *	and nothing were reported meanwhile; the plan does not count as out, and *@plan needs
 *	no ticket. A wrong plan does no harm. Returns 1; 0 when it cannot know; negative errno.
 *	NULL: it never can
 * @report: the record of a run under @plan. Called only for runs that followed their
 *	prefix, and again for the same plan as long as it returns 1. Returns 0; 1 when
 *	the run differs, before the end of the prefix, from the run the prefix was
 *	taken from (nothing is derived from it then); negative errno
 * @done: @plan is no longer run. Every plan comes back here, reported or not;
 *	frees what it has
 * @bound: the current bound
 * @beyond: is the bound that was asked for done, and the current one, a larger one, not? NULL:
 *	it never is
 * @give_up: a run of an unbounded plan left schedules out: no more of those plans, and what is
 *	claimed rests on the others. NULL: there are no such plans
 * @estimate: runs of the whole search; NULL: none is made
 * @left_out: adds ways that it did not take to @n, by cause. Those that have it honour
 *	in_scope of the options; NULL: the strategy cannot
 * @may_skip: honours skip_ordered too
 * @reductions: enum chess_reduction, those that it can use
 * @flaw: why schedules may be missing though all plans are back, or NULL; NULL: never
 * @covered: adds its own measure of coverage to the result, when the search is over; NULL: it
 *	has none
 * @free: end of the search, all plans are back
 */
struct chess_strategy_ops {
	const char *name;
	const char *counts;
	uint64_t default_runs;
	bool once;
	bool races;
	bool mixes;
	bool remembers;
	void *(*new)(const struct chess_explore_opts *o);
	int (*begin)(void *strategy, const struct chess_frontier *from);
	int (*back)(void *strategy, const struct chess_plan *plan);
	int (*leave)(void *strategy, struct chess_frontier *to);
	uint64_t (*waiting)(const void *strategy);
	int (*next)(void *strategy, struct chess_plan *plan);
	int (*peek)(void *strategy, size_t k, struct chess_plan *plan);
	int (*report)(void *strategy, struct chess_plan *plan, const struct chess_record *r);
	void (*done)(void *strategy, struct chess_plan *plan);
	unsigned int (*bound)(const void *strategy);
	bool (*beyond)(const void *strategy);
	void (*give_up)(void *strategy);
	double (*estimate)(const void *strategy);
	void (*left_out)(const void *strategy, uint64_t n[CHESS_LEFT_OUT_CAUSES]);
	bool may_skip;
	unsigned int reductions;
	const char *(*flaw)(const void *strategy);
	void (*covered)(void *strategy, struct chess_explore_result *out);
	void (*free)(void *strategy);
};

/* Each NAME is chess_strategy_NAME in strategy_NAME.c. The first is the library's default. */
#define CHESS_STRATEGIES(ROW) \
	ROW(icb) \
	ROW(dfs) \
	ROW(random) \
	ROW(pct) \
	ROW(pos) \
	ROW(surw) \
	ROW(delay) \
	ROW(rr) \
	ROW(hold) \
	ROW(maple) \
	ROW(rff) \
	ROW(prelude) \
	ROW(auto) \
	ROW(turns)

#define CHESS_STRATEGY_DECLARE(NAME) extern const struct chess_strategy_ops chess_strategy_##NAME;
CHESS_STRATEGIES(CHESS_STRATEGY_DECLARE)
#undef CHESS_STRATEGY_DECLARE
/* A part of turns only. */
extern const struct chess_strategy_ops chess_strategy_lockstep;

#endif /* CHESSCTL_STRATEGY_H */
