// SPDX-License-Identifier: GPL-2.0-only
/*
 * A search for which nobody gave a bound goes on beyond that of its default while it is short
 * (libchessctl/search/grow.c): what it claims is what was run, and a search that is given up
 * beyond what was asked for claims no less than that.
 */
#include <errno.h>
#include <string.h>

#include <chessctl/coverage.h>

#include "op_list.h"
#include "../harness.h"

static const struct op steps[8];	/* STEP is zero */

/*
 * Two tasks of four points have C(4, ceil(c/2)) C(4, floor(c/2)) schedules with c preemptions
 * (explore_test.c): 1, 4, 16, 24, 36, 24, 16, 4 and 1, which are 126.
 */
static const struct op_list two = { .ops = { steps, steps }, .n = { 4, 4 }, .tasks = 2 };
static const uint64_t runs_at[] = { 1, 4, 16, 24, 36, 24, 16, 4, 1 };

static const unsigned int reductions[] = { 0, CHESS_REDUCE_HB, CHESS_REDUCE_DPOR };

static struct chess_explore_result explore(const struct op_list *p,
					   const struct chess_explore_opts *asked)
{
	struct chess_explore_result res;
	struct box b = { .p = p };

	ASSERT_EQ(0, op_list_explore(&b, asked, &res));
	op_list_forget(&b);
	return res;
}

/* What was searched with a bound of 1 where @grow_runs may be made: levels up to @bound. */
static void expect_levels(uint64_t grow_runs, unsigned int bound, uint64_t runs)
{
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 1, .grow_runs = grow_runs,
	};
	const struct chess_coverage_asked asked = { .bound = 1, .points = "" };
	struct chess_explore_result res = explore(&two, &o);
	unsigned int i;

	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_TRUE(res.complete);
	EXPECT_EQ(bound, res.bound);
	EXPECT_EQ(bound, chess_coverage_of(&asked, &res).bound);
	EXPECT_EQ(runs, res.runs);
	EXPECT_EQ((uint64_t)0, res.left_out[CHESS_LEFT_OUT_LIMIT]);
	for (i = 0; i <= bound && i < ARRAY_LENGTH(runs_at); i++)
		EXPECT_EQ(runs_at[i], res.runs_at[i]);
	chess_explore_result_clear(&res);
}

TEST(bounds_that_are_done_are_claimed_and_no_others)
{
	/* Off, and over before it may begin: bound 1 takes 5 runs. */
	expect_levels(0, 1, 5);
	expect_levels(5, 1, 5);
	/* Given up in the middle of bound 2, which is done after 21 runs, and of bound 4. */
	expect_levels(6, 1, 6);
	expect_levels(20, 1, 20);
	expect_levels(50, 3, 50);
	/* Done when the runs are. */
	expect_levels(21, 2, 21);
	expect_levels(45, 3, 45);
	/* All there is: no schedule has more than eight, so the highest bound is done. */
	expect_levels(126, 9, 126);
	expect_levels(1000, 9, 126);
}

/* The estimate is of what was asked for, as if nothing came after it. */
TEST(what_is_asked_for_is_searched_as_without_more)
{
	unsigned int i, k;

	for (k = 0; k < ARRAY_LENGTH(reductions); k++) {
		struct chess_explore_opts o = {
			.sz = sizeof(o), .bound = 3, .reduce = reductions[k], .count_classes = true,
		};
		struct chess_explore_result plain = explore(&two, &o), grown;

		o.grow_runs = plain.runs;
		grown = explore(&two, &o);
		EXPECT_EQ(plain.runs, grown.runs);
		EXPECT_EQ(plain.classes, grown.classes);
		EXPECT_EQ(plain.bound, grown.bound);
		EXPECT_EQ(plain.n_runs_at, grown.n_runs_at);
		for (i = 0; i < plain.n_runs_at; i++)
			EXPECT_EQ(plain.runs_at[i], grown.runs_at[i]);
		chess_explore_result_clear(&plain);
		chess_explore_result_clear(&grown);
	}
}

