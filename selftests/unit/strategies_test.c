// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what each strategy promises, on programs of the user-space model (sim.h): those
 * that end by themselves run as many schedules as a closed form or a recursion of a few
 * lines says, none twice, whatever number of plans is out; those that use chance meet
 * the probabilities of their papers and are reproduced by their seeds. Seeds are fixed:
 * a test passes always or never.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sim.h"
#include "search/strategy.h"
#include "../harness.h"

#define MOST	200000

/* --- programs ------------------------------------------------------------ */

static struct sim_var x[8];
static struct sim_mutex a, b;
static uint64_t order;			/* who wrote, as digits to the base of eight */
static int n_of[4];			/* points of each task */

static void reset(void)
{
	memset(x, 0, sizeof(x));
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	order = 1;
}

static void write_x(void *arg)
{
	int n;

	(void)arg;
	for (n = n_of[sim_self()]; n; n--) {
		sim_store(&x[0], 1);
		order = order * 8 + sim_self();
	}
}

/* T0 makes T1, and T2 when that has points, and goes on with its own. */
static void main_of_writers(void *arg)
{
	sim_create(write_x, arg);
	if (n_of[2])
		sim_create(write_x, arg);
	write_x(arg);
}

static void lock_ba(void *arg)
{
	(void)arg;
	sim_lock(&b);
	sim_lock(&a);
	sim_unlock(&a);
	sim_unlock(&b);
}

static void main_of_abba(void *arg)
{
	sim_create(lock_ba, arg);
	sim_lock(&a);
	sim_lock(&b);
	sim_unlock(&b);
	sim_unlock(&a);
}

/* Fails when T1 sees x before T0 writes it: one constraint, depth 1. */
static void look_early(void *arg)
{
	(void)arg;
	sim_assert(sim_load(&x[0]));
}

static void main_of_depth_1(void *arg)
{
	int i;

	sim_create(look_early, arg);
	for (i = 1; i < 5; i++)
		sim_store(&x[i], 1);
	sim_store(&x[0], 1);
}

/* Fails when T1 sees 1, and then 3: after the first write, before the second, and
 * after the third one. Depth 3.
 */
static void look_twice(void *arg)
{
	(void)arg;
	if (sim_load(&x[0]) == 1 && sim_load(&x[0]) == 3)
		sim_assert(false);
}

static void main_of_depth_3(void *arg)
{
	sim_create(look_twice, arg);
	sim_store(&x[0], 1);
	sim_store(&x[0], 2);
	sim_store(&x[0], 3);
	sim_store(&x[1], 1);
}

static void nap(void *arg)
{
	sim_sleep(1000 * (uint64_t)(sim_self() + 1));
	write_x(arg);
}

static void main_of_mixed(void *arg)
{
	sim_create(nap, arg);
	sim_lock(&a);
	sim_yield();
	write_x(arg);
}

static void spin(void *arg)
{
	(void)arg;
	while (!sim_load(&x[0]))
		sim_yield();
}

/* T1 and T2 wait in a loop for the last task to write. */
static void main_of_spinners(void *arg)
{
	n_of[3] = 1;
	sim_create(spin, arg);
	sim_create(spin, arg);
	sim_create(write_x, arg);
	spin(arg);
}

/* T1 and T2 wait for T0, which may have to wait for their turn to write. */
static void spin_then_write(void *arg)
{
	(void)arg;
	while (!sim_load(&x[1]))
		sim_yield();
	sim_store(&x[0], 1);
}

static void main_of_waiters(void *arg)
{
	sim_create(spin_then_write, arg);
	sim_create(spin_then_write, arg);
	sim_store(&x[0], 1);
	sim_store(&x[1], 1);
}

/* --- searches ------------------------------------------------------------ */

/* The records of a search, by their hashes, and what it says at the end. */
struct log {
	struct chess_executor x;
	uint64_t *hash;
	size_t n, steps;		/* steps: see count_steps(), the most */
	double first_estimate, last_estimate;
	struct chess_explore_result res;
};

