// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which failing runs show the same bug: by verdict, place, signal and text.
 */
#include <signal.h>

#include "internal.h"
#include "shrink/same.h"
#include "../harness.h"

/* A record in which task N reached its last point at @ip[N], in a trapped function. */
static struct chess_record *standing(const uint64_t *ip, const int *op, int tasks)
{
	struct chess_record *r = chess_record_new();
	int t;

	for (t = 0; t < tasks; t++) {
		struct chess_event e = {
			.seq = t + 1, .type = CHESS_EVENT_POINT, .op = op[t], .task = t,
			.flags = CHESS_OPF_PROBE, .ip = 0x7000, .caller = ip[t], .nr = 5,
			.chosen = (t + 1) % tasks, .enabled = 7,
		};

		ASSERT_EQ(0, chess_record_push(r, &e, 1));
	}
	return r;
}

static bool same_bug(const struct chess_run_result *a, const struct chess_run_result *b)
{
	struct chess_bug first, second;
	bool same;

	ASSERT_EQ(0, chess_bug_of(a, &first));
	ASSERT_EQ(0, chess_bug_of(b, &second));
	same = chess_bug_same(&first, &second);
	chess_bug_clear(&first);
	chess_bug_clear(&second);
	return same;
}

TEST(a_crash_is_the_same_at_the_same_place_by_the_same_signal)
{
	const uint64_t here[] = { 0x10, 0x20 }, there[] = { 0x10, 0x30 };
	const int ops[] = { CHESS_OP_LOCK, CHESS_OP_LOCK };
	struct chess_run_result a = {
		.verdict = CHESS_VERDICT_CRASH, .bad_task = 1, .bad_status = SIGSEGV,
		.record = standing(here, ops, 2),
	};
	struct chess_run_result b = a, c = a, d = a;

	b.bad_status = SIGBUS;
	c.record = standing(there, ops, 2);
	d.bad_status = SIGSEGV | 0x80;		/* with a core */
	EXPECT_TRUE(same_bug(&a, &a));
	EXPECT_FALSE(same_bug(&a, &b));
	EXPECT_FALSE(same_bug(&a, &c));
	EXPECT_TRUE(same_bug(&a, &d));
	/* Another task may die of it. */
	c.bad_task = 0;
	d.bad_task = 0;
	EXPECT_TRUE(same_bug(&c, &d));
	chess_record_free(a.record);
	chess_record_free(c.record);
}

TEST(an_assertion_is_known_by_its_text)
{
	const uint64_t ip[] = { 0x10 };
	const int ops[] = { CHESS_OP_LOCK };
	struct chess_run_result a = {
		.verdict = CHESS_VERDICT_ASSERT, .bad_task = 0, .bad_status = SIGABRT,
		.record = standing(ip, ops, 1),
		.err = (char *)"seen 3\np: p.c:7: f: Assertion `x == 1' failed.\n",
	};
	struct chess_run_result b = a, c = a, d = a;

	b.err = (char *)"seen 5\np: p.c:7: f: Assertion `x == 1' failed.\nAborted\n";
	c.err = (char *)"p: p.c:8: f: Assertion `x == 1' failed.\n";
	d.err = (char *)"terminate called\n";
	EXPECT_TRUE(same_bug(&a, &b));
	EXPECT_FALSE(same_bug(&a, &c));
	EXPECT_FALSE(same_bug(&a, &d));
	EXPECT_TRUE(same_bug(&d, &d));
	chess_record_free(a.record);
}

/*
 * A deadlock is the tasks that wait for each other; one that waits for their end is not
 * part of it. Where they only wait, without a cycle, a smaller run may have fewer of
 * them, and none at another place.
 */
TEST(a_deadlock_is_known_by_where_its_tasks_stand)
{
	const uint64_t ip[] = { 0x10, 0x20, 0x30 }, other[] = { 0x40, 0x20, 0x30 };
	const uint64_t third[] = { 0x10, 0x20, 0x50 };
	const int ops[] = { CHESS_OP_JOIN, CHESS_OP_LOCK, CHESS_OP_LOCK };
	struct chess_holder has2 = { .task = 2, .how = CHESS_HOLD_HAS };
	struct chess_holder has1 = { .task = 1, .how = CHESS_HOLD_HAS };
	struct chess_holder is1 = { .task = 1, .how = CHESS_HOLD_IS };
	struct chess_wait waits[] = {
		{ .task = 0, .seq = 1, .asked = true, .holders = &is1, .n_holders = 1 },
		{ .task = 1, .seq = 2, .asked = true, .holders = &has2, .n_holders = 1 },
		{ .task = 2, .seq = 3, .asked = true, .holders = &has1, .n_holders = 1 },
	};
	struct chess_wait loose[] = {
		{ .task = 0, .seq = 1 }, { .task = 1, .seq = 2 }, { .task = 2, .seq = 3 },
	};
	struct chess_run_result a = {
		.verdict = CHESS_VERDICT_DEADLOCK, .bad_task = -1, .record = standing(ip, ops, 3),
		.waits = waits, .n_waits = 3,
	};
	struct chess_run_result b = a, c = a, d = a;

	b.record = standing(other, ops, 3);
	c.record = standing(third, ops, 3);
	EXPECT_TRUE(same_bug(&a, &b));
	EXPECT_FALSE(same_bug(&a, &c));
	d.waits = loose;
	EXPECT_FALSE(same_bug(&a, &d));
	a.waits = loose;
	d.n_waits = 2;
	EXPECT_TRUE(same_bug(&a, &d));
	EXPECT_FALSE(same_bug(&d, &a));
	d.n_waits = 1;
	EXPECT_FALSE(same_bug(&a, &d));
	chess_record_free(a.record);
	chess_record_free(b.record);
	chess_record_free(c.record);
}

TEST_HARNESS_MAIN
