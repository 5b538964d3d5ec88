// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves strategy turns, and which runs of a sparing search have accesses recorded: the
 * bounded search in it is that of icb, schedule for schedule, chance has its share from the
 * beginning, and recording gets no more than it is given. Counts are derived where they stand.
 */
#include <limits.h>
#include <string.h>

#include "chessctl/races.h"
#include "harness.h"
#include "internal.h"
#include "race/racing.h"
#include "sim.h"

static struct {
	struct sim_mutex m;
	struct sim_var x, door[2];
	bool plain;
} g;

static void reset(void)
{
	memset(&g, 0, sizeof(g));
}

static void lock_twice(void *arg)
{
	(void)arg;
	sim_lock(&g.m);
	sim_unlock(&g.m);
	sim_lock(&g.m);
	sim_unlock(&g.m);
}

static void three(void *arg)
{
	int a = sim_create(lock_twice, arg), b = sim_create(lock_twice, arg);

	lock_twice(arg);
	sim_join(a);
	sim_join(b);
}

static const struct sim_program locks = { .name = "locks", .reset = reset, .main = three };

static void lock_once(void *arg)
{
	(void)arg;
	sim_lock(&g.m);
	sim_unlock(&g.m);
}

static void two(void *arg)
{
	int a = sim_create(lock_once, arg);

	lock_once(arg);
	sim_join(a);
}

static const struct sim_program once_each = { .name = "once_each", .reset = reset, .main = two };

static struct chess_explore_result explore_of(const struct sim_program *p, const char *strategy,
					      uint64_t max_runs)
{
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .strategy = strategy, .count_classes = true,
		.max_runs = max_runs,
	};
	struct chess_explore_result res = { 0 };
	struct sim *sim = sim_new(p, &(struct sim_opts) { 0 });
	struct chess_executor x = sim_executor(sim);

	if (chess_explore(&x, &o, &res))
		res.verdict = CHESS_VERDICT_DIVERGED;
	sim_free(sim);
	return res;
}

static struct chess_explore_result explore(const char *strategy, uint64_t max_runs)
{
	return explore_of(&locks, strategy, max_runs);
}

/*
 * Both end when icb has run its schedules, so turns has those and as many of chance: one for
 * one up to 64, then one for eight.
 */
TEST(the_bounded_search_is_that_of_icb)
{
	struct chess_explore_result icb = explore("icb", 0);
	struct chess_explore_result turns = explore("turns", 0);
	uint64_t chance = icb.runs <= 64 ? icb.runs : 64 + (icb.runs - 64) / 8;
	size_t i;

	EXPECT_EQ(CHESS_VERDICT_OK, (int)turns.verdict);
	EXPECT_TRUE(turns.complete);
	EXPECT_EQ(2U, turns.bound);
	EXPECT_LT((uint64_t)64, icb.runs);
	EXPECT_EQ(chance, turns.chance_runs);
	EXPECT_EQ(icb.runs + chance, turns.runs);
	ASSERT_EQ(icb.n_runs_at, turns.n_runs_at);
	for (i = 0; i < icb.n_runs_at; i++)
		EXPECT_EQ(icb.runs_at[i], turns.runs_at[i]);
	EXPECT_LE(icb.classes, turns.classes);
	chess_explore_result_clear(&icb);
	chess_explore_result_clear(&turns);
}

/* It claims nothing when it is stopped, and each second run of the first ones is of chance. */
TEST(chance_has_every_second_run_from_the_beginning)
{
	struct chess_explore_result turns = explore("turns", 10);

	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)turns.verdict);
	EXPECT_FALSE(turns.complete);
	EXPECT_EQ((uint64_t)5, turns.chance_runs);
	chess_explore_result_clear(&turns);
}

static void all_wait(void *arg)
{
	int i, thread[6];

	sim_lock(&g.m);
	for (i = 0; i < 6; i++)
		thread[i] = sim_create(lock_twice, arg);
	sim_unlock(&g.m);
	for (i = 0; i < 6; i++)
		sim_join(thread[i]);
}

static const struct sim_program wide = { .name = "wide", .reset = reset, .main = all_wait };

/*
 * Which of six threads goes on is free each time one ends, so there are at least 720 schedules
 * without preemptions. Of 500 runs chance has at most 64 and one for eight of icb's, so these are
 * more than 200, and for two more each there is one of delays.
 */