/* Decisions at which somebody goes on, from when there are two tasks. */
static size_t count_steps(const struct chess_record *r)
{
	size_t i, n = 0;
	bool two = false;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		two |= e->type == CHESS_EVENT_SPAWN;
		n += two && CHESS_EVENT_IS_DECISION(e->type) && e->chosen != CHESS_TASK_NONE;
	}
	return n;
}

static int run_and_log(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct log *l = ctx;
	int ret = l->x.run(l->x.ctx, plan, out);

	ASSERT_LT(l->n, (size_t)MOST);
	if (ret)
		return ret;
	l->hash[l->n++] = chess_record_hash(out->record);
	if (count_steps(out->record) > l->steps)
		l->steps = count_steps(out->record);
	return 0;
}

static bool note_estimate(void *arg, const struct chess_explore_progress *p)
{
	struct log *l = arg;

	if (p->runs == 1)
		l->first_estimate = p->estimate;
	l->last_estimate = p->estimate;
	return true;
}

static void search(void (*body)(void *arg), struct chess_explore_opts o, struct log *l)
{
	const struct sim_program p = { .name = "test", .reset = reset, .main = body };
	struct sim_opts how = { .enabled = SIM_KERNEL, .unfair = true };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor logging = { .run = run_and_log, .ctx = l };

	memset(l, 0, sizeof(*l));
	l->x = sim_executor(s);
	l->hash = calloc(MOST, sizeof(*l->hash));
	o.sz = sizeof(o);
	o.keep_going = true;
	o.progress = note_estimate;
	o.progress_arg = l;
	ASSERT_EQ(0, chess_explore(&logging, &o, &l->res));
	sim_free(s);
}

static void log_clear(struct log *l)
{
	chess_explore_result_clear(&l->res);
	free(l->hash);
}

static int compare(const void *p, const void *q)
{
	const uint64_t *i = p, *k = q;

	return *i < *k ? -1 : *i > *k;
}

static size_t count_distinct(struct log *l)
{
	size_t i, n = 0;

	qsort(l->hash, l->n, sizeof(*l->hash), compare);
	for (i = 0; i < l->n; i++)
		n += !i || l->hash[i] != l->hash[i - 1];
	return n;
}

/* Runs of a complete search, each another one. */
static uint64_t count_runs(void (*body)(void *arg), const char *strategy, unsigned int bound)
{
	struct log l;
	uint64_t runs;

	search(body, (struct chess_explore_opts) { .strategy = strategy, .bound = bound }, &l);
	EXPECT_TRUE(l.res.complete);
	runs = l.res.runs;
	EXPECT_EQ(runs, count_distinct(&l));
	/* The weight of all runs is one. */
	EXPECT_GT(1.001 * runs, l.last_estimate);
	EXPECT_LT(0.999 * runs, l.last_estimate);
	EXPECT_TRUE(l.res.estimate == (double)runs);
	log_clear(&l);
	return runs;
}

