// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what strategy rff stands on: the reads-from pairs of a run are those that can be written
 * down for it, policy pairs shows and avoids them, what rff plans does not depend on how many plans
 * are out, and that it needs fewer runs than chance alone where a bug needs several rare pairs.
 * Then what strategy auto gives its parts. Seeds are fixed: a test passes always or never.
 */
#include <stdlib.h>
#include <string.h>

#include "chessctl/races.h"
#include "harness.h"
#include "iroot/reads.h"
#include "programs/programs.h"
#include "run/pack.h"
#include "search/strategy.h"
#include "sim.h"

#define MOST_SITES	64

/* --- programs -------------------------------------------------------------- */

static struct sim_var x, y;
static struct sim_mutex lock;

static void reset(void)
{
	memset(&x, 0, sizeof(x));
	memset(&y, 0, sizeof(y));
	memset(&lock, 0, sizeof(lock));
}

/* Each is a place of its own in the program. */
static __attribute__((noinline)) void store_1(void)
{
	sim_store(&x, 1);
	asm volatile("");
}

static __attribute__((noinline)) void store_2(void)
{
	sim_store(&x, 2);
	asm volatile("");
}

static __attribute__((noinline)) long load_x(void)
{
	long v = sim_load(&x);

	asm volatile("");
	return v;
}

static __attribute__((noinline)) long load_y(void)
{
	long v = sim_load(&y);

	asm volatile("");
	return v;
}

static __attribute__((noinline)) void store_y(void)
{
	sim_store(&y, 1);
	asm volatile("");
}

static void write_2(void *arg)
{
	(void)arg;
	store_2();
	store_y();
}

/* T0 writes and reads x, T1 writes it, and T2, which is created last, reads y. */
static void read_y(void *arg)
{
	(void)arg;
	load_y();
}

static void main_of_three(void *arg)
{
	sim_create(write_2, arg);
	sim_create(read_y, arg);
	store_1();
	load_x();
}

static const struct sim_program three = { .name = "three", .reset = reset, .main = main_of_three };

static struct sim *new_sim(const struct sim_program *program)
{
	static uint32_t points[MOST_SITES];
	const struct sim_opts opts = { .enabled = SIM_KERNEL, .accesses = true };
	struct sim *sim = sim_new(program, &opts);
	uint32_t i;

	for (i = 0; i < MOST_SITES; i++)
		points[i] = i + 1;
	sim_set_points(sim, points, MOST_SITES);
	return sim;
}

/* The pairs of one run, and the values it read. */
static struct chess_reads_all pairs_of(const struct chess_executor *x_of, struct chess_plan *plan)
{
	struct chess_run_result out = { .diverged_at = SIZE_MAX };
	struct chess_reads_all all = { 0 };
	struct chess_iroot_run run = { 0 };

	EXPECT_EQ(0, x_of->run(x_of->ctx, plan, &out));
	EXPECT_EQ(0, chess_iroot_read(&run, out.record));
	EXPECT_EQ(0, chess_reads_of(&all, &run, out.record));
	chess_iroot_run_clear(&run);
	x_of->drop(x_of->ctx, &out);
	return all;
}

static size_t count(const struct chess_reads_all *all, bool seen)
{
	size_t i, n = 0;

	for (i = 0; i < all->n; i++)
		n += !!all->pair[i].runs == seen;
	return n;
}

/*
 * By default T0 does all it can first: it reads its own write of x. T1 then writes x and y, and T2
 * reads that. Only the read of x could have been of T1's write; that of y needs no other task to
 * come first to be what was there before.
 */
TEST(pairs_of_the_first_run)
{
	struct sim *sim = new_sim(&three);
	const struct chess_executor e = sim_executor(sim);
	struct chess_plan plan = { 0 };
	struct chess_reads_all all = pairs_of(&e, &plan);
	uint64_t signature = chess_reads_signature(&all);

	EXPECT_EQ((size_t)2, count(&all, true));
	EXPECT_EQ((size_t)1, count(&all, false));
	chess_reads_free(&all);
	all = pairs_of(&e, &plan);
	EXPECT_EQ(signature, chess_reads_signature(&all));
	chess_reads_free(&all);
	sim_free(sim);
}

/* --- the policy --------------------------------------------------------------- */

#define SEEDS	100

/* The pair that the first run could have had, as a plan's words. */
static void find_missing(const struct chess_executor *e, uint32_t words[3])
{
	struct chess_plan plan = { 0 };
	struct chess_reads_all all = pairs_of(e, &plan);
	size_t i;

	for (i = 0; i < all.n && all.pair[i].runs; i++)
		;
	ASSERT_TRUE(i < all.n);
	words[0] = all.pair[i].write;
	words[1] = all.pair[i].read;
	words[2] = 0;
	chess_reads_free(&all);
}