TEST(where_bound_0_takes_long_some_runs_are_of_delays)
{
	struct chess_explore_result turns = explore_of(&wide, "turns", 500);
	struct chess_explore_result delay = explore_of(&wide, "delay", 0);
	uint64_t few = delay.runs_at[0] + delay.runs_at[1], icb = turns.runs - turns.chance_runs;

	EXPECT_FALSE(turns.complete);
	EXPECT_EQ(0U, turns.bound);
	EXPECT_LT((uint64_t)200, icb);
	EXPECT_LE(turns.delay_runs, (icb - 200) / 2);
	EXPECT_LE((icb - 200) / 2, turns.delay_runs + 1);
	EXPECT_EQ((uint64_t)1, delay.runs_at[0]);
	EXPECT_LT(turns.delay_runs, delay.runs);
	EXPECT_EQ(few < turns.delay_runs ? 2U : 1U, turns.delay_levels);
	chess_explore_result_clear(&turns);
	chess_explore_result_clear(&delay);
	/* Not in a search that is past these soon. */
	turns = explore("turns", 0);
	EXPECT_EQ((uint64_t)0, turns.delay_runs);
	chess_explore_result_clear(&turns);
}

/* Main has 4 points and the thread 3, of which at most two are preempted: below 100 runs. */
TEST(a_search_that_is_soon_over_has_no_chance_in_it)
{
	struct chess_explore_result icb = explore_of(&once_each, "icb", 0);
	struct chess_explore_result turns = explore_of(&once_each, "turns", 0);

	EXPECT_EQ(CHESS_VERDICT_OK, (int)turns.verdict);
	EXPECT_TRUE(turns.complete);
	EXPECT_LT(icb.runs, (uint64_t)100);
	EXPECT_EQ((uint64_t)0, turns.chance_runs);
	EXPECT_EQ(icb.runs, turns.runs);
	EXPECT_EQ(icb.classes, turns.classes);
	chess_explore_result_clear(&icb);
	chess_explore_result_clear(&turns);
}

/* A scope and what it means are the bounded search's: chance would leave it. */
TEST(a_scope_is_refused)
{
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "turns",
		.in_scope = (bool (*)(void *, const struct chess_record *, size_t))1,
	};

	EXPECT_LT(chess_explore_check(&o), 0);
}

/**
 * struct meter - the model as an executor that counts which runs were to be recorded
 * @x: the model
 * @each: accesses by instructions that a run is said to have
 * @of_calls: those of system calls
 * @slow: it does not end in time where they are recorded
 * @recorded: by number of the run, those below 128
 * @runs: so far
 */
struct meter {
	struct chess_executor x;
	uint64_t each, of_calls;
	bool slow;
	bool recorded[128];
	unsigned int runs;
};

static int run_metered(void *ctx, const struct chess_plan *plan, struct chess_run_result *res)
{
	struct meter *m = ctx;
	int ret = m->x.run(m->x.ctx, plan, res);

	if (ret)
		return ret;
	if (m->runs < 128)
		m->recorded[m->runs] = !plan->unrecorded;
	m->runs++;
	if (plan->unrecorded)
		return 0;
	if (m->slow)
		res->verdict = CHESS_VERDICT_TIMEOUT;
	res->races = calloc(1, sizeof(*res->races));
	if (res->races) {
		res->races->accesses = m->each + m->of_calls;
		res->races->trapped = m->each;
	}
	return 0;
}

static int set_points(void *arg, const uint32_t *sites, size_t n)
{
	(void)arg;
	(void)sites;
	return n ? -1 : 0;
}

static struct chess_race_search_result search_sparingly(struct meter *m)
{
	struct chess_race_search_result res = { 0 };
	const struct chess_race_search_opts ro = {
		.sz = sizeof(ro), .set_points = set_points, .sparing = true,
	};
	const struct chess_executor x = { .run = run_metered, .ctx = m };
	struct sim *sim = sim_new(&locks, &(struct sim_opts) { 0 });
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .strategy = "turns", .max_runs = 120,
		.racing = chess_racing_new(),
	};

	m->x = sim_executor(sim);
	if (chess_explore_races(&x, &o, &ro, &res))
		res.all.verdict = CHESS_VERDICT_DIVERGED;
	chess_racing_free(o.racing);
	sim_free(sim);
	return res;
}

/* The writer's plain store is not a point, and the way of the reader depends on it. */
static void write_plain(void *arg)
{
	(void)arg;
	sim_store(&g.door[0], 1);
	g.plain = true;
	sim_store(&g.door[0], 2);
}

