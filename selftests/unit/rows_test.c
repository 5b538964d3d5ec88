// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves when rows of points should be longer: where a task took more than 500 of them, of a limit
 * of 1000, while another one could go on, and all are on objects that no other task minds. And
 * that the thousandth is seen to be a yield that the program did not ask for.
 */
#include "internal.h"
#include "record/decision.h"
#include "record/rows.h"
#include "../harness.h"

#define OWN	0x1000
#define OTHERS	0x2000

static struct chess_event point(uint32_t task, unsigned int op, uint64_t object)
{
	return (struct chess_event){
		.type = CHESS_EVENT_POINT, .op = op, .task = task, .chosen = task, .nr = 1,
		.object_kind = CHESS_OBJECT_ADDRESS, .object = object, .arg = 4, .enabled = 3,
		.flags = CHESS_OPF_PROBE | (op == CHESS_OP_LOAD ? 0 : CHESS_OPF_WRITE),
	};
}

static void push(struct chess_record *r, struct chess_event e, unsigned int times)
{
	while (times--)
		ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* Task 1 does one thing, then task 0 another one so many times. */
static int answer(struct chess_event first, struct chess_event then, unsigned int times,
		  bool long_rows)
{
	struct chess_record *r = chess_record_new();
	int ret;

	chess_record_set_long_rows(r, long_rows);
	push(r, first, 1);
	push(r, then, times);
	ret = chess_rows_should_be_longer(r);
	chess_record_free(r);
	return ret;
}

TEST(a_row_that_concerns_no_other_task_should_be_longer)
{
	const struct chess_event other = point(1, CHESS_OP_LOCK, OTHERS);
	struct chess_event own = point(0, CHESS_OP_LOCK, OWN);

	/* The first point begins the row. */
	EXPECT_EQ(1, answer(other, own, 502, false));
	EXPECT_EQ(0, answer(other, own, 501, false));
	EXPECT_EQ(0, answer(other, own, 502, true));
	/* Alone it takes nothing from anybody. */
	own.enabled = 1;
	EXPECT_EQ(0, answer(other, own, 600, false));
}

TEST(one_that_does_so_should_not)
{
	struct chess_event call = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_POLL, .nr = 7, .enabled = 3,
	};

	EXPECT_EQ(0, answer(point(1, CHESS_OP_LOCK, OWN), point(0, CHESS_OP_TRYLOCK, OWN), 600,
			    false));
	EXPECT_EQ(0, answer(point(1, CHESS_OP_STORE, OWN), point(0, CHESS_OP_LOAD, OWN), 600,
			    false));
	EXPECT_EQ(1, answer(point(1, CHESS_OP_LOAD, OWN), point(0, CHESS_OP_LOAD, OWN), 600,
			    false));
	/* Nobody knows what it waits for. */
	EXPECT_EQ(0, answer(point(1, CHESS_OP_LOCK, OTHERS), call, 600, false));
}

/* Who else uses the object may do so afterwards. */
TEST(what_comes_later_in_the_run_counts)
{
	struct chess_record *r = chess_record_new();

	push(r, point(1, CHESS_OP_LOCK, OTHERS), 1);
	push(r, point(0, CHESS_OP_TRYLOCK, OWN), 600);
	EXPECT_EQ(1, chess_rows_should_be_longer(r));
	push(r, point(1, CHESS_OP_UNLOCK, OWN), 1);
	EXPECT_EQ(0, chess_rows_should_be_longer(r));
	chess_record_free(r);
}

/* Whether others had to go first is what the event after it says. */
static bool forced_after(unsigned int points)
{
	const struct chess_event fair = { .type = CHESS_EVENT_FAIR, .chosen = CHESS_TASK_NONE };
	struct chess_event last = point(0, CHESS_OP_LOCK, OWN);
	struct chess_record *r = chess_record_new();
	bool forced;

	push(r, point(1, CHESS_OP_LOCK, OTHERS), 1);
	push(r, last, points - 1);
	last.flags |= CHESS_OPF_YIELD;
	push(r, last, 1);
	push(r, fair, 1);
	forced = chess_record_was_forced(r);
	chess_record_free(r);
	return forced;
}

TEST(a_yield_that_the_module_made_is_at_the_end_of_a_part)
{
	EXPECT_TRUE(forced_after(1000));
	EXPECT_TRUE(forced_after(100000));
	EXPECT_FALSE(forced_after(999));
	EXPECT_FALSE(forced_after(1001));
}

TEST_HARNESS_MAIN
