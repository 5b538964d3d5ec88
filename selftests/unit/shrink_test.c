// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what chess_shrink() promises: the schedule it hands back shows the same bug,
 * is never bigger than the one it was given, and is the smallest one there is where it
 * says so. The smallest failing schedule of each program is known from how the bug was
 * planted.
 */
#include <errno.h>
#include <string.h>

#include "planted_bug.h"
#include "../harness.h"

/*
 * Bug 1 wants T1 to do its step 2 when T0 has done 3, and T0 its step 5 when T1 has
 * done 4 of its 8. T0 is the first to run. It has to be left between steps 3 and 5,
 * that is in the middle, and T1 after step 4, in the middle too: 2 preemptions at
 * least, and T0*3 T1*4 T0*2 has no more: 2 switches. T0 comes to 5 points; T1 to 5,
 * it is left at the point of its step 5.
 */
static const struct planted two_of_seven = {
	.tasks = 3, .steps = { 8, 8, 8 },
	.bug = { { { 1, 2, 0, 3 }, { 0, 5, 1, 4 } } }, .conds = { 2 },
};

/*
 * T0 1 | T2 1 | T1 1 | T0 2,3 | T1 2 | T0 4 | T1 3,4 | T0 5: left at 7 points. Each
 * decision for a task lets it do one step and come to its next point, but for the first
 * one for T1 and T2, which only brings them to their first.
 */
#define SEVEN	"T0 T2*2 T1*2 T0*2 T1 T0 T1*2 T0"

