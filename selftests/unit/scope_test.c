// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what a search covers that does not preempt everywhere, and that it says so: with a
 * scope, exactly the schedules that preempt nowhere else; without points on ordered
 * objects, the same happens-before classes and the same answer as with them. Programs are
 * those of the user-space model (sim.h), by hand and random.
 *
 * COUNT=n tries n random programs; SEED=n begins with that seed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/classes.h"
#include "hashset.h"
#include "internal.h"
#include "search.h"
#include "sim_random.h"
#include "../harness.h"

#define COUNT	200

/* --- two tasks that never wait ------------------------------------------- */

static struct sim_var shared, own[2];
static struct sim_mutex outer, inner;
static int n_shared[2], n_own[2];	/* accesses of each task */

static void reset(void)
{
	memset(&shared, 0, sizeof(shared));
	memset(own, 0, sizeof(own));
	memset(&outer, 0, sizeof(outer));
	memset(&inner, 0, sizeof(inner));
}

/* In turn while there are both: what is in scope is not in one piece. */
static void access_both(void *arg)
{
	int self = sim_self(), s = n_shared[self], o = n_own[self];

	(void)arg;
	while (s || o) {
		if (o-- > 0)
			sim_load(&own[self]);
		else
			o = 0;
		if (s-- > 0)
			sim_store(&shared, self);
		else
			s = 0;
	}
}

static void main_of_two(void *arg)
{
	sim_create(access_both, arg);
	access_both(arg);
}

/* Each access to the variable under both, so the inner one never matters. */
static void lock_twice(void *arg)
{
	(void)arg;
	sim_lock(&outer);
	sim_lock(&inner);
	sim_unlock(&inner);
	sim_unlock(&outer);
}

static void main_of_nested(void *arg)
{
	sim_create(lock_twice, arg);
	lock_twice(arg);
}

/*
 * The mutex looks ordered in each run in which nobody is preempted. But a store of T1
 * between the two loads, which T0 does at the price of one preemption, makes T0 take it
 * alone.
 */
static void lock_inner(void *arg)
{
	(void)arg;
	sim_lock(&outer);
	sim_lock(&inner);
	sim_store(&own[0], 1);
	sim_unlock(&inner);
	sim_unlock(&outer);
	sim_store(&shared, 1);
}

static void main_of_late(void *arg)
{
	long before, after;

	sim_create(lock_inner, arg);
	before = sim_load(&shared);
	after = sim_load(&shared);
	if (before == after)
		sim_lock(&outer);
	sim_lock(&inner);
	sim_add(&own[0], 1);
	sim_unlock(&inner);
	if (before == after)
		sim_unlock(&outer);
}

/* Only who is left between all three loads, and leaves T1 between, takes it alone: three. */
static void add_then_lock(void *arg)
{
	sim_add(&shared, 1);
	sim_add(&shared, 1);
	lock_twice(arg);
}

static void main_of_steps(void *arg)
{
	long first, second, third;

	sim_create(add_then_lock, arg);
	first = sim_load(&shared);
	second = sim_load(&shared);
	third = sim_load(&shared);
	if (first < second && second < third) {
		sim_lock(&inner);
		sim_unlock(&inner);
	} else {
		lock_twice(arg);
	}
}

static void lock_outer(void *arg)
{
	(void)arg;
	sim_lock(&outer);
	sim_unlock(&outer);
}

static void do_nothing(void *arg)
{
	(void)arg;
}

/* Ends all with the mutex in hand: T1, which waits for it then, never does anything. */
static void main_of_leaver(void *arg)
{
	sim_create(lock_outer, arg);
	sim_lock(&outer);
	sim_create(do_nothing, arg);
	sim_exit(0);
}

static void main_of_sleeper(void *arg)
{
	sim_create(access_both, arg);
	sim_sleep(1000);
	access_both(arg);
}