static void read_plain(void *arg)
{
	(void)arg;
	sim_store(&g.door[1], 1);
	if (g.plain)
		sim_load(&g.door[1]);
	sim_store(&g.door[1], 2);
}

static void race_plainly(void *arg)
{
	(void)arg;
	sim_create(write_plain, NULL);
	sim_create(read_plain, NULL);
}

static const struct sim_program plain_race = {
	.name = "plain_race", .reset = reset, .main = race_plainly,
};

static enum chess_may_reduce always(void *arg)
{
	(void)arg;
	return CHESS_REDUCE_ONLY;
}

static enum chess_may_reduce at_first(void *arg)
{
	(void)arg;
	return CHESS_REDUCE_FIRST;
}

static void count_flaw(void *arg, uint64_t runs, const char *flaw)
{
	(void)flaw;
	*(uint64_t *)arg = runs;
}

static struct chess_race_search_result search_reduced(const struct sim_program *p,
						      unsigned int reduce,
						      enum chess_may_reduce (*may)(void *arg),
						      uint64_t max_runs, uint64_t *flawed)
{
	struct chess_race_search_result res = { 0 };
	const struct chess_race_search_opts ro = {
		.sz = sizeof(ro), .set_points = set_points, .arg = flawed,
		.may_reduce = may, .flawed = count_flaw,
	};
	struct sim *sim = sim_new(p, &(struct sim_opts) { 0 });
	const struct chess_executor x = sim_executor(sim);
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .strategy = "turns", .count_classes = true,
		.reduce = reduce, .racing = chess_racing_new(), .max_runs = max_runs,
	};

	*flawed = 0;
	if (chess_explore_races(&x, &o, &ro, &res))
		res.all.verdict = CHESS_VERDICT_DIVERGED;
	chess_racing_free(o.racing);
	sim_free(sim);
	return res;
}

/* With memory that nobody knows of the orders that matter are more than points say. */
static void expect_flaw_with(unsigned int reduce)
{
	struct chess_explore_result all = explore_of(&plain_race, "icb", 0);
	struct chess_race_search_result res;
	uint64_t flawed;

	res = search_reduced(&plain_race, reduce, NULL, 0, &flawed);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.all.verdict);
	EXPECT_TRUE(res.reduced);
	EXPECT_EQ(1U, res.searches);
	EXPECT_EQ((uint64_t)0, flawed);
	chess_explore_result_clear(&res.all);

	res = search_reduced(&plain_race, reduce, always, 0, &flawed);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.all.verdict);
	EXPECT_TRUE(res.all.complete);
	EXPECT_FALSE(res.reduced);
	EXPECT_EQ(2U, res.searches);
	EXPECT_LT((uint64_t)0, flawed);
	EXPECT_EQ(all.classes, res.all.classes);
	chess_explore_result_clear(&res.all);
	chess_explore_result_clear(&all);
}

TEST(a_flaw_of_reductions_has_the_search_begin_again_without)
{
	expect_flaw_with(CHESS_REDUCE_HB);
}

/* Its own runs, of which there is one, would not show it. */
TEST(runs_by_chance_show_a_flaw_of_dynamic_partial_orders)
{
	expect_flaw_with(CHESS_REDUCE_DPOR);
}

/*
 * Of two lockings one comes first: two orders. Their few runs would be over before chance has a
 * turn, so its eight come after them.
 */
TEST(dynamic_partial_orders_are_checked_by_chance)
{
	struct chess_race_search_result res;
	uint64_t flawed;

	res = search_reduced(&once_each, CHESS_REDUCE_DPOR, always, 0, &flawed);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.all.verdict);
	EXPECT_TRUE(res.all.complete);
	EXPECT_EQ((uint64_t)8, res.all.chance_runs);
	EXPECT_LE((uint64_t)2 + 8, res.all.runs);
	EXPECT_GT((uint64_t)10 + 8, res.all.runs);
	EXPECT_EQ((uint64_t)2, res.all.classes);
	EXPECT_EQ((uint64_t)0, flawed);
	EXPECT_TRUE(res.all.unbounded);
	chess_explore_result_clear(&res.all);
}

/**
 * struct half_blind - an executor that loses records
 * @x: the one that makes the runs
 * @bounded: of runs of the bounded search, not of those without a bound
 * @lost: records that it has lost
 * @from: so many of these runs are made before the first one is lost
 */
