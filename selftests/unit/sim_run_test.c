// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a run of the user-space model is a run as the library knows it: how many
 * schedules small programs have, derived by hand; deadlines, prefixes that cannot be
 * followed, runs that do not end; verdicts, held against the library's judge; and that a
 * long search takes little memory.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "internal.h"
#include "sim.h"
#include "run/verdict.h"
#include "../harness.h"

static struct sim_mutex a;
static struct sim_var v;

static void reset(void)
{
	memset(&a, 0, sizeof(a));
	memset(&v, 0, sizeof(v));
}

#define PROGRAM(body) { .name = #body, .reset = reset, .main = body }

static struct chess_run_result run_with(void (*body)(void *arg), const struct sim_opts *how,
					const char *prefix)
{
	const struct sim_program p = PROGRAM(body);

	return sim_run_once(&p, how, prefix);
}

static struct chess_run_result run_as(enum sim_enabled enabled, void (*body)(void *arg),
				      const char *prefix)
{
	const struct sim_opts how = { .enabled = enabled, .unfair = true };

	return run_with(body, &how, prefix);
}

static uint64_t count_runs(enum sim_enabled enabled, void (*body)(void *arg), unsigned int bound)
{
	const struct sim_program p = PROGRAM(body);
	const struct sim_opts how = { .enabled = enabled, .unfair = true };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = bound, .keep_going = true };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);
	struct chess_explore_result res;
	uint64_t runs;

	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	EXPECT_TRUE(res.complete);
	runs = res.runs;
	chess_explore_result_clear(&res);
	sim_free(s);
	return runs;
}

static int steps;

static void step(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < steps; i++)
		sim_add(&v, 1);
}

static void two_step(void *arg)
{
	sim_create(step, NULL);
	step(arg);
}

static uint64_t choose(uint64_t n, uint64_t k)
{
	uint64_t i, c = 1;

	for (i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return k > n ? 0 : c;
}

/*
 * Each task has a point for each step and one at its end; at T0's creation of T1 there
 * is nobody else. T0 is left at ceil(c/2) of its points and T1 at floor(c/2) of its own.
 */
TEST(two_independent_tasks_have_as_many_schedules_as_the_closed_form_says)
{
	for (steps = 0; steps <= 3; steps++) {
		unsigned int n = steps + 1, c;
		uint64_t want = 0;

		for (c = 0; c <= 4; c++) {
			want += choose(n, (c + 1) / 2) * choose(n, c / 2);
			EXPECT_EQ(want, count_runs(SIM_KERNEL, two_step, c));
			EXPECT_EQ(want, count_runs(SIM_CHESS, two_step, c));
		}
	}
}

static void four(void *arg)
{
	(void)arg;
	sim_create(step, NULL);
	sim_create(step, NULL);
	sim_create(step, NULL);
}

/* Whoever ends is followed by anybody: 3! orders of T1, T2 and T3. */
TEST(ends_are_free_branches)
{
	steps = 1;
	EXPECT_EQ((uint64_t)6, count_runs(SIM_KERNEL, four, 0));
	EXPECT_EQ((uint64_t)6, count_runs(SIM_CHESS, four, 0));
}

static void lock_once(void *arg)
{
	(void)arg;
	sim_lock(&a);
	sim_unlock(&a);
}

static void two_lock(void *arg)
{
	sim_create(lock_once, NULL);
	lock_once(arg);
}

/*
 * Both tasks have the points lock, unlock, end. With no preemption T0 runs to its end,
 * then T1. With one, T0 is left at one of its three: 3 more. With two
 *  - left at lock, T1 is left at lock, unlock or end. Blocking, that makes 3: at unlock
 *    T0 runs into the mutex and T1 goes on for free. In CHESS's sense 2: T0 is not
 *    enabled while T1 has the mutex;
 *  - left at unlock, T1 is at lock. Blocking it may be left there, or run into the mutex,
 *    and T0, which gives it back, is left at its end: 2. In CHESS's sense T1 at lock is
 *    not enabled, to go back to T0 is free, and T0 is left at its end: 1;
 *  - left at its end, T1 is left at any of its three: 3.
 * So 8 more, and 6 in CHESS's sense.
 */
TEST(a_mutex_has_as_many_schedules_as_derived)
{
	EXPECT_EQ((uint64_t)1, count_runs(SIM_KERNEL, two_lock, 0));
	EXPECT_EQ((uint64_t)1 + 3, count_runs(SIM_KERNEL, two_lock, 1));
	EXPECT_EQ((uint64_t)1 + 3 + 8, count_runs(SIM_KERNEL, two_lock, 2));
	EXPECT_EQ((uint64_t)1, count_runs(SIM_CHESS, two_lock, 0));
	EXPECT_EQ((uint64_t)1 + 3, count_runs(SIM_CHESS, two_lock, 1));
	EXPECT_EQ((uint64_t)1 + 3 + 6, count_runs(SIM_CHESS, two_lock, 2));
}

static void nap(void *arg)
{
	(void)arg;
	sim_sleep(1000000);
}

static void two_nap(void *arg)
{
	sim_create(nap, NULL);
	nap(arg);
}

/*
 * A sleep is a yield, so T1 comes to its own before T0 sleeps, and T0 before T1 does.
 * Both deadlines are equal: that of the lower id is first. T1's before it costs a
 * preemption, and so does one while somebody is enabled.
 */
TEST(deadlines_pass_in_their_order_or_cost)
{
	struct chess_run_result res = run_as(SIM_KERNEL, two_nap, "");
	const struct chess_event *e;
	size_t i, timeouts = 0;

	EXPECT_EQ((size_t)0, chess_record_preemptions(res.record));
	for (i = 0; i < chess_record_length(res.record); i++) {
		e = chess_record_event(res.record, i);
		if (e->type == CHESS_EVENT_TIMEOUT)
			EXPECT_EQ(timeouts++, (size_t)e->task);
	}
	EXPECT_EQ((size_t)2, timeouts);
	chess_run_result_clear(&res);
	/* create, T0 at its sleep, T1 at its sleep, T0 blocks, T1 blocks */
	res = run_as(SIM_KERNEL, two_nap, "T0 T1 T0 T1*2");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.record));
	chess_run_result_clear(&res);
	/* create, T0 at its sleep, where T1 has its turn, T0 blocks */
	res = run_as(SIM_KERNEL, two_nap, "T0*3");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_TRUE(chess_record_event(res.record, 3)->flags & CHESS_OPF_EARLY);
	EXPECT_EQ((size_t)2, chess_record_preemptions(res.record));
	chess_run_result_clear(&res);
}

