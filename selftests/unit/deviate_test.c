// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what choices cost, and which of them are not the default policy's.
 */
#include <stdlib.h>

#include "shrink/deviate.h"
#include "internal.h"
#include "../harness.h"

/* A deadline that passes early costs one, wherever; a free choice stays free. */
TEST(choices_cost_what_the_search_counts)
{
	struct chess_event e[] = {
		{ .seq = 1, .type = CHESS_EVENT_POINT, .task = 0, .chosen = 0, .enabled = 3,
		  .timed = 4 },
		{ .seq = 2, .type = CHESS_EVENT_BLOCK, .task = 0, .chosen = 1, .enabled = 10,
		  .timed = 4 },
		{ .seq = 3, .type = CHESS_EVENT_POINT, .task = 1, .chosen = 2, .enabled = 10,
		  .timed = 4, .flags = CHESS_OPF_EARLY },
		{ .seq = 4, .type = CHESS_EVENT_EXIT, .task = 2, .chosen = 3, .enabled = 10 },
		{ .seq = 5, .type = CHESS_EVENT_POINT, .task = 3, .chosen = 1, .enabled = 10,
		  .flags = CHESS_OPF_YIELD },
	};
	struct chess_record *r = chess_record_new();
	struct chess_deviation *list;
	struct chess_walk w;
	size_t n;

	chess_record_set_fair(r, 0);
	ASSERT_EQ(0, chess_record_push(r, e, 5));
	ASSERT_EQ(0, chess_walk_begin(&w, r));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_FALSE(chess_walk_may(&w, 0));
	EXPECT_TRUE(chess_walk_may(&w, 1) && chess_walk_may(&w, 2));
	EXPECT_FALSE(chess_walk_may(&w, 3));
	EXPECT_EQ(1U, chess_walk_cost(&w, 1));
	EXPECT_EQ(1U, chess_walk_cost(&w, 2));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_TRUE(chess_walk_may(&w, 3));
	EXPECT_EQ(0U, chess_walk_cost(&w, 3));
	EXPECT_EQ(1U, chess_walk_cost(&w, 2));
	ASSERT_TRUE(chess_walk_next(&w) && chess_walk_next(&w) && chess_walk_next(&w));
	/* Who yields is no choice while others could go on. */
	EXPECT_FALSE(chess_walk_may(&w, 3));
	EXPECT_FALSE(chess_walk_next(&w));
	chess_walk_end(&w);

	/* Not the default's are the early deadline and T3 in place of T1. */
	ASSERT_EQ(0, chess_deviations_of(r, &list, &n));
	ASSERT_EQ((size_t)2, n);
	EXPECT_EQ((size_t)2, list[0].at);
	EXPECT_EQ(2, list[0].chosen);
	EXPECT_EQ((size_t)3, list[1].at);
	EXPECT_EQ(3, list[1].chosen);
	/* T0 to T1, T2, T3, T1 */
	EXPECT_EQ((size_t)4, chess_shrink_size_of(r).switches);
	EXPECT_EQ((size_t)1, chess_shrink_size_of(r).preemptions);
	free(list);
	chess_record_free(r);
}

/*
 * Under fairness nobody is preempted at a yield, and a task that yields may go on; but not
 * before those that fairness lets go first, which have to be in the way.
 */
TEST(choices_cost_what_fairness_leaves)
{
	struct chess_event e[] = {
		{ .seq = 1, .type = CHESS_EVENT_POINT, .task = 0, .chosen = 1, .enabled = 7,
		  .flags = CHESS_OPF_YIELD },
		/* T0 comes after the task that is enabled now. */
		{ .seq = 2, .type = CHESS_EVENT_FAIR, .task = 1, .chosen = CHESS_TASK_NONE,
		  .enabled = 1 },
		{ .seq = 3, .type = CHESS_EVENT_POINT, .task = 1, .chosen = 1, .enabled = 7 },
	};
	struct chess_record *r = chess_record_new();
	struct chess_walk w;

	chess_record_set_fair(r, 1);
	ASSERT_EQ(0, chess_record_push(r, e, 3));
	ASSERT_EQ(0, chess_walk_begin(&w, r));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_TRUE(chess_walk_may(&w, 0) && chess_walk_may(&w, 2));
	EXPECT_EQ(0U, chess_walk_cost(&w, 0));
	EXPECT_EQ(0U, chess_walk_cost(&w, 2));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_FALSE(chess_walk_may(&w, 0));
	EXPECT_TRUE(chess_walk_may(&w, 2));
	EXPECT_EQ(1U, chess_walk_cost(&w, 2));
	EXPECT_FALSE(chess_walk_next(&w));
	chess_walk_end(&w);
	chess_record_free(r);
}

/* How a wait ends is free where it was ended early, else an end without a wake-up costs one. */
TEST(waits_that_end_for_nothing_cost_one)
{
	struct chess_event e[] = {
		{ .seq = 1, .type = CHESS_EVENT_BLOCK, .task = 0, .chosen = 0, .timed = 1 },
		{ .seq = 2, .type = CHESS_EVENT_SPURIOUS, .task = 0, .chosen = CHESS_ENDS_LATE,
		  .enabled = 3 },
		{ .seq = 3, .type = CHESS_EVENT_TIMEOUT, .task = 0, .chosen = CHESS_TASK_NONE },
		{ .seq = 4, .type = CHESS_EVENT_POINT, .task = 0, .chosen = 1, .enabled = 1,
		  .timed = 2, .flags = CHESS_OPF_EARLY },
		{ .seq = 5, .type = CHESS_EVENT_SPURIOUS, .task = 1,
		  .chosen = CHESS_ENDS_FOR_NOTHING, .enabled = 3, .arg = 1 },
		{ .seq = 6, .type = CHESS_EVENT_TIMEOUT, .task = 1, .chosen = CHESS_TASK_NONE },
		/* No deadline: there is one way. */
		{ .seq = 7, .type = CHESS_EVENT_SPURIOUS, .task = 1,
		  .chosen = CHESS_ENDS_FOR_NOTHING, .enabled = 2, .arg = 1 },
	};
	struct chess_record *r = chess_record_new();
	struct chess_deviation *list;
	struct chess_walk w;
	size_t n;

	chess_record_set_spurious(r, true);
	ASSERT_EQ(0, chess_record_push(r, e, 7));
	ASSERT_EQ(0, chess_walk_begin(&w, r));
	ASSERT_TRUE(chess_walk_next(&w) && chess_walk_next(&w));
	EXPECT_TRUE(chess_walk_may(&w, CHESS_ENDS_FOR_NOTHING));
	EXPECT_EQ(1U, chess_walk_cost(&w, CHESS_ENDS_FOR_NOTHING));
	ASSERT_TRUE(chess_walk_next(&w) && chess_walk_next(&w));
	EXPECT_TRUE(chess_walk_may(&w, CHESS_ENDS_LATE));
	EXPECT_EQ(0U, chess_walk_cost(&w, CHESS_ENDS_LATE));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_FALSE(chess_walk_may(&w, CHESS_ENDS_LATE));
	EXPECT_FALSE(chess_walk_next(&w));
	chess_walk_end(&w);

	ASSERT_EQ(0, chess_deviations_of(r, &list, &n));
	ASSERT_EQ((size_t)2, n);
	EXPECT_EQ((size_t)2, list[0].at);
	EXPECT_EQ((size_t)3, list[1].at);
	EXPECT_EQ((size_t)1, chess_record_preemptions(r));
	free(list);
	chess_record_free(r);
}

TEST_HARNESS_MAIN
