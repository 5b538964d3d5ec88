// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a search never says "ok" when a part of the tree was not seen: limits, runs
 * that leave their prefix or whose record is not whole, interruptions, errors.
 */
#include <errno.h>
#include <string.h>

#include "op_list.h"
#include "../harness.h"

static const struct op steps[8];	/* STEP is zero */

static const struct op_list two_steps = { .ops = { steps, steps }, .n = { 2, 2 }, .tasks = 2 };

TEST(run_limit_makes_the_search_incomplete)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .p = &two_steps };

	o.max_runs = 6;
	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)6, res.runs);
	EXPECT_FALSE(res.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	EXPECT_EQ(2U, res.bound);
	/* 1 + 2 + 4 runs are all there are: a limit that is just met cuts nothing. */
	o.max_runs = 7;
	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)7, res.runs);
	EXPECT_TRUE(res.complete);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
}

TEST(time_limit_makes_the_search_incomplete)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2, .max_seconds = 1e-9 };
	struct chess_explore_result res;
	struct box b = { .p = &two_steps };

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_GT((uint64_t)7, res.runs);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
}

/* Run 2 follows the first prefix taken from run 1; what it would have led to is
 * not run, and the search does not claim to be complete.
 */
static void expect_diverged(struct box *b)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;

	b->p = &two_steps;
	ASSERT_EQ(0, op_list_explore(b, &o, &res));
	EXPECT_EQ((uint64_t)1, res.diverged);
	EXPECT_EQ((uint64_t)2, res.retries);
	EXPECT_EQ((uint64_t)5, res.runs);
	EXPECT_FALSE(res.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	EXPECT_EQ(0U, res.bugs);
	EXPECT_NE(NULL, (void *)strstr(res.why, "in each of 3 tries"));
	chess_explore_result_clear(&res);
}

TEST(run_that_leaves_its_prefix_is_diverged)
{
	struct box b = { .fault = { .wrong_prefix_at = 2, .disturbed = 3 } };

	expect_diverged(&b);
}

/* What disturbed it is gone at the second or third try: nothing is lost. */
TEST(run_that_is_disturbed_for_a_while_is_tried_again)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct box calm = { .p = &two_steps };
	struct box once = { .p = &two_steps, .fault = { .wrong_prefix_at = 2 } };
	struct box twice = { .p = &two_steps, .fault = { .wrong_prefix_at = 3, .disturbed = 2 } };
	struct chess_explore_result a, b, c;

	ASSERT_EQ(0, op_list_explore(&calm, &o, &a));
	ASSERT_EQ(0, op_list_explore(&once, &o, &b));
	ASSERT_EQ(0, op_list_explore(&twice, &o, &c));
	EXPECT_EQ((uint64_t)0, a.retries);
	EXPECT_EQ((uint64_t)1, b.retries);
	EXPECT_EQ((uint64_t)2, c.retries);
	EXPECT_EQ((uint64_t)0, b.diverged + c.diverged);
	EXPECT_EQ(a.runs, b.runs);
	EXPECT_EQ(a.runs, c.runs);
	EXPECT_TRUE(b.complete && c.complete);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)b.verdict);
}

/* The decisions are those of the prefix, but a third task is enabled. */
TEST(run_that_differs_inside_its_prefix_is_diverged)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct box b = { .p = &two_steps,
			 .fault = { .other_enabled_at = 2, .other = 2, .disturbed = 3 } };
	struct chess_explore_result res;

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)1, res.diverged);
	EXPECT_EQ((uint64_t)5, res.runs);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
}

TEST(run_with_an_incomplete_record_is_not_searched_further)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .p = &two_steps, .fault = { .incomplete_at = 1 } };

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)1, res.runs);
	EXPECT_EQ((uint64_t)0, res.diverged);
	EXPECT_FALSE(res.complete);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	EXPECT_STREQ("a trap was lost", res.why);
	chess_explore_result_clear(&res);
}

TEST(interrupted_run_ends_the_search_without_an_error)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .p = &two_steps, .fault = { .error_at = 3, .error = -EINTR } };

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)2, res.runs);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
}

TEST(error_of_the_executor_is_handed_on)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .p = &two_steps, .fault = { .error_at = 3, .error = -ENOSPC } };

	EXPECT_EQ(-ENOSPC, op_list_explore(&b, &o, &res));
}

static bool stop_after_three(void *arg, const struct chess_explore_progress *p)
{
	*(unsigned int *)arg = p->bound;
	return p->runs < 3;
}

TEST(progress_can_stop_the_search)
{
	unsigned int bound = 99;
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2,
					.progress = stop_after_three, .progress_arg = &bound };
	struct chess_explore_result res;
	struct box b = { .p = &two_steps };

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ((uint64_t)3, res.runs);
	EXPECT_EQ(1U, bound);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
}

TEST(unknown_strategy_is_refused_with_the_list)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .strategy = "luck" };
	struct chess_explore_result res;
	struct box b = { .p = &two_steps };

	EXPECT_EQ(-EINVAL, op_list_explore(&b, &o, &res));
	EXPECT_NE(NULL, strstr(chess_error(), "icb"));
	EXPECT_NE(NULL, strstr(chess_error(), "luck"));
	EXPECT_EQ((size_t)0, b.n_seen);
}

TEST_HARNESS_MAIN