static uint64_t choose(uint64_t n, uint64_t k)
{
	uint64_t i, c = 1;

	for (i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return c;
}

/*
 * A step goes from one decision of a task to its next. T0 has one from each of its
 * points: the creation of T1, m of its own, its exit. T1 has one to its first point, and
 * one from each of n and its exit. The creation comes first; the other m + 1 and n + 2
 * steps are interleaved as they like.
 */
TEST(dfs_runs_every_interleaving_once)
{
	int m, n;

	memset(n_of, 0, sizeof(n_of));
	for (m = 0; m < 5; m++)
		for (n = 1; n < 5; n++) {
			n_of[0] = m;
			n_of[1] = n;
			EXPECT_EQ(choose(m + n + 3, m + 1),
				  count_runs(main_of_writers, "dfs", 0));
		}
}

/*
 * The same with T2, made by T0's second step: i of T1's m + 2 steps come before that, and
 * after it the rest of them, T0's l + 1 and T2's n + 2 are interleaved.
 */
TEST(dfs_runs_every_interleaving_of_three_once)
{
	unsigned int l, m, n, i;

	for (l = 0; l < 3; l++)
		for (m = 1; m < 3; m++)
			for (n = 1; n < 3; n++) {
				uint64_t want = 0, left;

				for (i = 0; i <= m + 2; i++) {
					left = (l + 1) + (m + 2 - i) + (n + 2);
					want += choose(left, l + 1) *
						choose(left - l - 1, n + 2);
				}
				n_of[0] = l;
				n_of[1] = m;
				n_of[2] = n;
				EXPECT_EQ(want, count_runs(main_of_writers, "dfs", 0));
			}
}

TEST(dfs_runs_what_icb_does_without_a_bound)
{
	n_of[0] = n_of[1] = 1;
	EXPECT_EQ(count_runs(main_of_abba, "icb", 1000), count_runs(main_of_abba, "dfs", 0));
	EXPECT_EQ(count_runs(main_of_mixed, "icb", 1000), count_runs(main_of_mixed, "dfs", 0));
}

/*
 * Schedules of main_of_writers() with at most @left delays from here: steps[t] are left
 * to task t, -1: it does not exist yet. Shares nothing with the library.
 */
static uint64_t count_delays(const int *steps, int task, int left, int made)
{
	int next[3] = { steps[0], steps[1], steps[2] }, k, t, skipped = 0, first;
	uint64_t sum = 0;

	next[task]--;
	/* The first two steps of T0 make T1 and T2. */
	if (!task && made < 2) {
		made++;
		next[made] = n_of[made] + 2;
	}
	if (!next[0] && next[1] <= 0 && next[2] <= 0)
		return 1;
	/* Who goes on by itself: the same task, or the next in turn. */
	for (first = task; next[first] <= 0; first = (first + 1) % 3)
		;
	for (k = 0; k < 3 && skipped <= left; k++) {
		t = (first + k) % 3;
		if (next[t] > 0)
			sum += count_delays(next, t, left - skipped++, made);
	}
	return sum;
}

TEST(delay_bounding_runs_what_a_recursion_counts)
{
	int bound;

	n_of[0] = 2;
	n_of[1] = 3;
	n_of[2] = 2;
	for (bound = 0; bound <= 4; bound++) {
		/* Two creations, its own points, its exit. */
		const int steps[3] = { n_of[0] + 3, -1, -1 };

		EXPECT_EQ(count_delays(steps, 0, bound, 0),
			  count_runs(main_of_writers, "delay", bound));
	}
}

/*
 * One delay: at each decision of the scheduler's own run where a second task is enabled
 * there is one way that costs one. T0 makes T1 and T2 and ends: its second creation, its
 * exit and its end are such, and the points and the exit of T1.
 */
TEST(one_delay_goes_one_place_on)
{
	n_of[0] = 0;
	n_of[2] = 1;
	for (n_of[1] = 1; n_of[1] < 6; n_of[1]++) {
		EXPECT_EQ((uint64_t)1, count_runs(main_of_writers, "delay", 0));
		EXPECT_EQ((uint64_t)1 + 3 + n_of[1] + 1, count_runs(main_of_writers, "delay", 1));
	}
}

TEST(with_enough_delays_everything_is_run)
{
	n_of[0] = n_of[1] = n_of[2] = 1;
	EXPECT_EQ(count_runs(main_of_writers, "dfs", 0), count_runs(main_of_writers, "delay", 50));
	EXPECT_EQ(count_runs(main_of_abba, "dfs", 0), count_runs(main_of_abba, "delay", 50));
	EXPECT_EQ(count_runs(main_of_mixed, "dfs", 0), count_runs(main_of_mixed, "delay", 50));
}

/*
 * Knuth: the first run has seven decisions with two ways, at T0's points after the
 * creation and at its exit; then T1 is alone. Without a bound that stands for 2^7 runs,
 * with c preemptions for as many as there are ways to take c of them.
 */
TEST(first_estimate_is_the_product_of_the_ways)
{
	struct log l;

	n_of[0] = 6;
	n_of[1] = 6;
	n_of[2] = 0;
	search(main_of_writers, (struct chess_explore_opts) { .strategy = "dfs", .max_runs = 1 },
	       &l);
	EXPECT_TRUE(l.first_estimate == 128);
	log_clear(&l);
	search(main_of_writers, (struct chess_explore_opts) { .bound = 1, .max_runs = 1 }, &l);
	EXPECT_TRUE(l.first_estimate == 1 + 7);
	log_clear(&l);
	search(main_of_writers, (struct chess_explore_opts) { .bound = 2, .max_runs = 1 }, &l);
	EXPECT_TRUE(l.first_estimate == 1 + 7 + 7 * 6 / 2);
	log_clear(&l);
}

/* --- several plans out --------------------------------------------------- */

/* Drives a strategy as a search with @jobs plans out would, reports in another order. */
static void drive(const struct chess_strategy_ops *ops, void (*body)(void *arg),
		  unsigned int jobs, unsigned int runs, struct log *l)
{
	const struct sim_program p = { .name = "test", .reset = reset, .main = body };
	struct sim_opts how = { .enabled = SIM_KERNEL, .unfair = true };
	const struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2, .seed = 9 };
	struct sim *s = sim_new(&p, &how);
	struct chess_plan plan[16];
	struct chess_run_result res;
	void *state = ops->new(&o);
	unsigned int n = 0;
	int ret;

	memset(l, 0, sizeof(*l));
	l->x = sim_executor(s);
	l->hash = calloc(MOST, sizeof(*l->hash));
	for (;;) {
		ret = 1;
		while (n < jobs && l->n + n < runs && ret == 1) {
			memset(&plan[n], 0, sizeof(plan[n]));
			ret = ops->next(state, &plan[n]);
			n += ret == 1;
		}
		ASSERT_TRUE(ret == 1 || ret == 0 || (ret == -EAGAIN && n));
		if (!n)
			break;
		/* The latest first. */
		n--;
		ASSERT_EQ(0, run_and_log(l, &plan[n], &res));
		ASSERT_EQ(0, ops->report(state, &plan[n], res.record));
		ops->done(state, &plan[n]);
		chess_run_result_clear(&res);
	}
	ops->free(state);
	sim_free(s);
	qsort(l->hash, l->n, sizeof(*l->hash), compare);
}