TEST(two_of_seven_preemptions_are_left)
{
	struct chess_record *r = planted_run_under(&two_of_seven, SEVEN, 1);
	struct box b = { .p = &two_of_seven };
	struct chess_shrink_result res;

	EXPECT_EQ((size_t)7, chess_record_preemptions(r));
	ASSERT_EQ(0, planted_shrink(&b, r, 0, &res));
	expect_sound(&two_of_seven, &res, 1);
	EXPECT_EQ((size_t)7, res.before.preemptions);
	expect_size(2, 2, 10, &res.after);
	EXPECT_TRUE(res.fewest && res.smallest && res.one_minimal);
	EXPECT_EQ(b.runs, res.runs);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

/*
 * Too few runs for the search: 8 steps and 3 tasks have hundreds of schedules with one
 * preemption. Dropping finds the same, and can say only that.
 */
TEST(with_few_runs_the_same_is_found_and_less_is_said)
{
	struct chess_record *r = planted_run_under(&two_of_seven, SEVEN, 1);
	struct box b = { .p = &two_of_seven };
	struct chess_shrink_result res;

	ASSERT_EQ(0, planted_shrink(&b, r, 150, &res));
	expect_sound(&two_of_seven, &res, 1);
	EXPECT_EQ((size_t)2, res.after.preemptions);
	EXPECT_FALSE(res.smallest);
	EXPECT_TRUE(res.one_minimal);
	EXPECT_LE(res.runs, (uint64_t)151);
	EXPECT_EQ(b.runs, res.runs);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

TEST(any_limit_leaves_a_sound_result)
{
	struct chess_record *r = planted_run_under(&two_of_seven, SEVEN, 1);
	uint64_t max;

	for (max = 1; max < 60; max++) {
		struct box b = { .p = &two_of_seven };
		struct chess_shrink_result res;

		ASSERT_EQ(0, planted_shrink(&b, r, max, &res));
		expect_sound(&two_of_seven, &res, 1);
		expect_one_minimal(&two_of_seven, &res, 1);
		EXPECT_FALSE(res.fewest);
		EXPECT_LE(res.runs, max + 1);
		/* Two choices are left in the end: one run each to know that. */
		if (max < 4)
			EXPECT_FALSE(res.one_minimal || res.selected || res.moves_done);
		chess_shrink_result_clear(&res);
	}
	chess_record_free(r);
}

/*
 * T3 does its first step before T1 and T2 do any. At the end of T0 that choice is free:
 * no preemption, one switch. T0 comes to 2 points, T3 to its first.
 */
TEST(a_free_choice_takes_the_place_of_preemptions)
{
	static const struct planted p = {
		.tasks = 4, .steps = { 2, 2, 2, 2 },
		.bug = { { { 3, 1, 1, 0 }, { 3, 1, 2, 0 }, { 3, 1, 0, 2 } } }, .conds = { 3 },
	};
	/* T0 1 | T3 (point) | T0 2, end | T3 1 */
	struct chess_record *r = planted_run_under(&p, "T0 T3 T0 T3", 1);
	struct box b = { .p = &p };
	struct chess_shrink_result res;

	EXPECT_EQ((size_t)2, chess_record_preemptions(r));
	ASSERT_EQ(0, planted_shrink(&b, r, 0, &res));
	expect_sound(&p, &res, 1);
	expect_size(0, 1, 3, &res.after);
	EXPECT_TRUE(res.fewest && res.smallest);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

/*
 * Bug 2 needs one preemption: T1 does a step when T0 has done 1. Bug 1 needs two. A
 * trace of bug 1 must not become one of bug 2, however much smaller that is.
 */
TEST(another_bug_is_no_answer)
{
	static const struct planted p = {
		.tasks = 2, .steps = { 6, 6 },
		.bug = { { { 1, 2, 0, 3 }, { 0, 5, 1, 4 } }, { { 1, 1, 0, 1 } } },
		.conds = { 2, 1 },
	};
	/* T0 1,2 | T1 1 | T0 3 | T1 2,3 | T0 4 | T1 4 | T0 5 */
	struct chess_record *r = planted_run_under(&p, "T0*2 T1*2 T0 T1*2 T0 T1 T0", 1);
	struct chess_record *small = planted_run_under(&p, "T0 T1*2", 2);
	struct box b = { .p = &p };
	struct chess_shrink_result res;

	EXPECT_EQ((size_t)1, chess_record_preemptions(small));
	ASSERT_EQ(0, planted_shrink(&b, r, 0, &res));
	expect_sound(&p, &res, 1);
	expect_size(2, 2, 10, &res.after);
	EXPECT_TRUE(res.fewest);
	chess_shrink_result_clear(&res);
	chess_record_free(small);
	chess_record_free(r);
}

/*
 * The same assertion fails in a second way, which the trace knows nothing of: T2 does its
 * step 1 when T0 has done 6. One preemption, at the point of T0's step 7; T2 comes to
 * one point. No choice of the trace is at that point, so dropping ends with 2 of them.
 */
TEST(the_search_finds_what_dropping_cannot)
{
	struct planted p = two_of_seven;
	struct box b = { .p = &p };
	struct chess_shrink_result res;
	struct chess_record *r;

	p.bug[1][0] = (struct cond){ 2, 1, 0, 6 };
	p.conds[1] = 1;
	p.alike = true;
	r = planted_run_under(&p, SEVEN, 1);
	ASSERT_EQ(0, planted_shrink(&b, r, 40, &res));
	expect_sound(&p, &res, 1);
	expect_size(2, 2, 10, &res.after);
	EXPECT_FALSE(res.fewest);
	chess_shrink_result_clear(&res);

	ASSERT_EQ(0, planted_shrink(&b, r, 0, &res));
	expect_sound(&p, &res, 1);
	expect_size(1, 1, 8, &res.after);
	EXPECT_TRUE(res.fewest && res.smallest);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

/*
 * The same assertion again, now where T2 does its step 3 when T0 has done 1: one
 * preemption, the first of the trace, but T2 is left at its points 2 and 3 there. To take
 * away one of these choices is not enough, and by halves the other way to fail is found.
 * The search comes to early preemptions last. So it takes all selections to find it.
 * T0 1 | T2 1 | T1 1 | T2 2 | T0 2,3 | T1 2 | T0 4 | T1 3,4 | T0 5
 */
TEST(selections_find_what_is_hidden_behind_two_choices)
{
	struct planted p = two_of_seven;
	struct box b = { .p = &p };
	struct chess_shrink_result res;
	struct chess_record *r;

	p.bug[1][0] = (struct cond){ 2, 3, 0, 1 };
	p.conds[1] = 1;
	p.alike = true;
	r = planted_run_under(&p, "T0 T2*2 T1*2 T2 T0*2 T1 T0 T1*2 T0", 1);
	EXPECT_EQ((size_t)8, chess_record_preemptions(r));
	ASSERT_EQ(0, planted_shrink(&b, r, 30, &res));
	expect_sound(&p, &res, 1);
	/* T0 comes to 2 points, T2 to 3. */
	expect_size(1, 1, 5, &res.after);
	EXPECT_TRUE(res.selected);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

/*
 * T1 does its step 1 when T0 has done 1. In the trace T0 is left for T2, and T1 is chosen
 * at the end of T2, which is free. Neither choice can be left out, and there must be one
 * preemption. But T1 in place of T2 saves the other choice and a switch.
 */
TEST(a_choice_that_is_put_elsewhere_saves_a_switch)
{
	static const struct planted p = {
		.tasks = 3, .steps = { 16, 16, 16 }, .bug = { { { 1, 1, 0, 1 } } },
		.conds = { 1 },
	};
	struct chess_record *r = planted_run_under(&p, "T0 T2*17 T1*2", 1);
	struct box b = { .p = &p };
	struct chess_shrink_result res;

	ASSERT_EQ(0, planted_shrink(&b, r, 110, &res));
	expect_sound(&p, &res, 1);
	expect_size(1, 2, 19, &res.before);
	expect_size(1, 1, 3, &res.after);
	EXPECT_TRUE(res.fewest);
	EXPECT_FALSE(res.smallest);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

TEST(the_same_runs_are_made_each_time)
{
	struct chess_record *r = planted_run_under(&two_of_seven, SEVEN, 1);
	struct box a = { .p = &two_of_seven }, b = { .p = &two_of_seven };
	struct chess_shrink_result first, second;

	ASSERT_EQ(0, planted_shrink(&a, r, 500, &first));
	ASSERT_EQ(0, planted_shrink(&b, r, 500, &second));
	EXPECT_EQ(first.runs, second.runs);
	EXPECT_EQ(SIZE_MAX, chess_record_compare(first.best.record, second.best.record));
	chess_shrink_result_clear(&first);
	chess_shrink_result_clear(&second);
	chess_record_free(r);
}

TEST(a_schedule_that_does_not_fail_any_more_is_stale)
{
	struct chess_record *r = planted_run_under(&two_of_seven, SEVEN, 1);
	struct box b = { .p = &two_of_seven, .mended = true };
	struct chess_shrink_result res;

	EXPECT_EQ(-ESTALE, planted_shrink(&b, r, 0, &res));
	EXPECT_TRUE(strstr(chess_error(), "does not any more"));
	EXPECT_EQ((uint64_t)1, b.runs);
	chess_record_free(r);
}

TEST(errors_end_it_and_an_interrupt_keeps_what_was_found)
{
	struct chess_record *r = planted_run_under(&two_of_seven, SEVEN, 1);
	uint64_t at;

	for (at = 1; at < 300; at += 7) {
		struct box broken = { .p = &two_of_seven, .error_at = at, .error = -EIO };
		struct box stopped = { .p = &two_of_seven, .error_at = at, .error = -EINTR };
		struct chess_shrink_result res;

		EXPECT_EQ(-EIO, planted_shrink(&broken, r, 0, &res));
		EXPECT_EQ(at == 1 ? -EINTR : 0, planted_shrink(&stopped, r, 0, &res));
		/* Not one run more. */
		EXPECT_EQ(at, stopped.runs);
		if (at == 1)
			continue;
		EXPECT_TRUE(res.interrupted);
		EXPECT_FALSE(res.smallest);
		expect_sound(&two_of_seven, &res, 1);
		chess_shrink_result_clear(&res);
	}
	chess_record_free(r);
}

TEST_HARNESS_MAIN