static const struct sim_program two = { .name = "two", .reset = reset, .main = main_of_two };
static const struct sim_program nested = {
	.name = "nested", .reset = reset, .main = main_of_nested,
};
static const struct sim_program late = { .name = "late", .reset = reset, .main = main_of_late };
static const struct sim_program steps = { .name = "steps", .reset = reset, .main = main_of_steps };
static const struct sim_program leaver = {
	.name = "leaver", .reset = reset, .main = main_of_leaver,
};
static const struct sim_program sleeper = {
	.name = "sleeper", .reset = reset, .main = main_of_sleeper,
};

static void size_of_two(int shared_0, int own_0, int shared_1, int own_1)
{
	n_shared[0] = shared_0;
	n_own[0] = own_0;
	n_shared[1] = shared_1;
	n_own[1] = own_1;
}

/* The scope of the tests: where something is written. */
static bool writes(void *arg, const struct chess_record *r, size_t i)
{
	(void)arg;
	return chess_record_event(r, i)->op == CHESS_OP_WRITE;
}

static uint64_t choose(uint64_t n, uint64_t k)
{
	uint64_t i, c = 1;

	for (i = 0; i < k; i++)
		c = c * (n - i) / (i + 1);
	return k > n ? 0 : c;
}

static struct search search_of(const struct sim_program *p, const char *strategy,
			       unsigned int bound)
{
	return (struct search) {
		.program = p, .opts = { .unfair = true },
		.explore = {
			.strategy = strategy, .bound = bound, .keep_going = true,
			.count_classes = true,
		},
	};
}

/*
 * With c preemptions, T0 is left at (c + 1) / 2 of its points and T1 at c / 2 of its, in
 * turn; the one left last goes on at the end. So there are C(k0, (c + 1) / 2) times
 * C(k1, c / 2) schedules where k0 and k1 points are in scope, however many are not. That
 * is while both live: the creation of T1 and the ends are out of scope.
 */
static void expect_two(struct search *s, int k0, int k1)
{
	unsigned int c;

	search_run(s);
	EXPECT_EQ((int)CHESS_VERDICT_OK, (int)s->result.verdict);
	EXPECT_TRUE(s->result.complete);
	for (c = 0; c < s->result.n_runs_at; c++)
		EXPECT_EQ(choose(k0, (c + 1) / 2) * choose(k1, c / 2), s->result.runs_at[c]);
	EXPECT_EQ(s->classes.n, s->result.classes);
}

TEST(scope_leaves_the_schedules_that_preempt_in_it)
{
	static const char *const counting[] = { "icb", "delay" };
	size_t i;

	size_of_two(5, 7, 3, 9);
	for (i = 0; i < ARRAY_SIZE(counting); i++) {
		struct search s = search_of(&two, counting[i], 4);

		s.explore.in_scope = writes;
		expect_two(&s, 5, 3);
		EXPECT_EQ(5U, s.result.n_runs_at);
		EXPECT_LT(0U, s.result.left_out[CHESS_LEFT_OUT_SCOPE]);
		search_free(&s);
	}
}

/* T0 begins; its five pieces from a write on come in any order with the four of T1. */
TEST(scope_of_a_search_without_bound)
{
	struct search s = search_of(&two, "dfs", 0);

	size_of_two(5, 7, 3, 9);
	s.explore.in_scope = writes;
	search_run(&s);
	EXPECT_TRUE(s.result.complete);
	EXPECT_EQ(choose(5 + 4, 5), s.result.runs);
	search_free(&s);
}

/* One run; from each of its points with both alive one way leads elsewhere. */
TEST(ways_out_of_scope_are_counted)
{
	struct search s = search_of(&two, "icb", 1);

	size_of_two(0, 7, 0, 9);
	s.explore.in_scope = writes;
	search_run(&s);
	EXPECT_EQ(1U, s.result.runs);
	/* T0's loads, and its end: nobody can take that from it. */
	EXPECT_EQ(7U + 1U, s.result.left_out[CHESS_LEFT_OUT_SCOPE]);
	EXPECT_EQ((int)CHESS_VERDICT_OK, (int)s.result.verdict);
	search_free(&s);
}

