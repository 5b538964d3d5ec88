// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what chess_pair_find() promises: two runs, one that fails and one that passes, which part
 * at one decision between the two tasks. Which two steps these are is known from how the bug was
 * planted.
 */
#include <errno.h>
#include <string.h>

#include "planted_bug.h"
#include "../harness.h"

/* Number @n of the points of @task, from 1: the number of its event. */
static uint32_t point_of(const struct chess_record *r, uint16_t task, int n)
{
	size_t i;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_POINT && e->task == task && !--n)
			return e->seq;
	}
	return 0;
}

static size_t first_preemption(const struct chess_record *r)
{
	size_t i;

	for (i = 0; i < chess_record_length(r) && !chess_record_is_preemption(r, i); i++)
		;
	return i;
}

/* The steps are number @first of T1 and number @second of T0. */
static void expect_pair(const struct planted *p, const char *schedule, int first, int second)
{
	struct chess_record *r = planted_run_under(p, schedule, 1);
	struct box b = { .p = p };
	struct chess_executor x = planted_executor(&b);
	struct chess_pair pair;
	size_t at;

	EXPECT_EQ((size_t)1, chess_record_preemptions(r));
	ASSERT_EQ(0, chess_pair_find(&x, r, first_preemption(r), &pair));
	EXPECT_EQ(b.runs, pair.runs);
	EXPECT_TRUE(chess_verdict_is_bug(pair.failing.verdict));
	EXPECT_EQ(CHESS_VERDICT_OK, (int)pair.passing.verdict);
	EXPECT_EQ(1, pair.first);
	EXPECT_EQ(0, pair.second);
	EXPECT_EQ(point_of(pair.failing.record, 1, first), pair.first_seq);
	EXPECT_EQ(point_of(pair.failing.record, 0, second), pair.second_seq);
	/* One decision, and all before it is the same. */
	at = chess_record_compare(pair.failing.record, pair.passing.record);
	EXPECT_EQ(at, pair.at);
	EXPECT_EQ(1, chess_record_event(pair.failing.record, at)->chosen);
	EXPECT_EQ(0, chess_record_event(pair.passing.record, at)->chosen);
	chess_pair_clear(&pair);
	chess_record_free(r);
}

/*
 * T1 does its step 4 when T0 has done 3 of its 8. The first decision for T1 brings it to its first
 * point, so it takes five.
 */
static const struct planted one_order = {
	.tasks = 2, .steps = { 8, 8 }, .bug = { { { 1, 4, 0, 3 } } }, .conds = { 1 },
};

TEST(the_step_that_comes_too_late_is_the_next_one)
{
	expect_pair(&one_order, "T0*3 T1*5", 4, 4);
	expect_pair(&one_order, "T0*3 T1*6", 4, 4);
}

/* The same when T0 has done 4, so its step 4 may come first and nothing changes. Its step 5 not. */
TEST(the_step_that_comes_too_late_is_found_among_others)
{
	static const struct planted p = {
		.tasks = 2, .steps = { 8, 8 },
		.bug = { { { 1, 2, 0, 3 } }, { { 1, 2, 0, 4 } } }, .conds = { 1, 1 },
		.alike = true,
	};

	expect_pair(&p, "T0*3 T1*3", 2, 5);
}

/* Its own start is a step of T1 that no point stands for. */
TEST(the_last_step_of_many)
{
	static const struct planted p = {
		.tasks = 2, .steps = { 12, 15 }, .bug = { { { 1, 15, 0, 11 } } }, .conds = { 1 },
	};

	expect_pair(&p, "T0*11 T1*16", 15, 12);
}

TEST(what_is_no_preemption_has_no_pair)
{
	struct chess_record *r = planted_run_under(&one_order, "T0*3 T1*5", 1);
	struct box b = { .p = &one_order };
	struct chess_executor x = planted_executor(&b);
	struct chess_pair pair;

	EXPECT_EQ(-ENOENT, chess_pair_find(&x, r, 0, &pair));
	chess_pair_clear(&pair);
	EXPECT_EQ(-ENOENT, chess_pair_find(&x, r, chess_record_length(r), &pair));
	chess_pair_clear(&pair);
	EXPECT_EQ((uint64_t)0, b.runs);
	chess_record_free(r);
}

/* The run without the preemption, which has to pass, fails as well; or none fails any more. */
TEST(runs_that_do_not_end_as_they_should_are_no_pair)
{
	static const struct planted always = {
		.tasks = 2, .steps = { 4, 4 },
		.bug = { { { 1, 2, 0, 2 } }, { { 0, 4, 1, 0 } } }, .conds = { 1, 1 },
		.alike = true,
	};
	struct chess_record *r = planted_run_under(&always, "T0*2 T1*3", 1);
	struct box b = { .p = &always };
	struct chess_executor x = planted_executor(&b);
	struct chess_pair pair;

	EXPECT_EQ(-ENOENT, chess_pair_find(&x, r, first_preemption(r), &pair));
	EXPECT_TRUE(strstr(chess_error(), "should pass"));
	chess_pair_clear(&pair);
	b.mended = true;
	EXPECT_EQ(-ENOENT, chess_pair_find(&x, r, first_preemption(r), &pair));
	EXPECT_TRUE(strstr(chess_error(), "should fail"));
	chess_pair_clear(&pair);
	chess_record_free(r);
}

TEST(an_error_of_any_run_is_handed_on)
{
	struct chess_record *r = planted_run_under(&one_order, "T0*3 T1*5", 1);
	uint64_t n, runs = UINT64_MAX;

	for (n = 0; n <= runs; n++) {
		struct box b = { .p = &one_order, .error_at = n, .error = -EINTR };
		struct chess_executor x = planted_executor(&b);
		struct chess_pair pair;

		EXPECT_EQ(n ? -EINTR : 0,
			  chess_pair_find(&x, r, first_preemption(r), &pair));
		if (!n)
			runs = pair.runs;
		chess_pair_clear(&pair);
	}
	EXPECT_LT((uint64_t)4, runs);
	chess_record_free(r);
}

/* T0 1 | T1 1 | T0 2,3 | T1 2, 3, 4: the first time T1 runs is needless. */
TEST(drop_only_takes_away_and_does_nothing_else)
{
	struct chess_record *r = planted_run_under(&one_order, "T0 T1*2 T0*2 T1*3", 1);
	struct box b = { .p = &one_order };
	struct chess_executor x = planted_executor(&b);
	struct chess_shrink_opts o = { .sz = sizeof(o), .drop_only = true };
	struct chess_shrink_result res;
	uint64_t few;

	EXPECT_EQ((size_t)3, chess_record_preemptions(r));
	ASSERT_EQ(0, chess_shrink(&x, r, &o, &res));
	EXPECT_EQ((size_t)1, res.after.preemptions);
	EXPECT_TRUE(res.one_minimal);
	EXPECT_FALSE(res.smallest || res.fewest || res.moves_done);
	few = b.runs;
	chess_shrink_result_clear(&res);
	o.drop_only = false;
	b.runs = 0;
	ASSERT_EQ(0, chess_shrink(&x, r, &o, &res));
	EXPECT_LT(few, b.runs);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

TEST_HARNESS_MAIN
