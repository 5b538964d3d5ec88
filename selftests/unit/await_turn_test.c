// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves kmod/await.h: at which turns of a loop a task yields.
 */
#include "await.h"
#include "harness.h"

static struct chess_await await;

TEST(from_some_turn_on_each_is_a_yield)
{
	chess_await_leave(&await);
	EXPECT_FALSE(chess_await_turn(&await, 5, 2));
	EXPECT_TRUE(chess_await_turn(&await, 5, 2));
	EXPECT_TRUE(chess_await_turn(&await, 5, 2));
	chess_await_leave(&await);
	EXPECT_FALSE(chess_await_turn(&await, 5, 3));
	EXPECT_FALSE(chess_await_turn(&await, 5, 3));
	EXPECT_TRUE(chess_await_turn(&await, 5, 3));
}

TEST(turns_are_counted_for_each_access)
{
	unsigned int site;

	chess_await_leave(&await);
	for (site = 1; site <= CHESS_AWAIT_SITES; site++)
		EXPECT_FALSE(chess_await_turn(&await, site, 2));
	for (site = 1; site <= CHESS_AWAIT_SITES; site++)
		EXPECT_TRUE(chess_await_turn(&await, site, 2));
}

/* Never too soon: the first ones are forgotten, and so it is as if there were no such loop. */
TEST(of_more_accesses_none_is_a_yield)
{
	unsigned int site, round;

	chess_await_leave(&await);
	for (round = 0; round < 10; round++)
		for (site = 1; site <= CHESS_AWAIT_SITES + 1; site++)
			EXPECT_FALSE(chess_await_turn(&await, site, 2));
}

TEST(what_is_left_is_counted_from_the_beginning)
{
	chess_await_leave(&await);
	EXPECT_FALSE(chess_await_turn(&await, 5, 2));
	EXPECT_TRUE(chess_await_turn(&await, 5, 2));
	chess_await_leave(&await);
	EXPECT_FALSE(chess_await_turn(&await, 5, 2));
}

/* The counters have eight bits. */
TEST(a_long_wait_stays_one)
{
	unsigned int i;

	chess_await_leave(&await);
	EXPECT_FALSE(chess_await_turn(&await, 5, 2));
	for (i = 0; i < 1000; i++)
		EXPECT_TRUE(chess_await_turn(&await, 5, 2));
}

TEST_HARNESS_MAIN
