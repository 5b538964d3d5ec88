// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what the search promises: it runs every schedule within the bound, none
 * twice, in a fixed order, fewest preemptions first. Run counts are checked against closed
 * forms and against a plain enumeration. What ends a search is explore_end_test.c's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "brute_force.h"
#include "../harness.h"

static const struct op steps[8];	/* STEP is zero */

/* How many runs a search with icb takes; it has to be complete. */
static uint64_t runs_of(const struct op_list *p, unsigned int bound)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = bound, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .p = p };
	uint64_t runs;

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_TRUE(res.complete);
	EXPECT_EQ(bound, res.bound);
	runs = res.runs;
	EXPECT_EQ(b.n_seen, runs);
	op_list_forget(&b);
	chess_explore_result_clear(&res);
	return runs;
}

static uint64_t choose(uint64_t n, uint64_t k)
{
	uint64_t i, c = 1;

	for (i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return k > n ? 0 : c;
}

/*
 * Two tasks of n points: T0 is left at ceil(c/2) of its points and T1 at
 * floor(c/2) of its own, and which points they are is all that is free.
 */
TEST(two_tasks_have_as_many_schedules_as_the_closed_form_says)
{
	unsigned int n, bound, c;

	for (n = 1; n <= 4; n++) {
		struct op_list p = { .ops = { steps, steps }, .n = { n, n }, .tasks = 2 };
		uint64_t want = 0;

		for (bound = 0, c = 0; bound <= 4; bound++, c++) {
			want += choose(n, (c + 1) / 2) * choose(n, c / 2);
			EXPECT_EQ(want, runs_of(&p, bound));
		}
	}
}

/* All orders of the ends of independent tasks are free: n! with no preemption. */
TEST(ends_of_tasks_are_free_branches)
{
	struct op_list p = { .ops = { steps, steps, steps, steps }, .n = { 0, 1, 1, 1 },
			   .tasks = 4 };

	EXPECT_EQ((uint64_t)6, runs_of(&p, 0));
}

static const struct op ab[] = { { LOCK, 0 }, { LOCK, 1 }, { UNLOCK, 1 }, { UNLOCK, 0 } };
static const struct op ba[] = { { LOCK, 1 }, { LOCK, 0 }, { UNLOCK, 0 }, { UNLOCK, 1 } };
static const struct op a2[] = { { LOCK, 0 }, { STEP, 0 }, { UNLOCK, 0 } };
static const struct op spin[] = { { YIELD, 0 }, { STEP, 0 }, { YIELD, 0 } };

static const struct op_list abba = { .ops = { ab, ba }, .n = { 4, 4 }, .tasks = 2 };
static const struct op_list three_locks = { .ops = { a2, a2, a2 }, .n = { 3, 3, 3 }, .tasks = 3 };
static const struct op_list three_spins = { .ops = { spin, spin, spin }, .n = { 3, 3, 3 },
					  .tasks = 3 };
static const struct op_list late = { .ops = { spin, a2, spin }, .n = { 3, 3, 2 }, .tasks = 3 };
static const struct op_list mixed = { .ops = { ab, spin, a2 }, .n = { 4, 3, 3 }, .tasks = 3 };

TEST(locks_have_as_many_schedules_as_brute_force_finds)
{
	unsigned int bound;

	for (bound = 0; bound <= 3; bound++) {
		EXPECT_EQ(brute_force(&abba, bound), runs_of(&abba, bound));
		EXPECT_EQ(brute_force(&three_locks, bound), runs_of(&three_locks, bound));
		EXPECT_EQ(brute_force(&mixed, bound), runs_of(&mixed, bound));
	}
}

TEST(yields_have_as_many_schedules_as_brute_force_finds)
{
	unsigned int bound;

	for (op_list_every = 0; op_list_every <= 3; op_list_every++)
		for (bound = 0; bound <= 2; bound++) {
			EXPECT_EQ(brute_force(&mixed, bound), runs_of(&mixed, bound));
			EXPECT_EQ(brute_force(&late, bound), runs_of(&late, bound));
			if (op_list_every < 2)
				EXPECT_EQ(brute_force(&three_spins, bound),
					  runs_of(&three_spins, bound));
		}
}

static const struct op y2[] = { { YIELD, 0 }, { YIELD, 0 } };
static const struct op_list two_yields = { .ops = { y2, y2 }, .n = { 2, 2 }, .tasks = 2 };

/*
 * Each takes three steps: to its yields and to its end. The first is T0's; the others
 * could come in C(5, 2) = 10 orders, and each switch is free. T0 cannot go on to its end
 * if T1 took no step between its yields: not 00111. Nor can T1 while T0 is there: not
 * 01110 and not 11100.
 */
TEST(two_tasks_that_yield_twice_have_seven_schedules)
{
	EXPECT_EQ((uint64_t)7, runs_of(&two_yields, 0));
	EXPECT_EQ((uint64_t)7, runs_of(&two_yields, 5));
	/* Of two yields only the second counts, and a first one that counts adds nothing. */
	op_list_every = 2;
	EXPECT_EQ((uint64_t)10, runs_of(&two_yields, 0));
}

/* Without fairness the one that yields has no alternative but the other one. */
TEST(yield_of_two_tasks_is_no_branch_where_runs_are_not_fair)
{
	op_list_every = 0;
	EXPECT_EQ((uint64_t)1, runs_of(&two_yields, 5));
}

/* T0 yields until T1 has added: no limit on its rounds but fairness. */
TEST(spin_loop_has_finitely_many_schedules)
{
	static const struct op wait[] = { { YIELD, 0 }, { BACK_UNLESS, 1 }, { STEP, 0 } };
	static const struct op add[] = { { STEP, 0 }, { ADD, 1 }, { STEP, 0 } };
	struct op_list p = { .ops = { wait, add }, .n = { 3, 3 }, .tasks = 2 };
	unsigned int bound;

	for (op_list_every = 1; op_list_every <= 3; op_list_every++)
		for (bound = 0; bound <= 3; bound++)
			EXPECT_EQ(brute_force(&p, bound), runs_of(&p, bound));
	op_list_every = 1;
	/*
	 * No preemption. T0 yields for the first time: it stays, or T1 runs to its end.
	 * If it stays, its second yield leaves T1 alone in T. When T1 has ended, what is
	 * left of T0 is one way.
	 */
	EXPECT_EQ((uint64_t)2, runs_of(&p, 0));
}

/* Time passes for those who only wait for it: not a branch for each round. */
TEST(spin_loop_that_waits_for_time_is_no_branch)
{
	static const struct op wait[] = { { YIELD, 0 }, { BACK_UNLESS, 1 } };
	static const struct op sleep[] = { { SLEEP, 9 }, { ADD, 1 } };
	struct op_list p = { .ops = { wait, sleep }, .n = { 2, 2 }, .tasks = 2 };
	unsigned int bound;

	for (bound = 0; bound <= 3; bound++)
		EXPECT_EQ(brute_force(&p, bound), runs_of(&p, bound));
}

static const struct op nap[] = { { SLEEP, 3 }, { STEP, 0 } };
static const struct op tick[] = { { SLEEP, 2 }, { SLEEP, 2 } };
static const struct op try[] = { { TIMED_LOCK, 0 }, { STEP, 0 }, { UNLOCK, 0 } };

static const struct op_list sleepers = { .ops = { nap, tick, nap }, .n = { 2, 2, 2 }, .tasks = 3 };
static const struct op_list timed_locks = { .ops = { try, a2, try }, .n = { 3, 3, 3 }, .tasks = 3 };
static const struct op_list timed_mix = { .ops = { try, tick, spin }, .n = { 3, 2, 3 },
					.tasks = 3 };

/*
 * A wait that times out twice while one of the others took no step: its task runs on,
 * and at its next point it has to let that one go first, which costs nothing.
 */
static const struct op naps[] = { { SLEEP, 2 }, { SLEEP, 2 }, { STEP, 0 }, { STEP, 0 } };
static const struct op_list impatient = { .ops = { naps, steps, steps }, .n = { 4, 2, 2 },
					.tasks = 3 };

TEST(timed_waits_have_as_many_schedules_as_brute_force_finds)
{
	unsigned int bound;

	for (bound = 0; bound <= 3; bound++) {
		EXPECT_EQ(brute_force(&impatient, bound), runs_of(&impatient, bound));
		EXPECT_EQ(brute_force(&sleepers, bound), runs_of(&sleepers, bound));
		EXPECT_EQ(brute_force(&timed_locks, bound), runs_of(&timed_locks, bound));
		EXPECT_EQ(brute_force(&timed_mix, bound), runs_of(&timed_mix, bound));
	}
}

/* Alone, or in the order of their deadlines, tasks time out for free. */
TEST(deadlines_in_their_order_are_no_branch)
{
	static const struct op long_nap[] = { { SLEEP, 9 } };
	struct op_list p = { .ops = { tick, long_nap }, .n = { 2, 1 }, .tasks = 2 };

	EXPECT_EQ((uint64_t)1, runs_of(&p, 0));
	p.tasks = 1;
	EXPECT_EQ((uint64_t)1, runs_of(&p, 5));
}

/*
 * T1 sleeps for long, T0 adds and looks: only a sleep that ends before its time
 * lets T1 add in between.
 */
TEST(bug_of_an_early_time_out_is_found_with_one_preemption)
{
	static const struct op t0[] = { { SLEEP, 1 }, { ADD, 1 }, { FAIL_IF, 11 }, { ADD, 1 } };
	static const struct op t1[] = { { SLEEP, 1000 }, { ADD, 10 } };
	struct op_list p = { .ops = { t0, t1 }, .n = { 4, 2 }, .tasks = 2 };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
	struct chess_explore_result res;
	struct box b = { .p = &p };
	size_t i, early = 0;

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)res.verdict);
	EXPECT_EQ(1U, res.bound);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.bad.record));
	for (i = 0; i < chess_record_length(res.bad.record); i++)
		early += !!(chess_record_event(res.bad.record, i)->flags & CHESS_OPF_EARLY);
	EXPECT_EQ((size_t)1, early);
	chess_explore_result_clear(&res);
}