TEST(runs_are_the_same_however_many_plans_are_out)
{
	static const struct chess_strategy_ops *const all[] = {
		&chess_strategy_icb, &chess_strategy_dfs, &chess_strategy_delay,
		&chess_strategy_random, &chess_strategy_pct, &chess_strategy_pos,
		&chess_strategy_surw, &chess_strategy_rr,
	};
	static const unsigned int jobs[] = { 2, 5, 16 };
	size_t i, k;

	n_of[0] = 3;
	n_of[1] = 2;
	n_of[2] = 0;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		unsigned int runs = all[i]->default_runs ? 300 : MOST - 20;
		struct log one, many;

		drive(all[i], main_of_mixed, 1, runs, &one);
		EXPECT_LT((size_t)20, one.n);
		for (k = 0; k < ARRAY_SIZE(jobs); k++) {
			drive(all[i], main_of_mixed, jobs[k], runs, &many);
			ASSERT_EQ(one.n, many.n);
			EXPECT_EQ(0, memcmp(one.hash, many.hash, one.n * sizeof(*one.hash)));
			free(many.hash);
		}
		free(one.hash);
	}
}

/* --- chance -------------------------------------------------------------- */

/* Part of @runs runs that fail, and in *@tasks and *@steps what PCT calls n and k. */
static double part_of_bugs(void (*body)(void *arg), const char *strategy, unsigned int depth,
			   unsigned int runs, size_t *tasks, size_t *steps)
{
	struct log l;
	double part;

	search(body, (struct chess_explore_opts) { .strategy = strategy, .depth = depth,
						   .max_runs = runs, .seed = 2010 }, &l);
	EXPECT_FALSE(l.res.complete);
	EXPECT_EQ((uint64_t)runs, l.res.runs);
	EXPECT_LT(0u, l.res.bugs);
	part = (double)l.res.bugs / runs;
	if (tasks)
		*tasks = l.res.max_tasks;
	if (steps)
		*steps = l.steps;
	log_clear(&l);
	return part;
}