/* A limit that is reached beyond does not take back what was done. */
TEST(a_limit_beyond_leaves_ok)
{
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .grow_runs = 1000, .max_runs = 30,
	}, short_of_it = {
		.sz = sizeof(o), .bound = 2, .grow_runs = 1000, .max_runs = 20,
	};
	struct chess_explore_result res = explore(&two, &o);

	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_TRUE(res.complete);
	EXPECT_EQ(2U, res.bound);
	EXPECT_EQ((uint64_t)30, res.runs);
	EXPECT_EQ((uint64_t)0, res.left_out[CHESS_LEFT_OUT_LIMIT]);
	chess_explore_result_clear(&res);
	res = explore(&two, &short_of_it);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	EXPECT_FALSE(res.complete);
	EXPECT_EQ((uint64_t)1, res.left_out[CHESS_LEFT_OUT_LIMIT]);
	chess_explore_result_clear(&res);
}

/* Bound 1 is done after 5 runs, bound 2 after 21: what is lost later is lost of a larger one. */
TEST(what_is_lost_beyond_leaves_ok)
{
	static const struct {
		struct fault fault;
		unsigned int bound;
		bool ok;
	} cases[] = {
		{ { .incomplete_at = 10 }, 1, true },
		{ { .incomplete_at = 30 }, 2, true },
		{ { .wrong_prefix_at = 25, .disturbed = 3 }, 2, true },
		{ { .other_enabled_at = 25, .other = 2, .disturbed = 3 }, 2, true },
		{ { .error_at = 25, .error = -EINTR }, 2, true },
		{ { .incomplete_at = 3 }, 8, false },
		{ { .wrong_prefix_at = 3, .disturbed = 3 }, 8, false },
	};
	const struct chess_explore_opts o = { .sz = sizeof(o), .bound = 1, .grow_runs = 1000 };
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct box b = { .p = &two, .fault = cases[i].fault };
		struct chess_explore_result res;

		ASSERT_EQ(0, op_list_explore(&b, &o, &res));
		EXPECT_EQ(cases[i].ok, res.complete);
		EXPECT_EQ(cases[i].ok ? CHESS_VERDICT_OK : CHESS_VERDICT_INCOMPLETE,
			  (int)res.verdict);
		if (cases[i].ok) {
			EXPECT_EQ(cases[i].bound, res.bound);
			EXPECT_EQ((uint64_t)0, res.diverged);
			EXPECT_EQ((uint64_t)0, res.left_out[CHESS_LEFT_OUT_RECORD]);
			EXPECT_EQ(NULL, (void *)res.why);
		}
		op_list_forget(&b);
		chess_explore_result_clear(&res);
	}
}

/*
 * T0 fails where T1 and T2 have made one of their two steps each: it is left after its first
 * step, so are they, and no task but T0 runs at the beginning.
 */
static const struct op looks[] = { { ADD, 1 }, { FAIL_IF, 111 } };
static const struct op tens[] = { { ADD, 10 }, { ADD, 10 } };
static const struct op hundreds[] = { { ADD, 100 }, { ADD, 100 } };
static const struct op_list needs_three = { .ops = { looks, tens, hundreds }, .n = { 2, 2, 2 },
					  .tasks = 3 };

TEST(a_bug_beyond_is_found_with_the_fewest_preemptions)
{
	unsigned int k;

	for (k = 0; k < ARRAY_LENGTH(reductions); k++) {
		struct chess_explore_opts o = {
			.sz = sizeof(o), .bound = 2, .reduce = reductions[k],
		};
		struct chess_explore_result res = explore(&needs_three, &o);

		EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
		o.grow_runs = 10 * res.runs;
		chess_explore_result_clear(&res);
		res = explore(&needs_three, &o);
		EXPECT_TRUE(chess_verdict_is_bug(res.verdict));
		EXPECT_FALSE(res.complete);
		EXPECT_EQ(3U, res.bound);
		ASSERT_NE(NULL, (void *)res.bad.record);
		EXPECT_EQ((size_t)3, chess_record_preemptions(res.bad.record));
		chess_explore_result_clear(&res);
	}
}

TEST_HARNESS_MAIN