TEST(ids_above_63_are_searched_like_others)
{
	struct op_list p = { .tasks = 71 };

	p.ops[0] = p.ops[70] = steps;
	p.n[0] = p.n[70] = 3;
	EXPECT_EQ((uint64_t)1 + 3 + 9 + 9, runs_of(&p, 3));
	p.ops[66] = steps;
	p.n[66] = 2;
	EXPECT_EQ(brute_force(&p, 2), runs_of(&p, 2));
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void check_order(const struct op_list *p)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 3, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .p = p };
	size_t i;

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	ASSERT_LT((size_t)100, b.n_seen);
	for (i = 1; i < b.n_seen && i < ARRAY_LENGTH(b.costs); i++)
		EXPECT_LE(b.costs[i - 1], b.costs[i]);
	qsort(b.seen, b.n_seen, sizeof(*b.seen), compare_text);
	for (i = 1; i < b.n_seen; i++)
		EXPECT_STRNE(b.seen[i - 1], b.seen[i]);
	chess_explore_result_clear(&res);
}

TEST(no_schedule_is_run_twice_and_levels_come_in_order)
{
	check_order(&mixed);
	check_order(&timed_mix);
	check_order(&timed_locks);
	check_order(&impatient);
}

TEST(order_is_the_same_each_time)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2, .keep_going = true };
	static const struct op_list *const programs[] = { &mixed, &timed_mix };
	struct chess_explore_result res;
	size_t i, k;

	for (k = 0; k < ARRAY_LENGTH(programs); k++) {
		struct box b[2] = { { .p = programs[k] }, { .p = programs[k] } };

		for (i = 0; i < 2; i++) {
			ASSERT_EQ(0, op_list_explore(&b[i], &o, &res));
			chess_explore_result_clear(&res);
		}
		ASSERT_EQ(b[0].n_seen, b[1].n_seen);
		for (i = 0; i < b[0].n_seen; i++)
			EXPECT_STREQ(b[0].seen[i], b[1].seen[i]);
	}
}