struct half_blind {
	struct chess_executor x;
	bool bounded;
	unsigned int lost, from;
};

static int run_half_blind(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct half_blind *h = ctx;
	int ret = h->x.run(h->x.ctx, plan, out);

	if (ret || plan->policy != CHESS_POLICY_KIND_DEFAULT || plan->unbounded == h->bounded ||
	    h->from-- > 0)
		return ret;
	h->lost++;
	chess_set_error(ENOSPC, "the record is full");
	out->verdict = CHESS_VERDICT_INCOMPLETE;
	return 0;
}

static struct chess_explore_result explore_half_blind(struct half_blind *h,
						      const struct sim_program *p,
						      unsigned int grow)
{
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .strategy = "turns", .count_classes = true,
		.reduce = CHESS_REDUCE_DPOR, .grow_runs = grow,
	};
	const struct chess_executor x = { .run = run_half_blind, .ctx = h };
	struct sim *sim = sim_new(p, &(struct sim_opts) { 0 });
	struct chess_explore_result res = { 0 };

	h->x = sim_executor(sim);
	if (chess_explore(&x, &o, &res))
		res.verdict = CHESS_VERDICT_DIVERGED;
	sim_free(sim);
	return res;
}

/*
 * Three tasks take a mutex twice each: 6! / (2! 2! 2!) = 90 orders, of which some need more than
 * two preemptions. The bounds rise as long as there are fewer than 200 runs.
 */
TEST(a_search_without_a_bound_may_be_over_first)
{
	struct half_blind h = { .from = UINT_MAX };
	struct chess_explore_result res = explore_half_blind(&h, &locks, 200);

	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_TRUE(res.unbounded);
	EXPECT_EQ((uint64_t)90, res.classes);
	/* The first one is the bounded search's as well; others are of orders that had a run. */
	EXPECT_LE((uint64_t)89, res.unbounded_runs + res.predicted);
	chess_explore_result_clear(&res);
}

/* It goes on alone where one of their schedules is missing, and claims its own bound. */
TEST(the_bounded_search_does_not_need_the_other_one)
{
	struct half_blind h = { .from = 5 };
	struct chess_explore_result res = explore_half_blind(&h, &locks, 0);

	EXPECT_EQ(1U, h.lost);
	EXPECT_EQ((uint64_t)6, res.unbounded_runs);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_TRUE(res.complete);
	EXPECT_FALSE(res.unbounded);
	EXPECT_EQ(2U, res.bound);
	EXPECT_TRUE(!res.why);
	chess_explore_result_clear(&res);
}

static void both_twice(void *arg)
{
	int a = sim_create(lock_twice, arg);

	lock_twice(arg);
	sim_join(a);
}

static const struct sim_program twice_each = {
	.name = "twice_each", .reset = reset, .main = both_twice,
};

/*
 * Of two tasks that take a mutex twice each, one order of six needs three preemptions. The bounded
 * search is over before the other one begins, and its last run is beyond what was asked for.
 */
TEST(what_is_lost_beyond_leaves_no_claim_without_a_bound)
{
	struct half_blind h = { .bounded = true, .from = UINT_MAX };
	struct chess_explore_result res = explore_half_blind(&h, &twice_each, 200);
	uint64_t bounded = res.runs - res.chance_runs;

	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_TRUE(res.unbounded);
	EXPECT_EQ((uint64_t)6, res.classes);
	EXPECT_GT((uint64_t)24, bounded);
	EXPECT_LT(3U, res.n_runs_at);
	chess_explore_result_clear(&res);

	h.from = bounded - 1;
	res = explore_half_blind(&h, &twice_each, 200);
	EXPECT_EQ(1U, h.lost);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_FALSE(res.unbounded);
	EXPECT_LE(2U, res.bound);
	EXPECT_GT(10U, res.bound);
	chess_explore_result_clear(&res);
}

