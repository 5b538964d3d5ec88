// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves kmod/retry.h: which ops of a task count as trying a lock again.
 */
#include "retry.h"
#include "harness.h"

static struct chess_retry retry;

static bool op(unsigned int class, chess_word_t object)
{
	struct chess_event e = { .type = CHESS_EVENT_POINT, .op = class, .object = object };

	return chess_retry_note(&retry, &e);
}

static void begin(void)
{
	retry = (struct chess_retry){};
}

TEST(a_lock_that_is_tried_once_more_is_tried_again)
{
	begin();
	EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 8));
	EXPECT_TRUE(op(CHESS_OP_TRYLOCK, 8));
	EXPECT_TRUE(op(CHESS_OP_TRYLOCK, 8));
}

/* It was given back, so the task had it: or it waited for it, or made it again. */
TEST(whatever_else_is_done_with_the_lock_begins_a_new_try)
{
	static const unsigned int others[] = {
		CHESS_OP_UNLOCK, CHESS_OP_LOCK, CHESS_OP_SEM_POST, CHESS_OP_DESTROY,
	};

	for (unsigned int i = 0; i < sizeof(others) / sizeof(*others); i++) {
		begin();
		EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 8));
		EXPECT_FALSE(op(others[i], 8));
		EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 8));
		EXPECT_TRUE(op(CHESS_OP_TRYLOCK, 8));
	}
}

/* PLDI'08, figure 1: the own fork is put down and taken in between. */
TEST(other_locks_in_between_do_not_matter)
{
	begin();
	EXPECT_FALSE(op(CHESS_OP_LOCK, 16));
	EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 8));
	EXPECT_FALSE(op(CHESS_OP_UNLOCK, 16));
	EXPECT_FALSE(op(CHESS_OP_LOCK, 16));
	EXPECT_TRUE(op(CHESS_OP_TRYLOCK, 8));
}

TEST(a_loop_may_try_several_locks)
{
	chess_word_t i;

	begin();
	for (i = 1; i <= CHESS_RETRY_LOCKS; i++)
		EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 8 * i));
	for (i = 1; i <= CHESS_RETRY_LOCKS; i++)
		EXPECT_TRUE(op(CHESS_OP_TRYLOCK, 8 * i));
	/* One more takes the place of the first. */
	EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 8 * i));
	EXPECT_TRUE(op(CHESS_OP_TRYLOCK, 16));
	EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 8));
}

TEST(an_op_without_an_object_is_no_try)
{
	begin();
	EXPECT_FALSE(op(CHESS_OP_YIELD, 0));
	EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 0));
	EXPECT_FALSE(op(CHESS_OP_TRYLOCK, 0));
}

TEST_HARNESS_MAIN
