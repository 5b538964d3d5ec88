// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves when a run counts as one from which the module took schedules away: a yield that
 * no program asked for, and fairness leaving somebody out after it. Neither alone does.
 */
#include <stdlib.h>

#include "harness.h"
#include "internal.h"
#include "record/decision.h"

static void push(struct chess_record *r, uint8_t type, uint32_t task, uint8_t op, uint8_t flags)
{
	const struct chess_event e = {
		.type = type, .task = task, .chosen = task, .enabled = 3, .op = op,
		.flags = flags,
	};

	if (chess_record_push(r, &e, 1))
		abort();
}

static void push_row(struct chess_record *r, uint32_t task, unsigned int n)
{
	while (n--)
		push(r, CHESS_EVENT_POINT, task, CHESS_OP_READ, 0);
}

static bool was_forced(struct chess_record *r)
{
	bool forced = chess_record_was_forced(r);

	chess_record_free(r);
	return forced;
}

TEST(a_quantum_counts_once_somebody_is_left_out)
{
	struct chess_record *r = chess_record_new();

	push(r, CHESS_EVENT_FAIR, 0, 0, 0);
	push(r, CHESS_EVENT_QUANTUM, 0, 0, 0);
	push_row(r, 1, 1);
	EXPECT_FALSE(chess_record_was_forced(r));
	push(r, CHESS_EVENT_FAIR, 0, 0, 0);
	EXPECT_TRUE(was_forced(r));
}

TEST(a_yield_of_the_programs_own_does_not_count)
{
	struct chess_record *r = chess_record_new();

	push(r, CHESS_EVENT_POINT, 0, CHESS_OP_YIELD, CHESS_OPF_YIELD);
	push(r, CHESS_EVENT_FAIR, 0, 0, 0);
	EXPECT_FALSE(was_forced(r));
}

/* Number 1000 in a row is made a yield; 999, and another task in between, are not enough. */
TEST(the_thousandth_point_in_a_row_counts)
{
	struct chess_record *r = chess_record_new();

	push_row(r, 0, 999);
	push_row(r, 1, 1);
	push_row(r, 0, 999);
	push(r, CHESS_EVENT_FAIR, 0, 0, 0);
	EXPECT_FALSE(chess_record_was_forced(r));
	push(r, CHESS_EVENT_POINT, 0, CHESS_OP_READ, CHESS_OPF_YIELD);
	push(r, CHESS_EVENT_FAIR, 0, 0, 0);
	EXPECT_TRUE(was_forced(r));
}

/* Where nobody else is enabled the module makes it none. */
TEST(a_row_without_others_does_not_count)
{
	struct chess_record *r = chess_record_new();

	push_row(r, 0, 1000);
	push(r, CHESS_EVENT_FAIR, 0, 0, 0);
	EXPECT_FALSE(was_forced(r));
}

TEST(a_stall_counts)
{
	struct chess_record *r = chess_record_new();

	push(r, CHESS_EVENT_STALL, 0, 0, 0);
	EXPECT_TRUE(was_forced(r));
}

TEST_HARNESS_MAIN