TEST(first_bug_has_the_fewest_preemptions)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 4 };
	struct chess_explore_result res;
	struct box b = { .p = &abba };

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ(CHESS_VERDICT_DEADLOCK, (int)res.verdict);
	EXPECT_EQ(1U, res.bugs);
	EXPECT_EQ(1U, res.bound);
	EXPECT_FALSE(res.complete);
	ASSERT_NE(NULL, (void *)res.bad.record);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.bad.record));
	EXPECT_EQ(res.runs, (uint64_t)b.n_seen);
	chess_explore_result_clear(&res);
}

/* A search at bound N has those at lower bounds in it. */
TEST(runs_are_counted_by_preemptions)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 3, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .p = &abba };
	uint64_t sum = 0;
	size_t i;

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	ASSERT_EQ((size_t)4, res.n_runs_at);
	for (i = 0; i < res.n_runs_at; i++) {
		sum += res.runs_at[i];
		EXPECT_EQ(runs_of(&abba, i), sum);
	}
	EXPECT_EQ(res.runs, sum);
	chess_explore_result_clear(&res);
}

/* Fails where T1 adds before T0 looks: T0 is left at its first or second point. */
TEST(keep_going_counts_every_bug)
{
	static const struct op t0[] = { { ADD, 1 }, { FAIL_IF, 11 }, { ADD, 1 } };
	static const struct op t1[] = { { ADD, 10 } };
	struct op_list p = { .ops = { t0, t1 }, .n = { 3, 1 }, .tasks = 2 };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 1, .keep_going = true };
	struct chess_explore_result res;
	struct box b = { .p = &p };

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)res.verdict);
	EXPECT_TRUE(res.complete);
	EXPECT_EQ((uint64_t)4, res.runs);
	EXPECT_EQ(2U, res.bugs);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.bad.record));
	chess_explore_result_clear(&res);
}

