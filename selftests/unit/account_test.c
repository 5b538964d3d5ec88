// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what a trace says of its run: the death that decided and not one that came before,
 * whether all or some tasks are deadlocked, the cycle, for each preemption what the task
 * that was stopped and the task that ran instead were about to do, and of a wait that was ended
 * whose it was, and whether without a wake-up. Records are made by hand; expected values are read
 * them.
 */
#include <signal.h>
#include <string.h>

#include "chessctl/chessctl.h"
#include "harness.h"

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

static struct chess_event point(uint16_t task, uint16_t chosen, uint64_t object)
{
	return (struct chess_event) {
		.type = CHESS_EVENT_POINT, .task = task, .chosen = chosen, .enabled = 7,
		.op = CHESS_OP_LOCK, .object_kind = CHESS_OBJECT_ADDRESS, .object = object,
	};
}

static struct chess_event end(uint16_t task, int status, uint16_t chosen)
{
	return (struct chess_event) {
		.type = CHESS_EVENT_EXIT, .task = task, .object = status, .chosen = chosen,
		.enabled = chosen == CHESS_TASK_NONE ? 0 : 1 << chosen,
	};
}

/* A helper is ended by SIGTERM, as is usual; then another process dies of SIGSEGV. */
TEST(usual_end_of_a_helper_does_not_decide)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_CRASH, .record = chess_record_new() };
	struct chess_account a;

	push(t.record, point(0, 0, 1));
	push(t.record, end(1, SIGTERM, 2));
	push(t.record, end(2, SIGSEGV, 0));
	push(t.record, end(0, 0, CHESS_TASK_NONE));
	ASSERT_EQ(0, chess_account_of(&t, &a));
	EXPECT_EQ(2, a.bad_task);
	EXPECT_EQ(SIGSEGV, a.bad_status);
	EXPECT_EQ(2, (int)a.died);
	EXPECT_TRUE(a.root_ended);
	EXPECT_FALSE(a.partial || a.early || a.repeats || a.complained);
	chess_account_clear(&a);
	/* Cleared twice is cleared. */
	chess_account_clear(&a);
	chess_record_free(t.record);
}

/* The root was killed before it left an event: its status alone says so. */
TEST(root_without_an_event_of_its_end)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_CRASH, .record = chess_record_new(),
				 .status = SIGBUS };
	struct chess_account a;

	push(t.record, point(0, 0, 1));
	ASSERT_EQ(0, chess_account_of(&t, &a));
	EXPECT_EQ(0, a.bad_task);
	EXPECT_EQ(SIGBUS, a.bad_status);
	EXPECT_TRUE(a.died == SIZE_MAX);
	EXPECT_FALSE(a.root_ended);
	chess_account_clear(&a);
	chess_record_free(t.record);
}

/* T0 could lock 1 and T1 was chosen, whose next point is at 3; the later turn is voluntary. */
TEST(preemption_says_both_sides)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_event blocks = { .type = CHESS_EVENT_BLOCK, .task = 1, .chosen = 0,
				      .enabled = 1 };
	struct chess_account a;

	push(t.record, point(0, 1, 1));
	push(t.record, point(1, 1, 3));
	push(t.record, blocks);
	push(t.record, point(0, 0, 5));
	push(t.record, end(0, 0, CHESS_TASK_NONE));
	ASSERT_EQ(0, chess_account_of(&t, &a));
	ASSERT_EQ(1, (int)a.n_preemptions);
	EXPECT_EQ(0, (int)a.preemptions[0].at);
	EXPECT_EQ(0, (int)a.preemptions[0].before);
	EXPECT_FALSE(a.preemptions[0].early);
	ASSERT_TRUE(a.preemptions[0].kept && a.preemptions[0].instead);
	EXPECT_EQ(1, (int)a.preemptions[0].kept->object);
	EXPECT_EQ(3, (int)a.preemptions[0].instead->object);
	EXPECT_EQ(-1, a.bad_task);
	chess_account_clear(&a);
	chess_record_free(t.record);
}