/*
 * PCT finds a bug of depth d with a probability of at least 1 / (n k^(d - 1)) in each
 * run (section 3 of the paper). What is seen of that in so many runs may be less by
 * chance: three standard errors are allowed for, which one test in 700 exceeds.
 */
TEST(pct_keeps_its_guarantee)
{
	static void (*const bodies[])(void *arg) = {
		main_of_depth_1, main_of_abba, main_of_depth_3,
	};
	unsigned int depth, i;
	size_t tasks, steps;
	double part, least;

	for (depth = 1; depth <= 3; depth++) {
		part = part_of_bugs(bodies[depth - 1], "pct", depth, 20000, &tasks, &steps);
		for (least = 1. / tasks, i = 1; i < depth; i++)
			least /= steps;
		printf("# depth %u, n %zu, k %zu: %.4f, at least %.4f\n", depth, tasks, steps,
		       part, least);
		EXPECT_LE(least - 3 * sqrt(least * (1 - least) / 20000), part);
	}
}

/* Of depth 1, a random permutation of two priorities decides: one half. */
TEST(pct_of_depth_1_is_a_permutation)
{
	double part = part_of_bugs(main_of_depth_1, "pct", 1, 20000, NULL, NULL);

	/* standard error 0.0035 */
	EXPECT_GT(0.512, part);
	EXPECT_LT(0.488, part);
}

/*
 * From the creation on each decision is a fair coin. T1 must win two of them, to get to
 * its load and to do it, before T0 has won five, one for each store. T0 is first when it
 * wins five in a row, or five with one of T1's before the last.
 */
TEST(random_walk_fails_as_often_as_coins_say)
{
	double wins = 1 / 32. + 5 / 64.;
	double part = part_of_bugs(main_of_depth_1, "random", 0, 20000, NULL, NULL);

	/* standard error 0.0022 */
	EXPECT_GT(0.007, fabs(part - (1 - wins)));
}

TEST(every_strategy_that_uses_chance_finds_a_deadlock)
{
	static const char *const names[] = { "random", "pct", "pos", "surw" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		double part = part_of_bugs(main_of_abba, names[i], 0, 1000, NULL, NULL);

		printf("# %s: %.3f\n", names[i], part);
		EXPECT_LT(0.02, part);
	}
}

/*
 * Three tasks write x: 1, 2 and 3 times, T0 once it has made the others. With what it
 * has learned SURW takes all 6! / 1! 2! 3! = 60 orders equally often, children that are
 * not made yet included. x is the only object that two tasks use.
 */