struct finds {
	size_t n;
	struct box *b;
	size_t at[8];
	int answer;
};

static int note_find(void *arg, const struct chess_run_result *bad)
{
	struct finds *f = arg;

	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)bad->verdict);
	EXPECT_NE(NULL, (void *)bad->record);
	/* told before the next run */
	f->at[f->n++] = f->b->n_seen;
	return f->answer;
}

TEST(every_bug_is_told_when_it_is_found)
{
	static const struct op t0[] = { { ADD, 1 }, { FAIL_IF, 11 }, { ADD, 1 } };
	static const struct op t1[] = { { ADD, 10 } };
	struct op_list p = { .ops = { t0, t1 }, .n = { 3, 1 }, .tasks = 2 };
	struct box b = { .p = &p };
	struct finds f = { .b = &b };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 1, .keep_going = true,
					.found = note_find, .found_arg = &f };
	struct chess_explore_result res;
	unsigned int bugs;

	ASSERT_EQ(0, op_list_explore(&b, &o, &res));
	bugs = res.bugs;
	EXPECT_LT(0u, bugs);
	EXPECT_EQ((size_t)bugs, f.n);
	if (f.n > 1)
		EXPECT_LT(f.at[0], f.at[1]);
	chess_explore_result_clear(&res);
	f.n = 0;
	f.answer = -EIO;
	EXPECT_EQ(-EIO, op_list_explore(&b, &o, &res));
	EXPECT_EQ((size_t)1, f.n);
}

TEST_HARNESS_MAIN