TEST(a_prefix_that_cannot_be_followed_is_told)
{
	struct chess_run_result res = run_as(SIM_KERNEL, two_lock, "T0*2 T2");

	EXPECT_EQ(CHESS_VERDICT_DIVERGED, (int)res.verdict);
	EXPECT_EQ((size_t)2, res.diverged_at);
	chess_run_result_clear(&res);
	/* 4 points of T0 and its end, 3 of T1: one decision more than there is */
	res = run_as(SIM_KERNEL, two_lock, "T0*4 T1*4");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_EQ((size_t)SIZE_MAX, res.diverged_at);
	chess_run_result_clear(&res);
	res = run_as(SIM_KERNEL, two_lock, "T0*4 T1*5");
	EXPECT_EQ(CHESS_VERDICT_DIVERGED, (int)res.verdict);
	EXPECT_EQ((size_t)8, res.diverged_at);
	chess_run_result_clear(&res);
}

static void spin(void *arg)
{
	(void)arg;
	while (!sim_load(&v))
		sim_yield();
}

TEST(a_run_that_goes_on_and_on_is_cut)
{
	struct sim_opts how = { .max_points = 50 };
	struct chess_run_result res = run_with(spin, &how, "");

	EXPECT_EQ(CHESS_VERDICT_LIVELOCK, (int)res.verdict);
	EXPECT_EQ((size_t)50, chess_record_points(res.record));
	chess_run_result_clear(&res);
	how.cut_is_end = true;
	res = run_with(spin, &how, "");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_EQ((size_t)50, chess_record_points(res.record));
	chess_run_result_clear(&res);
	how.cut_is_end = false;
	how.unfair = true;
	res = run_with(spin, &how, "");
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	chess_run_result_clear(&res);
	how = (struct sim_opts){ 0 };
	res = run_with(spin, &how, "");
	EXPECT_EQ((size_t)20000, chess_record_points(res.record));
	chess_run_result_clear(&res);
}

static void set_v(void *arg)
{
	(void)arg;
	sim_store(&v, 1);
}

static void spin_for_another(void *arg)
{
	sim_create(set_v, NULL);
	spin(arg);
}

/*
 * Figure 3 of PLDI'08. Decisions: create, load, yield, load, and at the second yield a
 * window of T0 ends in which T1 was enabled and took no step: T1 goes before T0.
 */