/* Of SEEDS runs with these words, how many had the pair. */
static unsigned int count_runs(const struct chess_executor *e, uint32_t *words, size_t n)
{
	struct chess_plan plan = { .policy = CHESS_POLICY_KIND_PAIRS, .changes = words,
				   .n_changes = n };
	struct chess_reads_all all;
	unsigned int had = 0;
	int64_t at;

	for (plan.seed = 1; plan.seed <= SEEDS; plan.seed++) {
		all = pairs_of(e, &plan);
		at = chess_reads_find(&all, words[0], words[1], false);
		had += all.pair[at].runs;
		chess_reads_free(&all);
	}
	return had;
}

TEST(a_pair_is_shown_or_avoided_in_every_run)
{
	struct sim *sim = new_sim(&three);
	const struct chess_executor e = sim_executor(sim);
	uint32_t words[3];
	unsigned int chance;

	find_missing(&e, words);
	chance = count_runs(&e, words, 0);
	printf("# by chance %u of %d runs have the pair\n", chance, SEEDS);
	EXPECT_TRUE(chance > 0 && chance < SEEDS);
	EXPECT_EQ((unsigned int)SEEDS, count_runs(&e, words, 3));
	words[2] = CHESS_PAIR_DENY;
	EXPECT_EQ(0u, count_runs(&e, words, 3));
	sim_free(sim);
}

/* A lock is taken by the task that is wanted to give it, and read from nobody: all are held. */
static void take_and_give(void *arg)
{
	(void)arg;
	sim_lock(&lock);
	load_x();
	sim_unlock(&lock);
}

static void main_of_locks(void *arg)
{
	sim_create(take_and_give, arg);
	sim_lock(&lock);
	store_1();
	sim_unlock(&lock);
}

static const struct sim_program locks = { .name = "locks", .reset = reset, .main = main_of_locks };

TEST(what_cannot_be_done_ends_no_run)
{
	struct sim *sim = new_sim(&locks);
	const struct chess_executor e = sim_executor(sim);
	struct chess_plan plan = { .policy = CHESS_POLICY_KIND_PAIRS };
	struct chess_plan first = { 0 };
	struct chess_reads_all all = pairs_of(&e, &first);
	uint32_t words[3 * CHESS_PAIRS_MAX];
	size_t i, k, n = 0;

	/* All pairs of places, the right way round and the wrong one, wanted and denied. */
	for (i = 0; i < all.n && n < 3 * CHESS_PAIRS_MAX; i++)
		for (k = 0; k < 2 && n < 3 * CHESS_PAIRS_MAX; k++) {
			if (!all.pair[i].write)
				continue;
			words[n++] = k ? all.pair[i].read : all.pair[i].write;
			words[n++] = k ? all.pair[i].write : all.pair[i].read;
			words[n++] = i & CHESS_PAIR_DENY;
		}
	chess_reads_free(&all);
	EXPECT_TRUE(n >= 6);
	plan.changes = words;
	plan.n_changes = n;
	for (plan.seed = 1; plan.seed <= SEEDS; plan.seed++) {
		all = pairs_of(&e, &plan);
		EXPECT_TRUE(all.n > 0);
		chess_reads_free(&all);
	}
	sim_free(sim);
}

/* --- plans --------------------------------------------------------------------- */

#define PLANS	400

/*
 * The strategy with up to @most plans out, which come back last first. What the plans were is in
 * @seen, a number for each.
 */
static void drive(struct sim *sim, size_t most, uint64_t seen[PLANS])
{
	const struct chess_strategy_ops *ops = &chess_strategy_rff;
	struct chess_explore_opts o = { .sz = sizeof(o), .seed = 7, .bound = 2 };
	const struct chess_executor e = sim_executor(sim);
	struct chess_plan plan[32] = { { 0 } };
	size_t n = 0, out, i;
	void *state;
	int ret = 1;

	ASSERT_TRUE(most <= 32);
	o.racing = chess_racing_new();
	state = ops->new(&o);
	ASSERT_TRUE(state);
	while (n < PLANS && ret) {
		for (out = 0; out < most && n < PLANS; out++) {
			memset(&plan[out], 0, sizeof(plan[out]));
			ret = ops->next(state, &plan[out]);
			if (ret <= 0)
				break;
			seen[n] = plan[out].seed + plan[out].policy + plan[out].length;
			for (i = 0; i < plan[out].n_changes; i++)
				seen[n] = seen[n] * 31 + plan[out].changes[i];
			n++;
		}
		ASSERT_TRUE(ret >= 0 || ret == -EAGAIN);
		while (out--) {
			struct chess_run_result res = { .diverged_at = SIZE_MAX };

			EXPECT_EQ(0, e.run(e.ctx, &plan[out], &res));
			EXPECT_EQ(0, ops->report(state, &plan[out], res.record));
			e.drop(e.ctx, &res);
			ops->done(state, &plan[out]);
		}
	}
	EXPECT_EQ((size_t)PLANS, n);
	ops->free(state);
	chess_racing_free(o.racing);
}