static bool nowhere(void *arg, const struct chess_record *r, size_t i)
{
	(void)arg;
	(void)r;
	(void)i;
	return false;
}

TEST(strategies_of_the_module_refuse_a_scope)
{
	static const char *const refusing[] = { "random", "pct", "pos", "surw", "rr" };
	struct chess_explore_opts o = { .sz = sizeof(o), .in_scope = nowhere };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refusing); i++) {
		o.strategy = refusing[i];
		EXPECT_EQ(-EINVAL, chess_explore_check(&o));
		EXPECT_TRUE(strstr(chess_error(), refusing[i]));
	}
	o.strategy = "icb";
	EXPECT_EQ(0, chess_explore_check(&o));
	o.skip_ordered = true;
	EXPECT_EQ(-EINVAL, chess_explore_check(&o));
	o.in_scope = NULL;
	EXPECT_EQ(0, chess_explore_check(&o));
	o.strategy = "dfs";
	EXPECT_EQ(0, chess_explore_check(&o));
	o.strategy = "delay";
	EXPECT_EQ(-EINVAL, chess_explore_check(&o));
}

/* --- ordered objects ------------------------------------------------------ */

/* What one task alone uses is not a place to leave it, as if it were out of scope; but the
 * end of T0 is no such thing: one more place for it to be left.
 */
TEST(own_objects_need_no_preemption)
{
	struct search s = search_of(&two, "icb", 4);

	size_of_two(5, 7, 3, 9);
	s.explore.skip_ordered = true;
	expect_two(&s, 5 + 1, 3 + 1);
	EXPECT_LT(0U, s.result.left_out[CHESS_LEFT_OUT_ORDERED]);
	search_free(&s);
}

/* The search with and without; the classes of the one are among those of the other. */
static bool same_classes(struct search *with)
{
	struct search without = *with;
	bool same;

	with->explore.skip_ordered = true;
	search_run(with);
	search_run(&without);
	same = with->classes.n == without.classes.n && with->result.complete &&
	       with->result.runs <= without.result.runs &&
	       with->result.verdict == without.result.verdict;
	search_free(&without);
	return same;
}

TEST(inner_mutex_needs_no_preemption)
{
	struct search s = search_of(&nested, "dfs", 0);

	EXPECT_TRUE(same_classes(&s));
	/* Who has the outer one first is all there is. */
	EXPECT_EQ(2U, s.result.classes);
	search_free(&s);
}

TEST(objects_that_race_later_are_searched_after_all)
{
	unsigned int bound;

	for (bound = 0; bound < 5; bound++) {
		struct search s = search_of(&late, "icb", bound);

		EXPECT_TRUE(same_classes(&s));
		search_free(&s);
	}
}

/* Their forks belong to levels that were done when the race is seen. */
TEST(objects_that_race_at_a_later_level)
{
	struct search s = search_of(&steps, "icb", 4);

	EXPECT_TRUE(same_classes(&s));
	EXPECT_EQ(0U, s.result.left_out[CHESS_LEFT_OUT_LIMIT]);
	search_free(&s);
}

/* T1 has the mutex first, after T0, or waits until the end; or the process ends at once. */
TEST(objects_somebody_waits_for_at_the_end)
{
	struct search s = search_of(&leaver, "icb", 2);

	EXPECT_TRUE(same_classes(&s));
	EXPECT_EQ((int)CHESS_VERDICT_OK, (int)s.result.verdict);
	EXPECT_LT(1U, s.result.classes);
	search_free(&s);
}

/* Time is more than an order of ops: each schedule is run, and nothing stays left out. */
TEST(nothing_is_left_out_where_time_passes)
{
	struct search with = search_of(&sleeper, "icb", 2);
	struct search without = with;

	size_of_two(2, 3, 2, 3);
	with.explore.skip_ordered = true;
	search_run(&with);
	search_run(&without);
	EXPECT_EQ(without.result.runs, with.result.runs);
	EXPECT_EQ(0U, with.result.left_out[CHESS_LEFT_OUT_ORDERED]);
	search_free(&with);
	search_free(&without);
}