TEST(who_yields_twice_lets_others_go_first)
{
	struct sim_opts how = { .fair_k = 0 };
	struct chess_run_result res = run_with(spin_for_another, &how, "T0*4");
	size_t i, n = 0, at = 0;

	EXPECT_EQ(1u, chess_record_fair(res.record));
	for (i = 0; n < 5; i++)
		if (CHESS_EVENT_IS_DECISION(chess_record_event(res.record, i)->type) && ++n)
			at = i;
	EXPECT_EQ(CHESS_OP_YIELD, (int)chess_record_event(res.record, at)->op);
	EXPECT_EQ((uint64_t)3, chess_record_event(res.record, at)->enabled);
	EXPECT_FALSE(chess_record_allowed(res.record, at, 0));
	EXPECT_TRUE(chess_record_allowed(res.record, at, 1));
	chess_run_result_clear(&res);
	how.fair_k = 2;
	res = run_with(spin_for_another, &how, "T0*4");
	EXPECT_EQ(2u, chess_record_fair(res.record));
	EXPECT_TRUE(chess_record_allowed(res.record, at - 1, 0));
	chess_run_result_clear(&res);
	how.unfair = true;
	res = run_with(spin_for_another, &how, "T0*4");
	EXPECT_EQ(0u, chess_record_fair(res.record));
	chess_run_result_clear(&res);
}

static void fails(void *arg)
{
	sim_create(nap, arg);
	sim_assert(false);
}

static void leaves(void *arg)
{
	sim_create(nap, arg);
	sim_exit(7);
}

static void lock_twice(void *arg)
{
	(void)arg;
	sim_lock(&a);
	sim_lock(&a);
}

/* The verdict is what the library's judge makes of the same facts. */
TEST(verdicts_are_those_of_the_judge)
{
	static const struct {
		void (*body)(void *arg);
		const char *prefix;
		enum chess_verdict verdict;
	} cases[] = {
		{ fails, "", CHESS_VERDICT_ASSERT }, { leaves, "", CHESS_VERDICT_EXIT },
		{ two_lock, "", CHESS_VERDICT_OK }, { two_lock, "T1", CHESS_VERDICT_DIVERGED },
		{ two_lock, "T0*100", CHESS_VERDICT_DIVERGED },
		{ lock_twice, "", CHESS_VERDICT_DEADLOCK },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct chess_run_result res = run_as(SIM_KERNEL, cases[i].body, cases[i].prefix);
		struct chess_schedule *prefix = chess_schedule_decode(cases[i].prefix);
		struct chess_facts facts = {
			.status = res.status, .record = res.record,
			.length = chess_schedule_length(prefix),
			.deadlock = res.verdict == CHESS_VERDICT_DEADLOCK,
			.diverged = cases[i].verdict == CHESS_VERDICT_DIVERGED,
		};
		struct chess_judgement judged;

		chess_verdict_judge(&facts, &judged);
		EXPECT_EQ((int)cases[i].verdict, (int)res.verdict);
		EXPECT_EQ((int)judged.verdict, (int)res.verdict);
		EXPECT_EQ(judged.bad_task, res.bad_task);
		EXPECT_EQ(judged.diverged_at, res.diverged_at);
		chess_schedule_free(prefix);
		chess_run_result_clear(&res);
	}
}

static int many;

static void crowd(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < many; i++)
		sim_create(step, NULL);
}

TEST(there_can_be_many_tasks)
{
	struct chess_run_result res;

	many = 999;
	steps = 1;
	res = run_as(SIM_KERNEL, crowd, "");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_EQ((size_t)1000, chess_record_tasks(res.record));
	/* T0: creations and its end; the others two points each */
	EXPECT_EQ((size_t)1000 + 2 * 999, chess_record_points(res.record));
	chess_run_result_clear(&res);
}

static uint64_t visited;

static uint64_t value_of_v(void)
{
	return v.value;
}

static void visit(void *arg, uint64_t state)
{
	EXPECT_EQ(&visited, (uint64_t *)arg);
	visited = visited * 10 + state;
}

/* T0: two additions, end, each a decision, and EXIT. */
TEST(states_are_told_at_each_decision)
{
	const struct sim_program p = { .reset = reset, .main = step, .state = value_of_v };
	const struct sim_opts how = { .visit = visit, .arg = &visited };
	struct chess_run_result res = { 0 };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);

	steps = 2;
	ASSERT_EQ(0, x.run(x.ctx, &(struct chess_plan) { 0 }, &res));
	EXPECT_EQ((uint64_t)122, visited);
	chess_run_result_clear(&res);
	sim_free(s);
}

/* A hundred thousand runs of a program whose next level grows all the time: memory of
 * a run is used again, and a prefix that waits takes little.
 */
TEST(memory_stays_small)
{
	const struct sim_program p = PROGRAM(four);
	const struct sim_opts how = { .enabled = SIM_KERNEL };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 9, .max_runs = 100000 };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);
	struct chess_explore_result res;
	struct rusage usage;

	steps = 6;
	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	EXPECT_EQ((uint64_t)100000, res.runs);
	getrusage(RUSAGE_SELF, &usage);
	EXPECT_LT(usage.ru_maxrss, 40L * 1024);
	chess_explore_result_clear(&res);
	sim_free(s);
}

TEST_HARNESS_MAIN