TEST(plans_do_not_depend_on_how_many_are_out)
{
	static const size_t most[] = { 2, 5, 32 };
	struct sim *sim = new_sim(&three);
	static uint64_t one[PLANS], several[PLANS];
	size_t i;

	drive(sim, 1, one);
	EXPECT_TRUE(one[PLANS - 1] != 0);
	for (i = 0; i < 3; i++) {
		drive(sim, most[i], several);
		EXPECT_EQ(0, memcmp(one, several, sizeof(one)));
	}
	sim_free(sim);
}

/* --- what it finds ---------------------------------------------------------------- */

static struct chess_explore_result search(const struct sim_program *p, const char *strategy,
					  uint64_t seed, uint64_t runs, bool on,
					  const struct chess_memo *memo)
{
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = strategy, .seed = seed, .max_runs = runs, .bound = 2,
		.keep_going = on, .memo = memo,
	};
	struct sim *sim = new_sim(p);
	const struct chess_executor e = sim_executor(sim);
	struct chess_explore_result res;

	o.racing = chess_racing_new();
	ASSERT_EQ(0, chess_explore(&e, &o, &res));
	chess_racing_free(o.racing);
	sim_free(sim);
	return res;
}

static const struct sct *sct_of(const char *name)
{
	size_t i;

	for (i = 0; sct_at(i); i++)
		if (!strcmp(sct_at(i)->program.name, name))
			return sct_at(i);
	return NULL;
}

/* Runs to the bug, summed over seeds; those that do not find it count as 2000. */
static uint64_t runs_to(const char *name, const char *strategy)
{
	const struct sct *p = sct_of(name);
	uint64_t seed, sum = 0;

	ASSERT_TRUE(p);
	for (seed = 1; seed <= 20; seed++) {
		struct chess_explore_result res = search(&p->program, strategy, seed, 2000, false,
							 NULL);

		sum += res.runs;
		chess_explore_result_clear(&res);
	}
	return sum;
}

TEST(rare_pairs_are_found_in_fewer_runs_than_by_chance)
{
	static const char *const names[] = { "reorder_4_bad", "twostage_bad", "stringbuffer-jdk1.4" };
	uint64_t rff, pos, all_rff = 0, all_pos = 0;
	size_t i;

	for (i = 0; i < 3; i++) {
		rff = runs_to(names[i], "rff");
		pos = runs_to(names[i], "pos");
		printf("# %s: rff %.1f runs, pos %.1f\n", names[i], rff / 20.0, pos / 20.0);
		all_rff += rff;
		all_pos += pos;
	}
	EXPECT_TRUE(all_rff < all_pos);
}

TEST(what_was_covered_is_counted)
{
	struct chess_explore_result res = search(&three, "rff", 1, 300, true, NULL);

	/* x from either write, y from the write and from before it. */
	EXPECT_EQ((uint64_t)4, res.pairs);
	EXPECT_EQ((uint64_t)4, res.pairs_known);
	EXPECT_EQ((uint64_t)0, res.pairs_kernel);
	EXPECT_TRUE(res.plans_kept >= 2 && res.plans_kept <= 4);
	EXPECT_TRUE(res.iroots_exposed[0] > 0);
	chess_explore_result_clear(&res);
}

/* --- with a memo ----------------------------------------------------------------- */

static int note_place(void *arg, const struct chess_memo_place *p, const char *maps)
{
	(void)arg;
	(void)p;
	(void)maps;
	return 0;
}

/* Another search has exposed all there is. */
static int recall_all(void *arg, struct chess_memo_iroot *root, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		root[i].before = true;
	*(size_t *)arg += n;
	return 0;
}

static int note_run(void *arg, const struct chess_memo_run *run)
{
	(void)arg;
	(void)run;
	return 0;
}

TEST(pairs_that_earlier_searches_showed_are_no_news)
{
	size_t asked = 0;
	const struct chess_memo memo = { note_place, recall_all, note_run, &asked };
	struct chess_explore_result alone = search(&three, "rff", 1, 300, true, NULL);
	struct chess_explore_result after = search(&three, "rff", 1, 300, true, &memo);

	EXPECT_TRUE(asked > 0);
	EXPECT_TRUE(after.plans_kept < alone.plans_kept);
	chess_explore_result_clear(&alone);
	chess_explore_result_clear(&after);
}