TEST(surw_learns_enough_to_take_all_orders_equally_often)
{
	enum { RUNS = 30000, KINDS = 60 };
	const struct sim_program p = { .name = "test", .reset = reset, .main = main_of_writers };
	struct sim_opts how = { .enabled = SIM_KERNEL, .unfair = true };
	const struct chess_explore_opts o = { .sz = sizeof(o), .seed = 2025 };
	void *state = chess_strategy_surw.new(&o);
	struct sim *s = sim_new(&p, &how);
	struct chess_executor exec = sim_executor(s);
	static uint64_t seen[RUNS];
	double sum = 0, want = (double)RUNS / KINDS;
	size_t i, end, kinds = 0;

	n_of[0] = 1;
	n_of[1] = 2;
	n_of[2] = 3;
	/* One more: the first one has nothing learned. */
	for (i = 0; i <= RUNS; i++) {
		struct chess_plan plan = { 0 };
		struct chess_run_result res;

		ASSERT_EQ(1, chess_strategy_surw.next(state, &plan));
		ASSERT_EQ(0, exec.run(exec.ctx, &plan, &res));
		if (i) {
			EXPECT_NE(CHESS_OBJECT_NONE, (int)plan.object_kind);
			EXPECT_EQ(6u, plan.weights[0]);
			seen[i - 1] = order;
		}
		ASSERT_EQ(0, chess_strategy_surw.report(state, &plan, res.record));
		chess_strategy_surw.done(state, &plan);
		exec.drop(exec.ctx, &res);
	}
	chess_strategy_surw.free(state);
	sim_free(s);
	qsort(seen, RUNS, sizeof(seen[0]), compare);
	for (i = 0; i < RUNS; i = end, kinds++) {
		for (end = i; end < RUNS && seen[end] == seen[i]; end++)
			;
		sum += (end - i - want) * (end - i - want) / want;
	}
	EXPECT_EQ((size_t)KINDS, kinds);
	printf("# chi-square %.1f\n", sum);
	/* 59 degrees of freedom; larger by chance once in a thousand times */
	EXPECT_GT(98.32, sum);
}

static void join_writers(void *arg)
{
	int task[2], i;

	(void)arg;
	for (i = 0; i < 2; i++)
		task[i] = sim_create(write_x, arg);
	for (i = 0; i < 2; i++)
		sim_join(task[i]);
}

/* T0 and each of the others use a task object, but their order there is always the same. */
TEST(surw_draws_no_task)
{
	const struct sim_program p = { .name = "test", .reset = reset, .main = join_writers };
	struct sim_opts how = { .enabled = SIM_KERNEL };
	const struct chess_explore_opts o = { .sz = sizeof(o), .seed = 7 };
	void *state = chess_strategy_surw.new(&o);
	struct sim *s = sim_new(&p, &how);
	struct chess_executor exec = sim_executor(s);
	int i;

	n_of[1] = 1;
	n_of[2] = 1;
	for (i = 0; i < 50; i++) {
		struct chess_plan plan = { 0 };
		struct chess_run_result res;

		ASSERT_EQ(1, chess_strategy_surw.next(state, &plan));
		EXPECT_EQ(i ? CHESS_OBJECT_ADDRESS : CHESS_OBJECT_NONE, (int)plan.object_kind);
		ASSERT_EQ(0, exec.run(exec.ctx, &plan, &res));
		ASSERT_EQ(0, chess_strategy_surw.report(state, &plan, res.record));
		chess_strategy_surw.done(state, &plan);
		exec.drop(exec.ctx, &res);
	}
	chess_strategy_surw.free(state);
	sim_free(s);
}

TEST(a_seed_reproduces_the_search_and_another_one_makes_another)
{
	static const char *const names[] = { "random", "pct", "pos", "surw" };
	struct chess_explore_opts o = { .max_runs = 200 };
	struct log l[3];
	size_t i, k, same;

	n_of[0] = n_of[1] = 3;
	n_of[2] = 2;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		o.strategy = names[i];
		for (k = 0; k < 3; k++) {
			o.seed = k == 2 ? 18 : 17;
			search(main_of_writers, o, &l[k]);
		}
		EXPECT_EQ(0, memcmp(l[0].hash, l[1].hash, 200 * sizeof(uint64_t)));
		for (k = 0, same = 0; k < 200; k++)
			same += l[0].hash[k] == l[2].hash[k];
		EXPECT_GT((size_t)50, same);
		EXPECT_LT((size_t)20, count_distinct(&l[0]));
		for (k = 0; k < 3; k++)
			log_clear(&l[k]);
	}
}

