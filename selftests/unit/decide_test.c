// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves kmod/decide.c, compiled here as it is: sets of ids over word borders, the
 * order of a forced prefix, and the default policy (running task first, else the
 * lowest id; a yield passes on round robin).
 */
#include <string.h>

#include "decide.h"
#include "harness.h"

static struct chess_set set_of(const unsigned int *ids, size_t n)
{
	struct chess_set set;
	size_t i;

	memset(&set, 0xff, sizeof(set));
	chess_set_clear(&set);
	for (i = 0; i < n; i++)
		chess_set_add(&set, ids[i]);
	return set;
}

#define SET(...) set_of((const unsigned int[]){ __VA_ARGS__ }, \
	sizeof((const unsigned int[]){ __VA_ARGS__ }) / sizeof(unsigned int))

TEST(set_holds_what_was_added_once)
{
	struct chess_set set = SET(0, 63, 64, 4095, 64);

	EXPECT_EQ(4u, set.count);
	EXPECT_TRUE(chess_set_has(&set, 63));
	EXPECT_FALSE(chess_set_has(&set, 62));
	chess_set_remove(&set, 62);
	EXPECT_EQ(4u, set.count);
	chess_set_remove(&set, 64);
	chess_set_remove(&set, 64);
	EXPECT_EQ(3u, set.count);
	EXPECT_FALSE(chess_set_has(&set, 64));
}

TEST(next_finds_ids_over_word_borders)
{
	struct chess_set set = SET(0, 63, 64, 4095);

	EXPECT_EQ(0u, chess_set_next(&set, 0));
	EXPECT_EQ(63u, chess_set_next(&set, 1));
	EXPECT_EQ(64u, chess_set_next(&set, 64));
	EXPECT_EQ(4095u, chess_set_next(&set, 65));
	EXPECT_EQ((unsigned int)CHESS_TASK_NONE, chess_set_next(&set, 4096));
	chess_set_clear(&set);
	EXPECT_EQ((unsigned int)CHESS_TASK_NONE, chess_set_next(&set, 0));
}

TEST(prefix_forces_each_segment_as_often_as_it_says)
{
	static const struct chess_segment segments[] = { { 2, 7 }, { 1, 0 }, { 3, 9 } };
	static const unsigned int expected[] = { 7, 7, 0, 9, 9, 9 };
	struct chess_prefix prefix = { .segments = segments, .count = 3 };
	size_t i;

	for (i = 0; i < 6; i++) {
		EXPECT_EQ(expected[i], chess_prefix_peek(&prefix));
		/* looking does not use it up */
		EXPECT_EQ(expected[i], chess_prefix_peek(&prefix));
		chess_prefix_advance(&prefix);
	}
	EXPECT_EQ((unsigned int)CHESS_TASK_NONE, chess_prefix_peek(&prefix));
	chess_prefix_advance(&prefix);
	EXPECT_EQ((unsigned int)CHESS_TASK_NONE, chess_prefix_peek(&prefix));
}

TEST(dropped_prefix_forces_nothing)
{
	static const struct chess_segment segments[] = { { 5, 1 } };
	struct chess_prefix prefix = { .segments = segments, .count = 1 };

	chess_prefix_advance(&prefix);
	chess_prefix_drop(&prefix);
	EXPECT_EQ((unsigned int)CHESS_TASK_NONE, chess_prefix_peek(&prefix));
}

TEST(running_task_goes_on_while_it_is_enabled)
{
	struct chess_set set = SET(1, 5, 70);

	EXPECT_EQ(70u, chess_decide_default(&set, 70, false));
	EXPECT_EQ(5u, chess_decide_default(&set, 5, false));
}

TEST(lowest_enabled_task_follows_one_that_cannot_go_on)
{
	struct chess_set set = SET(1, 5, 70);

	EXPECT_EQ(1u, chess_decide_default(&set, 6, false));
	EXPECT_EQ(1u, chess_decide_default(&set, 0, false));
}

TEST(yield_passes_on_round_robin)
{
	struct chess_set set = SET(1, 5, 70);

	EXPECT_EQ(5u, chess_decide_default(&set, 1, true));
	EXPECT_EQ(70u, chess_decide_default(&set, 5, true));
	EXPECT_EQ(1u, chess_decide_default(&set, 70, true));
	EXPECT_EQ(5u, chess_decide_default(&set, 3, true));
}

TEST(yield_of_the_only_enabled_task_stays_with_it)
{
	struct chess_set set = SET(5);

	EXPECT_EQ(5u, chess_decide_default(&set, 5, true));
}

TEST(nobody_enabled_means_nobody_chosen)
{
	struct chess_set set = SET(5);

	chess_set_remove(&set, 5);
	EXPECT_EQ((unsigned int)CHESS_TASK_NONE, chess_decide_default(&set, 5, false));
	EXPECT_EQ((unsigned int)CHESS_TASK_NONE, chess_decide_default(&set, 5, true));
}

TEST_HARNESS_MAIN