/* --- auto ------------------------------------------------------------------------- */

TEST(parts_of_auto_add_up_and_one_seed_is_one_search)
{
	const struct sct *p = sct_of("twostage_20");
	struct chess_explore_result a = search(&p->program, "auto", 3, 500, true, NULL);
	struct chess_explore_result b = search(&p->program, "auto", 3, 500, true, NULL);
	uint64_t runs = 0, classes = 0;
	unsigned int i;

	EXPECT_TRUE(a.shared);
	for (i = 0; i < CHESS_SHARES; i++) {
		printf("# %s: %llu runs, %llu classes, %llu iRoots\n", chess_share_name(i),
		       (unsigned long long)a.share_runs[i], (unsigned long long)a.share_classes[i],
		       (unsigned long long)a.share_iroots[i]);
		EXPECT_EQ(a.share_runs[i], b.share_runs[i]);
		EXPECT_EQ(a.share_classes[i], b.share_classes[i]);
		EXPECT_EQ(a.share_iroots[i], b.share_iroots[i]);
		runs += a.share_runs[i];
		classes += a.share_classes[i];
	}
	EXPECT_EQ(NULL, (void *)chess_share_name(i));
	EXPECT_EQ(a.runs, runs);
	EXPECT_TRUE(classes > 100 && classes <= runs);
	/* The floor: one run of each round of 20, unless the part is over. */
	EXPECT_TRUE(a.share_runs[0] >= 500 / 20);
	EXPECT_TRUE(a.share_runs[4] >= 500 / 20);
	chess_explore_result_clear(&a);
	chess_explore_result_clear(&b);
}

/* With the bounded search it ends, and says what that says. */
TEST(auto_ends_with_the_bounded_search)
{
	struct chess_explore_result icb = search(&three, "icb", 0, 0, true, NULL);
	struct chess_explore_result all = search(&three, "auto", 0, 0, true, NULL);

	EXPECT_TRUE(icb.complete && all.complete);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)all.verdict);
	EXPECT_EQ(icb.bound, all.bound);
	EXPECT_EQ(icb.runs, all.share_runs[0]);
	EXPECT_EQ(icb.runs + all.chance_runs, all.runs);
	EXPECT_TRUE(all.chance_runs > 0);
	chess_explore_result_clear(&icb);
	chess_explore_result_clear(&all);
}

/* What a pool makes ahead of time is what it is asked for then, but where a turn or round ends. */
TEST(plans_can_be_foreseen)
{
	static const struct chess_strategy_ops *const all[] = {
		&chess_strategy_rff, &chess_strategy_auto,
	};
	struct chess_explore_opts o = { .sz = sizeof(o), .seed = 7, .bound = 2 };
	const struct sct *p = sct_of("twostage_20");
	struct sim *sim = new_sim(&p->program);
	const struct chess_executor e = sim_executor(sim);
	size_t k, n, right, foreseen;
	void *state;

	for (k = 0; k < 2; k++) {
		o.racing = chess_racing_new();
		state = all[k]->new(&o);
		right = foreseen = 0;
		for (n = 0; n < PLANS; n++) {
			struct chess_run_result res = { .diverged_at = SIZE_MAX };
			struct chess_plan plan = { 0 }, early = { 0 };

			EXPECT_TRUE(all[k]->peek(state, 0, &early) >= 0);
			ASSERT_EQ(1, all[k]->next(state, &plan));
			foreseen += early.policy == CHESS_POLICY_KIND_PAIRS;
			right += early.policy == CHESS_POLICY_KIND_PAIRS &&
				 plan.policy == early.policy && plan.seed == early.seed &&
				 plan.n_changes == early.n_changes &&
				 !memcmp(plan.changes ? plan.changes : (void *)"",
					 early.changes ? early.changes : (void *)"",
					 plan.n_changes * sizeof(*plan.changes));
			chess_plan_clear(&early);
			EXPECT_EQ(0, e.run(e.ctx, &plan, &res));
			EXPECT_EQ(0, all[k]->report(state, &plan, res.record));
			e.drop(e.ctx, &res);
			all[k]->done(state, &plan);
		}
		printf("# %s: %zu of %d plans foreseen\n", all[k]->name, foreseen, PLANS);
		EXPECT_EQ(foreseen, right);
		EXPECT_TRUE(foreseen > PLANS / 20);
		all[k]->free(state);
		chess_racing_free(o.racing);
	}
	sim_free(sim);
}

TEST_HARNESS_MAIN