/* The loops end only when somebody else gets a turn. */
TEST(no_strategy_that_uses_chance_hangs_in_a_loop_of_yields)
{
	static const char *const names[] = { "random", "pct", "pos", "surw" };
	struct log l;
	size_t i;

	memset(n_of, 0, sizeof(n_of));
	for (i = 0; i < 2 * ARRAY_SIZE(names); i++) {
		search(i % 2 ? main_of_waiters : main_of_spinners,
		       (struct chess_explore_opts) { .strategy = names[i / 2], .max_runs = 500 },
		       &l);
		EXPECT_EQ((uint64_t)500, l.res.runs);
		EXPECT_EQ(0u, l.res.bugs);
		EXPECT_GT((size_t)2000, l.res.max_points);
		log_clear(&l);
	}
}

/* --- limits and verdicts ------------------------------------------------- */

TEST(strategies_that_never_end_stop_by_themselves_incomplete)
{
	static const struct { const char *name; uint64_t runs; } all[] = {
		{ "random", 10000 }, { "pct", 10000 }, { "pos", 10000 }, { "surw", 10000 },
		{ "rr", 100 },
	};
	struct log l;
	size_t i;

	n_of[0] = n_of[1] = 1;
	n_of[2] = 0;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		search(main_of_writers, (struct chess_explore_opts) { .strategy = all[i].name },
		       &l);
		EXPECT_EQ(all[i].runs, l.res.runs);
		EXPECT_FALSE(l.res.complete);
		EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)l.res.verdict);
		EXPECT_TRUE(l.res.estimate == 0);
		EXPECT_FALSE(chess_strategy_is_exhaustive(all[i].name));
		EXPECT_EQ(NULL, (void *)chess_strategy_counts(all[i].name));
		log_clear(&l);
	}
}

/* Something from outside: one more point in each run from the third on. */
static int runs_so_far;

static void main_of_unsteady(void *arg)
{
	(void)arg;
	sim_store(&x[0], 1);
	if (++runs_so_far >= 3)
		sim_store(&x[1], 1);
	sim_store(&x[2], 1);
}

TEST(rr_says_diverged_where_runs_differ)
{
	struct log l;

	runs_so_far = 0;
	search(main_of_unsteady, (struct chess_explore_opts) { .strategy = "rr", .max_runs = 10 },
	       &l);
	EXPECT_EQ(CHESS_VERDICT_DIVERGED, (int)l.res.verdict);
	EXPECT_EQ((uint64_t)3, l.res.runs);
	EXPECT_EQ((uint64_t)0, l.res.retries);
	EXPECT_EQ((uint64_t)1, l.res.diverged);
	EXPECT_NE(NULL, (void *)strstr(l.res.why, "run 3 "));
	EXPECT_NE(NULL, (void *)strstr(l.res.why, "event 2"));
	log_clear(&l);
}

TEST(depth_that_no_plan_can_hold_is_refused)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .strategy = "pct",
					.depth = CHESS_MAX_CHANGES + 2 };
	struct chess_executor none = { 0 };
	struct chess_explore_result res;

	EXPECT_EQ(-EINVAL, chess_explore(&none, &o, &res));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "too deep"));
}

TEST(names_of_all_strategies_are_told)
{
	EXPECT_STREQ("icb, dfs, random, pct, pos, surw, delay, rr, hold, maple, rff, prelude, auto, turns", chess_strategies());
	EXPECT_STREQ("preemption", chess_strategy_counts(NULL));
	EXPECT_STREQ("delay", chess_strategy_counts("delay"));
	EXPECT_EQ(NULL, (void *)chess_strategy_counts("dfs"));
	EXPECT_TRUE(chess_strategy_is_exhaustive("dfs"));
}

TEST_HARNESS_MAIN