/* --- random programs ------------------------------------------------------ */

static const struct way {
	const char *name;
	enum sim_enabled enabled;
	bool unfair;
} ways[] = {
	{ "blocking", SIM_KERNEL, true }, { "blocking, fair", SIM_KERNEL, false },
	{ "as in CHESS, not fair", SIM_CHESS, true }, { "as in CHESS", SIM_CHESS, false },
};

/* Records of a search: all of them, or those whose preemptions are all in scope. */
struct kept {
	struct chess_executor x;
	bool filter;
	struct numbers hashes;
	uint64_t runs;
};

static bool is_in_scope(const struct chess_record *r)
{
	size_t i;

	for (i = 0; i < chess_record_length(r); i++)
		if (chess_record_is_preemption(r, i) &&
		    chess_record_event(r, i)->type == CHESS_EVENT_POINT &&
		    !chess_event_gives_way(chess_record_event(r, i)) && !writes(NULL, r, i))
			return false;
	return true;
}

static int run_and_keep(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct kept *k = ctx;
	int ret = k->x.run(k->x.ctx, plan, out);

	if (!ret && (!k->filter || is_in_scope(out->record))) {
		numbers_at(&k->hashes, chess_record_hash(out->record), 0);
		k->runs++;
	}
	return ret;
}

static void keep(const struct random_program *p, const struct way *way, bool scope,
		 struct kept *k)
{
	struct sim_opts how = { .enabled = way->enabled, .unfair = way->unfair };
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .keep_going = true,
		.in_scope = scope ? writes : NULL,
	};
	struct chess_executor x = { .run = run_and_keep, .ctx = k };
	struct chess_explore_result res;
	struct sim *s = sim_new(random_sim(p), &how);

	*k = (struct kept) { .x = sim_executor(s), .filter = !scope };
	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	EXPECT_TRUE(res.complete || res.bugs);
	chess_explore_result_clear(&res);
	sim_free(s);
}

