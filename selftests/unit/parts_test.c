// SPDX-License-Identifier: GPL-2.0-only
/*
 * A search that is cut into parts is held against the search in one piece: the same runs, the same
 * happens-before classes, the same failing runs. Parts go through bytes as they do through files,
 * and are stopped in the middle as often as they make a few runs.
 *
 * COUNT=n tries n random programs instead of 30; SEED=n begins with that seed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "programs/programs.h"
#include "search.h"
#include "sim_random.h"
#include "../harness.h"

#define COUNT	30
#define MAX_RUNS	4000

/* What searches found, together. */
struct found {
	uint64_t runs, bugs, by_level[8];
	size_t parts;
	bool whole;
	struct numbers classes;
};

static void keep_classes(void *arg, const uint64_t *number, size_t n)
{
	struct found *f = arg;
	size_t i;

	for (i = 0; i < n; i++)
		numbers_at(&f->classes, number[i], 0);
}

static void explore(const struct sim_program *p, struct chess_explore_opts o, struct found *f)
{
	struct chess_explore_result res;
	struct chess_executor x;
	struct sim_opts how = { .enabled = SIM_KERNEL, .unfair = true };
	struct sim *s = sim_new(p, &how);
	size_t i;

	o.sz = sizeof(o);
	o.keep_going = true;
	o.count_classes = true;
	o.each_class = keep_classes;
	o.class_arg = f;
	x = sim_executor(s);
	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	f->runs += res.runs;
	f->bugs += res.bugs;
	for (i = 0; i < res.n_runs_at && i < 8; i++)
		f->by_level[i] += res.runs_at[i];
	f->whole = res.complete;
	f->parts++;
	chess_explore_result_clear(&res);
	sim_free(s);
}

/* As if through a file. */
static struct chess_frontier *carried(struct chess_frontier *f)
{
	struct chess_frontier *copy;
	unsigned char *bytes, *again;
	size_t n, n_again;

	ASSERT_EQ(0, chess_frontier_pack(f, &bytes, &n));
	copy = chess_frontier_unpack(bytes, n);
	ASSERT_TRUE(copy);
	EXPECT_EQ(chess_frontier_count(f), chess_frontier_count(copy));
	EXPECT_EQ(chess_frontier_level(f), chess_frontier_level(copy));
	EXPECT_TRUE(chess_frontier_weight(f) == chess_frontier_weight(copy));
	ASSERT_EQ(0, chess_frontier_pack(copy, &again, &n_again));
	EXPECT_TRUE(n == n_again && !memcmp(bytes, again, n));
	free(bytes);
	free(again);
	chess_frontier_free(f);
	return copy;
}

/* All of it, @step runs at a time; 0: in one piece. */
static void run_part(const struct sim_program *p, struct chess_explore_opts o,
		     struct chess_frontier *part, uint64_t step, struct found *f)
{
	while (chess_frontier_count(part)) {
		struct chess_frontier *rest = chess_frontier_new();

		o.from = part;
		o.rest = rest;
		o.enough = 0;
		o.max_runs = step;
		explore(p, o, f);
		chess_frontier_free(part);
		part = carried(rest);
		if (!step)
			EXPECT_EQ((uint64_t)0, chess_frontier_count(part));
	}
	chess_frontier_free(part);
}

static void search_in_parts(const struct sim_program *p, struct chess_explore_opts o, size_t n,
			    uint64_t step, struct found *f)
{
	struct chess_frontier *rest = chess_frontier_new(), *part[16];
	double weight = 0;
	size_t i;

	o.rest = rest;
	o.enough = 4 * n;
	explore(p, o, f);
	for (i = 0; i < n; i++)
		part[i] = chess_frontier_new();
	ASSERT_EQ(0, chess_frontier_split(rest, part, n));
	for (i = 0; i < n; i++)
		weight += chess_frontier_weight(part[i]);
	EXPECT_TRUE(weight <= 1.0001 && weight > chess_frontier_weight(rest) - 0.0001);
	chess_frontier_free(rest);
	for (i = 0; i < n; i++)
		run_part(p, o, carried(part[i]), step, f);
}

