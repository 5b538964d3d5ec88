// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what a search is said to have covered: "ok" only for a complete search without a bug;
 * a bound only where the strategy has one; which kinds of points it did not have; whether time
 * limits for children were held back; reductions that were given up do not count; accesses of
 * some of the runs only; and the rate, without time spent on other things.
 */
#include <string.h>

#include <chessctl/coverage.h>

#include "harness.h"

static struct chess_explore_result result(enum chess_verdict verdict, bool complete)
{
	return (struct chess_explore_result){ .verdict = verdict, .complete = complete };
}

TEST(ok_is_complete_and_without_a_bug)
{
	const struct chess_coverage_asked asked = { .strategy = "icb", .points = "sync" };
	struct chess_explore_result res = result(CHESS_VERDICT_OK, true);

	EXPECT_TRUE(chess_coverage_of(&asked, &res).ok);
	res = result(CHESS_VERDICT_OK, false);
	EXPECT_FALSE(chess_coverage_of(&asked, &res).ok);
	res = result(CHESS_VERDICT_INCOMPLETE, true);
	EXPECT_FALSE(chess_coverage_of(&asked, &res).ok);
	res = result(CHESS_VERDICT_DEADLOCK, true);
	EXPECT_FALSE(chess_coverage_of(&asked, &res).ok);
}

TEST(bound_of_a_strategy)
{
	struct chess_coverage_asked asked = { .strategy = "icb", .bound = 3, .points = "sync" };
	struct chess_explore_result res = result(CHESS_VERDICT_OK, true);
	struct chess_coverage c = chess_coverage_of(&asked, &res);

	EXPECT_EQ(0, strcmp("preemption", c.counts));
	EXPECT_EQ(3, (int)c.bound);
	EXPECT_TRUE(c.exhaustive);
	asked.strategy = "dfs";
	c = chess_coverage_of(&asked, &res);
	EXPECT_TRUE(!c.counts && !c.bound && c.exhaustive);
	asked.strategy = "random";
	c = chess_coverage_of(&asked, &res);
	EXPECT_FALSE(c.exhaustive);
}

/* It is bound 2 that is not finished, and nothing is missing but what was not run yet. */
TEST(bounds_that_are_done_where_the_search_is_not)
{
	struct chess_coverage_asked asked = { .strategy = "icb", .bound = 3, .points = "sync" };
	struct chess_explore_result res = result(CHESS_VERDICT_INCOMPLETE, false);

	res.bound = 2;
	res.left_out[CHESS_LEFT_OUT_LIMIT] = 10;
	EXPECT_EQ(2, (int)chess_coverage_of(&asked, &res).levels);
	asked.strategy = "random";
	EXPECT_EQ(0, (int)chess_coverage_of(&asked, &res).levels);
	asked.strategy = "turns";
	EXPECT_EQ(2, (int)chess_coverage_of(&asked, &res).levels);
	res.left_out[CHESS_LEFT_OUT_FORCED] = 1;
	EXPECT_EQ(0, (int)chess_coverage_of(&asked, &res).levels);
	res.left_out[CHESS_LEFT_OUT_FORCED] = 0;
	res.diverged = 1;
	EXPECT_EQ(0, (int)chess_coverage_of(&asked, &res).levels);
	res.diverged = 0;
	res.verdict = CHESS_VERDICT_DEADLOCK;
	EXPECT_EQ(0, (int)chess_coverage_of(&asked, &res).levels);
}

static unsigned int unseen(const char *points)
{
	const struct chess_coverage_asked asked = { .strategy = "icb", .points = points };
	struct chess_explore_result res = result(CHESS_VERDICT_OK, true);

	return chess_coverage_of(&asked, &res).unseen;
}

TEST(points_that_it_did_not_have)
{
	EXPECT_EQ(0, (int)unseen("sync,syscalls,races"));
	EXPECT_EQ(1 << CHESS_POINT_ACCESSES, (int)unseen("sync,syscalls"));
	EXPECT_EQ(1 << CHESS_POINT_SYNC, (int)unseen("syscalls,races"));
	EXPECT_EQ(1 << CHESS_POINT_SYNC | 1 << CHESS_POINT_SYSCALLS, (int)unseen("races"));
	/* Whole words: no kind is seen since its name is in another one. */
	EXPECT_EQ(7, (int)unseen("synchronous,syscallsx,braces"));
	EXPECT_EQ(0, strcmp("system_calls", chess_point_kind_key(CHESS_POINT_SYSCALLS)));
	EXPECT_TRUE(!chess_point_kind_key(CHESS_POINT_KINDS));
}

static bool held(enum chess_watchdogs when, bool no_early, uint64_t runs)
{
	const struct chess_coverage_asked asked = {
		.strategy = "icb", .points = "sync", .watchdogs = when, .no_early = no_early,
	};
	struct chess_explore_result res = result(CHESS_VERDICT_OK, true);

	res.watchdog_runs = runs;
	return chess_coverage_of(&asked, &res).watchdogs_held;
}

TEST(time_limits_for_children)
{
	EXPECT_TRUE(held(CHESS_WATCHDOGS_LATE, false, 1));
	EXPECT_FALSE(held(CHESS_WATCHDOGS_LATE, false, 0));
	/* Every deadline passes late. */
	EXPECT_FALSE(held(CHESS_WATCHDOGS_LATE, true, 1));
	EXPECT_TRUE(held(CHESS_WATCHDOGS_NEVER, true, 1));
	EXPECT_FALSE(held(CHESS_WATCHDOGS_NEVER, false, 0));
	EXPECT_EQ(0, strcmp("never", chess_watchdogs_name(CHESS_WATCHDOGS_NEVER)));
	EXPECT_TRUE(!chess_watchdogs_name(CHESS_WATCHDOGS_NEVER + 1));
}

TEST(reductions_accesses_and_rate)
{
	struct chess_race_search_result races = { .all.runs = 10, .recorded_runs = 10 };
	struct chess_coverage_asked asked = {
		.strategy = "icb", .points = "sync,races", .reductions = CHESS_REDUCE_HB,
	};
	struct chess_explore_result res = result(CHESS_VERDICT_OK, true);
	struct chess_coverage c;

	res.runs = 10;
	res.seconds = 4;
	c = chess_coverage_of(&asked, &res);
	EXPECT_EQ(CHESS_REDUCE_HB, (int)c.reductions);
	EXPECT_TRUE(c.rate == 2.5);
	EXPECT_FALSE(c.partly_recorded || c.gave_up);
	asked.unreduced = "a file has no traps";
	asked.aside_seconds = 2;
	asked.races = &races;
	c = chess_coverage_of(&asked, &res);
	EXPECT_EQ(0, (int)c.reductions);
	EXPECT_TRUE(c.rate == 5);
	EXPECT_FALSE(c.partly_recorded);
	races.recorded_runs = 9;
	races.gave_up = true;
	asked.aside_seconds = 4;
	c = chess_coverage_of(&asked, &res);
	EXPECT_TRUE(c.partly_recorded && c.gave_up);
	EXPECT_TRUE(c.rate == 0);
}

TEST_HARNESS_MAIN