static bool same_hashes(const struct kept *a, const struct kept *b)
{
	size_t i;

	for (i = 0; i < a->hashes.slots; i++)
		if (a->hashes.slot[i].used && !numbers_find(&b->hashes, a->hashes.slot[i].key))
			return false;
	return a->runs == b->runs && a->hashes.n == b->hashes.n;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

#define TIMEOUT	3600	/* for a large COUNT */

/* Held against all schedules, from which those are taken that a scope should leave. */
TEST_TIMEOUT(scope_is_a_filter_of_all_schedules, TIMEOUT)
{
	uint64_t i, n = number("COUNT", COUNT), first = number("SEED", 1), all = 0, in = 0;
	struct random_program p;
	struct kept scoped, filtered;
	size_t w;

	for (i = 0; i < n; i++) {
		random_make(&p, first + i);
		for (w = 0; w < ARRAY_SIZE(ways); w++) {
			keep(&p, &ways[w], true, &scoped);
			keep(&p, &ways[w], false, &filtered);
			if (!same_hashes(&scoped, &filtered)) {
				printf("# seed %lu, %s\n", (unsigned long)p.seed, ways[w].name);
				random_print(&p, stdout);
				ASSERT_TRUE(false);
			}
			in += scoped.runs;
			all += 1;
			numbers_free(&scoped.hashes);
			numbers_free(&filtered.hashes);
		}
	}
	/* Else the scope was empty. */
	EXPECT_LT(all * 2, in);
}

/*
 * What is claimed: the classes are the same where no run fails, else a failing run is found
 * with as few preemptions.
 */
static bool agrees(const struct random_program *p, const struct way *way, const char *strategy,
		   unsigned int bound, uint64_t runs[2])
{
	struct search s[2];
	bool good;
	int i;

	for (i = 0; i < 2; i++) {
		s[i] = search_of(random_sim(p), strategy, bound);
		s[i].opts.enabled = way->enabled;
		s[i].opts.unfair = way->unfair;
		s[i].explore.skip_ordered = i;
		search_run(&s[i]);
		runs[i] += s[i].result.runs;
	}
	if (s[0].result.bugs)
		good = s[1].result.bugs && chess_record_preemptions(s[0].result.bad.record) ==
					   chess_record_preemptions(s[1].result.bad.record);
	else
		good = s[1].result.complete && s[0].classes.n == s[1].classes.n;
	search_free(&s[0]);
	search_free(&s[1]);
	return good;
}

TEST_TIMEOUT(classes_are_the_same_without_ordered_objects, TIMEOUT)
{
	uint64_t i, n = number("COUNT", COUNT), first = number("SEED", 1), runs[2] = { 0 };
	struct random_program p;
	unsigned int bound;
	size_t w;

	for (i = 0; i < n; i++) {
		random_make(&p, first + i);
		for (w = 0; w < ARRAY_SIZE(ways); w++) {
			for (bound = 0; bound <= 2; bound++) {
				if (agrees(&p, &ways[w], "icb", bound, runs))
					continue;
				printf("# seed %lu, bound %u, %s\n", (unsigned long)p.seed, bound,
				       ways[w].name);
				random_print(&p, stdout);
				ASSERT_TRUE(false);
			}
		}
	}
	printf("# %lu runs, %lu without ordered objects\n", (unsigned long)runs[0],
	       (unsigned long)runs[1]);
	EXPECT_LT(runs[1], runs[0]);
}

/* --- what is counted ------------------------------------------------------ */

/* n different numbers, each twice, with zero among them. */
TEST(set_counts_each_number_once)
{
	struct chess_hashset s = { 0 };
	uint64_t i;

	EXPECT_FALSE(chess_hashset_has(&s, 7));
	for (i = 0; i < 200000; i++)
		ASSERT_EQ(i < 100000, chess_hashset_add(&s, i % 100000 << 40));
	EXPECT_EQ(100000U, chess_hashset_count(&s));
	EXPECT_TRUE(chess_hashset_has(&s, 0));
	EXPECT_TRUE(chess_hashset_has(&s, 99999ULL << 40));
	EXPECT_FALSE(chess_hashset_has(&s, 100000ULL << 40));
	EXPECT_LE(s.slots, 4U * 100000U);
	chess_hashset_clear(&s);
}

/* Stopped after three runs of twelve and more: the prefixes that wait are said. */
TEST(limit_is_a_cause)
{
	struct search s = search_of(&two, "icb", 1);

	size_of_two(5, 0, 5, 0);
	s.explore.max_runs = 3;
	search_run(&s);
	EXPECT_EQ((int)CHESS_VERDICT_INCOMPLETE, (int)s.result.verdict);
	/* T0 can be left at five accesses and its end: six prefixes, two were run. */
	EXPECT_EQ(6U - 2U, s.result.left_out[CHESS_LEFT_OUT_LIMIT]);
	EXPECT_EQ(0U, s.result.left_out[CHESS_LEFT_OUT_SCOPE]);
	search_free(&s);
}

TEST(each_cause_has_a_name)
{
	unsigned int i;

	for (i = 0; i < CHESS_LEFT_OUT_CAUSES; i++) {
		uint64_t n[CHESS_LEFT_OUT_CAUSES] = { 0 };

		EXPECT_TRUE(chess_left_out_name(i));
		n[i] = 1;
		EXPECT_EQ(!chess_left_out_may_be_ok(i), chess_left_out_hole(n));
	}
	EXPECT_FALSE(chess_left_out_name(CHESS_LEFT_OUT_CAUSES));
	EXPECT_FALSE(chess_left_out_may_be_ok(CHESS_LEFT_OUT_DIVERGED));
	EXPECT_FALSE(chess_left_out_may_be_ok(CHESS_LEFT_OUT_RECORD));
	EXPECT_FALSE(chess_left_out_may_be_ok(CHESS_LEFT_OUT_LIMIT));
}

TEST_HARNESS_MAIN