static void compare(const char *name, const struct sim_program *p, struct chess_explore_opts o,
		    size_t n, uint64_t step)
{
	struct found one = { 0 }, parts = { 0 };
	int i;

	o.max_runs = MAX_RUNS;
	explore(p, o, &one);
	o.max_runs = 0;
	if (one.whole) {
		search_in_parts(p, o, n, step, &parts);
		if (o.reduce)
			EXPECT_TRUE(parts.runs >= one.runs);
		else
			EXPECT_EQ(one.runs, parts.runs);
		for (i = 0; i < 8 && !o.reduce; i++)
			EXPECT_EQ(one.by_level[i], parts.by_level[i]);
		if (!o.reduce)
			EXPECT_EQ(one.bugs, parts.bugs);
		EXPECT_EQ(!one.bugs, !parts.bugs);
		EXPECT_EQ(one.classes.n, parts.classes.n);
		if (!numbers_same(&one.classes, &parts.classes))
			printf("# %s: other classes than in one piece\n", name);
		EXPECT_TRUE(numbers_same(&one.classes, &parts.classes));
	}
	numbers_free(&one.classes);
	numbers_free(&parts.classes);
}

static const struct chess_explore_opts ways[] = {
	{ .strategy = "icb", .bound = 2 }, { .strategy = "icb", .bound = 1 },
	{ .strategy = "dfs" }, { .strategy = "delay", .bound = 2 },
};

TEST(parts_together_make_the_runs_of_one_search)
{
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1;
	int count = getenv("COUNT") ? atoi(getenv("COUNT")) : COUNT, i;
	struct random_program p;
	char name[64];
	size_t w;

	for (i = 0; i < count; i++, seed++) {
		random_make(&p, seed);
		for (w = 0; w < COUNT_OF(ways); w++) {
			snprintf(name, sizeof(name), "seed %llu", (unsigned long long)seed);
			compare(name, random_sim(&p), ways[w], 1 + seed % 8,
				seed % 3 ? 1 + seed % 7 : 0);
		}
	}
}

TEST(with_reductions_no_class_is_lost)
{
	static const unsigned int flags[] = {
		CHESS_REDUCE_HB, CHESS_REDUCE_SLEEP, CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP,
	};
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1;
	int count = getenv("COUNT") ? atoi(getenv("COUNT")) : COUNT, i;
	struct chess_explore_opts o = { .strategy = "icb", .bound = 2 };
	struct random_program p;
	char name[64];
	size_t k;

	for (i = 0; i < count; i++, seed++) {
		random_make(&p, seed);
		for (k = 0; k < COUNT_OF(flags); k++) {
			o.reduce = flags[k];
			snprintf(name, sizeof(name), "seed %llu", (unsigned long long)seed);
			compare(name, random_sim(&p), o, 1 + seed % 8, seed % 2 ? 5 : 0);
		}
	}
}

/* --- how much work it is ------------------------------------------------------ */

#define WORKERS	3

static struct sim_mutex lock;
static struct sim_sem done;
static int rounds;

static void reset(void)
{
	lock = (struct sim_mutex){ 0 };
	done = (struct sim_sem){ 0 };
}

static void worker(void *arg)
{
	int i;

	for (i = 0; i < rounds; i++) {
		sim_lock(&lock);
		sim_unlock(&lock);
	}
	sim_sem_post(&done);
	(void)arg;
}

static void queue_main(void *arg)
{
	int i;

	for (i = 0; i < WORKERS; i++)
		sim_create(worker, arg);
	for (i = 0; i < WORKERS; i++)
		sim_sem_wait(&done);
}

static const struct sim_program queue = { .name = "queue", .reset = reset, .main = queue_main };

/* How many times the work of one search the parts do. */
static double overhead(unsigned int bound, unsigned int reduce, size_t n)
{
	struct chess_explore_opts o = { .strategy = "icb", .bound = bound, .reduce = reduce };
	struct found one = { 0 }, parts = { 0 };

	explore(&queue, o, &one);
	EXPECT_TRUE(one.whole);
	search_in_parts(&queue, o, n, 0, &parts);
	EXPECT_EQ(one.classes.n, parts.classes.n);
	printf("# %d rounds, bound %u, %s, %zu parts: %llu runs of one search, %llu of the parts\n",
	       rounds, bound, reduce ? "hb" : "no reduction", n, (unsigned long long)one.runs,
	       (unsigned long long)parts.runs);
	numbers_free(&one.classes);
	numbers_free(&parts.classes);
	return (double)parts.runs / one.runs;
}