/* All schedules are run after it, and only they say that there is no bug. */
TEST(a_reduced_search_that_is_not_trusted_comes_first)
{
	struct chess_explore_result all = explore_of(&locks, "turns", 0);
	struct chess_race_search_result res;
	uint64_t flawed, first;

	res = search_reduced(&locks, CHESS_REDUCE_DPOR, at_first, 0, &flawed);
	first = res.first_runs;
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.all.verdict);
	EXPECT_TRUE(res.all.complete);
	EXPECT_FALSE(res.reduced || res.is_first);
	EXPECT_EQ(2U, res.searches);
	EXPECT_EQ(2U, res.first_bound);
	EXPECT_LT(res.first_runs, all.runs);
	EXPECT_EQ(res.first_runs + all.runs, res.all.runs);
	chess_explore_result_clear(&res.all);
	chess_explore_result_clear(&all);

	res = search_reduced(&locks, CHESS_REDUCE_DPOR, at_first, 10, &flawed);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.all.verdict);
	EXPECT_TRUE(res.reduced && res.is_first);
	EXPECT_EQ((uint64_t)0, res.first_runs);
	chess_explore_result_clear(&res.all);

	/* It is done when the runs are, and nothing comes after it. */
	res = search_reduced(&locks, CHESS_REDUCE_DPOR, at_first, first, &flawed);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.all.verdict);
	EXPECT_FALSE(res.all.complete);
	EXPECT_TRUE(res.all.stopped);
	EXPECT_EQ(first, res.all.runs);
	chess_explore_result_clear(&res.all);
}

/* What it says then is worth nothing. */
TEST(one_that_shows_a_flaw_is_given_up)
{
	struct chess_explore_result all = explore_of(&plain_race, "icb", 0);
	struct chess_race_search_result res;
	uint64_t flawed;

	res = search_reduced(&plain_race, CHESS_REDUCE_HB, at_first, 0, &flawed);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.all.verdict);
	EXPECT_LT((uint64_t)0, flawed);
	EXPECT_EQ((uint64_t)0, res.first_runs);
	EXPECT_EQ(all.classes, res.all.classes);
	chess_explore_result_clear(&res.all);
	chess_explore_result_clear(&all);
}

static unsigned int count_recorded(const struct meter *m)
{
	unsigned int i, n = 0;

	for (i = 0; i < 128; i++)
		n += m->recorded[i];
	return n;
}

TEST(a_program_with_few_accesses_has_all_of_them_recorded)
{
	struct meter m = { .each = 2000 };
	struct chess_race_search_result res = search_sparingly(&m);

	EXPECT_EQ(120U, count_recorded(&m));
	EXPECT_EQ((uint64_t)120, res.recorded_runs);
	EXPECT_FALSE(res.gave_up);
	chess_explore_result_clear(&res.all);
}

/* They need no traps. */
TEST(accesses_of_calls_do_not_make_them_many)
{
	struct meter m = { .each = 10, .of_calls = 5000 };
	struct chess_race_search_result res = search_sparingly(&m);

	EXPECT_EQ(120U, count_recorded(&m));
	chess_explore_result_clear(&res.all);
}

/* Runs 0 to 7 and 64 to 71, 16000 accesses each block; the next ones would be from 256 on. */
TEST(one_with_many_has_those_of_a_share_of_its_runs)
{
	struct meter m = { .each = 2001 };
	struct chess_race_search_result res = search_sparingly(&m);

	EXPECT_EQ(16U, count_recorded(&m));
	EXPECT_EQ((uint64_t)16, res.recorded_runs);
	EXPECT_TRUE(m.recorded[0] && m.recorded[7] && !m.recorded[8]);
	EXPECT_TRUE(!m.recorded[63] && m.recorded[64] && m.recorded[71] && !m.recorded[72]);
	chess_explore_result_clear(&res.all);
}

/* The run is made again without; that it was slow with them is not a verdict. */
/* 128000 accesses are three runs of them: 0 to 2, and 64 to 66. */
TEST(one_with_very_many_has_those_of_fewer)
{
	struct meter m = { .each = 40000 };
	struct chess_race_search_result res = search_sparingly(&m);

	EXPECT_EQ(6U, count_recorded(&m));
	EXPECT_TRUE(m.recorded[2] && !m.recorded[3] && m.recorded[66] && !m.recorded[67]);
	chess_explore_result_clear(&res.all);
}

TEST(a_run_that_is_too_slow_is_the_last_one_recorded)
{
	struct meter m = { .each = 1, .slow = true };
	struct chess_race_search_result res = search_sparingly(&m);

	EXPECT_EQ(1U, count_recorded(&m));
	EXPECT_TRUE(res.gave_up);
	EXPECT_EQ((uint64_t)120, res.all.runs);
	EXPECT_EQ(121U, m.runs);
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.all.verdict);
	EXPECT_EQ(0U, res.all.bugs);
	chess_explore_result_clear(&res.all);
}

TEST_HARNESS_MAIN