/* T1's wait is ended at @first, and how it ends is a decision: @how, early by itself or not. */
static void check_end_of_wait(struct chess_event first, uint16_t how, bool early,
			      const struct chess_account_preemption *expect)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	bool paid = first.flags & CHESS_OPF_EARLY, nothing = how == CHESS_ENDS_FOR_NOTHING;
	struct chess_account a;

	push(t.record, point(1, 1, 3));
	push(t.record, first);
	push(t.record, (struct chess_event) {
		.type = CHESS_EVENT_SPURIOUS, .task = 1, .chosen = how, .enabled = 3, .arg = paid,
		.flags = nothing && !paid ? CHESS_OPF_EARLY : 0,
	});
	push(t.record, (struct chess_event) {
		.type = CHESS_EVENT_TIMEOUT, .task = 1, .chosen = CHESS_TASK_NONE,
	});
	push(t.record, end(1, 0, CHESS_TASK_NONE));
	ASSERT_EQ(0, chess_account_of(&t, &a));
	EXPECT_EQ(early, a.early);
	EXPECT_EQ(nothing, chess_record_is_spurious(t.record, 3));
	ASSERT_EQ(1, (int)a.n_preemptions);
	EXPECT_EQ((int)expect->at, (int)a.preemptions[0].at);
	EXPECT_EQ((int)expect->other, (int)a.preemptions[0].other);
	EXPECT_EQ(1, (int)a.preemptions[0].chosen);
	EXPECT_TRUE(a.preemptions[0].early);
	EXPECT_EQ(nothing, a.preemptions[0].for_nothing);
	ASSERT_TRUE(a.preemptions[0].instead);
	EXPECT_EQ(3, (int)a.preemptions[0].instead->object);
	chess_account_clear(&a);
	chess_record_free(t.record);
}

/* Two decisions that end a wait, by its deadline or without a wake-up; the price is named once. */
TEST(wait_that_ends_for_nothing_did_not_time_out)
{
	struct chess_event last = { .type = CHESS_EVENT_BLOCK, .chosen = 1 };
	struct chess_event early = point(0, 1, 5);
	struct chess_account_preemption held = { .at = 1, .other = 0 };
	struct chess_account_preemption own = { .at = 2, .other = 1 };

	early.enabled = 1;
	early.timed = last.timed = 2;
	early.flags = CHESS_OPF_EARLY;
	check_end_of_wait(early, CHESS_ENDS_FOR_NOTHING, false, &held);
	check_end_of_wait(early, CHESS_ENDS_LATE, true, &held);
	/* Its deadline came next: nobody else could have gone on. */
	check_end_of_wait(last, CHESS_ENDS_FOR_NOTHING, false, &own);
}

/* T1 and T2 have each other's locks. @last: which task the last decision chose. */
static void check_deadlock(uint16_t last, bool partial)
{
	struct chess_holder by[2] = {
		{ .task = 2, .how = CHESS_HOLD_IS }, { .task = 1, .how = CHESS_HOLD_IS },
	};
	struct chess_wait waits[3] = {
		{ .task = 0, .asked = true },
		{ .task = 1, .asked = true, .holders = &by[0], .n_holders = 1 },
		{ .task = 2, .asked = true, .holders = &by[1], .n_holders = 1 },
	};
	struct chess_trace t = {
		.verdict = CHESS_VERDICT_DEADLOCK, .record = chess_record_new(), .waits = waits,
		.n_waits = 3, .status = SIGKILL,
	};
	struct chess_event blocks = { .type = CHESS_EVENT_BLOCK, .task = 1, .chosen = last,
				      .enabled = last == CHESS_TASK_NONE ? 0 : 1 << last };
	struct chess_account a;

	push(t.record, point(0, 1, 1));
	push(t.record, blocks);
	ASSERT_EQ(0, chess_account_of(&t, &a));
	EXPECT_EQ(partial, a.partial);
	/* The search killed the root: that is no death of its own. */
	EXPECT_EQ(-1, a.bad_task);
	ASSERT_EQ(2, (int)a.n_cycle);
	EXPECT_EQ(1, (int)a.cycle[0]);
	EXPECT_EQ(2, (int)a.cycle[1]);
	chess_account_clear(&a);
	chess_record_free(t.record);
}

TEST(deadlock_of_all_and_of_some)
{
	check_deadlock(CHESS_TASK_NONE, false);
	check_deadlock(0, true);
}

TEST_HARNESS_MAIN