TEST(without_a_reduction_parts_do_no_work_twice)
{
	rounds = 4;
	EXPECT_TRUE(overhead(2, 0, 4) == 1);
	EXPECT_TRUE(overhead(2, 0, 8) == 1);
}

TEST(with_a_reduction_of_their_own_they_do_at_most_half_as_much_more)
{
	rounds = 5;
	EXPECT_TRUE(overhead(3, CHESS_REDUCE_HB, 4) <= 1.5);
	EXPECT_TRUE(overhead(3, CHESS_REDUCE_HB, 8) <= 1.5);
}

/* --- what is refused ----------------------------------------------------------- */

TEST(a_level_ends_a_search_and_the_rest_has_the_others)
{
	struct chess_explore_opts o = { .strategy = "icb", .bound = 2, .levels = 1 };
	struct found f = { 0 }, one = { 0 };

	rounds = 2;
	o.rest = chess_frontier_new();
	explore(&queue, o, &f);
	EXPECT_FALSE(f.whole);
	EXPECT_EQ(f.runs, f.by_level[0]);
	EXPECT_EQ(1u, chess_frontier_level(o.rest));
	run_part(&queue, (struct chess_explore_opts){ .strategy = "icb", .bound = 2 }, o.rest, 0, &f);
	explore(&queue, (struct chess_explore_opts){ .strategy = "icb", .bound = 2 }, &one);
	EXPECT_EQ(one.runs, f.runs);
	numbers_free(&f.classes);
	numbers_free(&one.classes);
}

static int refused(struct chess_explore_opts o)
{
	o.sz = sizeof(o);
	return chess_explore_check(&o);
}

TEST(what_depends_on_all_runs_has_no_parts)
{
	struct chess_frontier *f = chess_frontier_new();

	EXPECT_EQ(-EINVAL, refused((struct chess_explore_opts){ .strategy = "pct", .rest = f }));
	EXPECT_EQ(-EINVAL, refused((struct chess_explore_opts){ .strategy = "turns", .rest = f }));
	EXPECT_EQ(-EINVAL, refused((struct chess_explore_opts){ .from = f, .skip_ordered = true }));
	EXPECT_EQ(-EINVAL, refused((struct chess_explore_opts){ .from = f,
							       .reduce = CHESS_REDUCE_DPOR }));
	EXPECT_EQ(-EINVAL, refused((struct chess_explore_opts){ .rest = f, .grow_runs = 5 }));
	EXPECT_EQ(0, refused((struct chess_explore_opts){ .rest = f, .reduce = CHESS_REDUCE_HB }));
	EXPECT_TRUE(chess_strategy_has_parts("icb"));
	EXPECT_TRUE(chess_strategy_has_parts("delay"));
	EXPECT_FALSE(chess_strategy_has_parts("maple"));
	chess_frontier_free(f);
}

/* Every byte of it, changed and cut: taken or refused, and never read beyond its end. */
TEST(other_bytes_are_refused_or_are_prefixes)
{
	struct chess_explore_opts o = { .strategy = "icb", .bound = 2, .enough = 20 };
	struct found f = { 0 };
	struct chess_frontier *rest = chess_frontier_new(), *back;
	unsigned char *bytes, *exact;
	size_t n, i, taken = 0;

	rounds = 2;
	o.rest = rest;
	explore(&queue, o, &f);
	ASSERT_EQ(0, chess_frontier_pack(rest, &bytes, &n));
	chess_frontier_free(rest);
	for (i = 0; i < n; i++) {
		/* Of its own length, so that tools see what is read after its end. */
		exact = malloc(i + 1);
		memcpy(exact, bytes, i);
		back = chess_frontier_unpack(exact, i);
		taken += !!back;
		chess_frontier_free(back);
		free(exact);
		bytes[i] ^= 0x80;
		chess_frontier_free(chess_frontier_unpack(bytes, n));
		bytes[i] ^= 0x80;
	}
	EXPECT_TRUE(taken < 20);
	EXPECT_TRUE(n > 200);
	free(bytes);
	numbers_free(&f.classes);
}

TEST_HARNESS_MAIN
