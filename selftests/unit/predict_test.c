// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs that are not made, as it is known what they would do. Of random programs each such run is
 * made all the same and compared event by event; of programs whose orders were counted by hand,
 * each order is run once. What a search finds with predictions reduce_test and sim_bugs_test hold
 * against plain enumeration.
 *
 * COUNT=n tries n random programs instead of 200; SEED=n begins with that seed.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "search.h"
#include "search/predict.h"
#include "sim_random.h"
#include "../harness.h"

#define COUNT	200

static struct sim_var var[4];
static struct sim_mutex lock;
static int hidden;

static void reset(void)
{
	memset(var, 0, sizeof(var));
	memset(&lock, 0, sizeof(lock));
	hidden = 0;
}

static void reads_and_writes(void *arg)
{
	(void)arg;
	sim_store(&var[0], sim_load(&var[0]) + 1);
}

static void make(int n, void (*body)(void *arg))
{
	int task[4], i;

	for (i = 0; i < n; i++)
		task[i] = sim_create(body, (void *)(long)i);
	for (i = 0; i < n; i++)
		sim_join(task[i]);
}

static void three_add(void *arg)
{
	(void)arg;
	make(3, reads_and_writes);
}

static void takes(void *arg)
{
	(void)arg;
	sim_lock(&lock);
	sim_unlock(&lock);
}

static void four_take(void *arg)
{
	(void)arg;
	make(4, takes);
}

static void yields_first(void *arg)
{
	sim_yield();
	three_add(arg);
}

static void search_it(void (*body)(void *arg), const char *strategy, unsigned int bound,
		      struct search *s)
{
	static struct sim_program p;

	p = (struct sim_program){ .name = "predict", .reset = reset, .main = body };
	*s = (struct search){
		.program = &p, .opts = { .enabled = SIM_KERNEL },
		.explore = {
			.strategy = strategy, .bound = bound, .reduce = CHESS_REDUCE_DPOR,
			.max_runs = 100000,
		},
	};
	search_run(s);
}

/*
 * Three tasks read and write one word: 6! / (2! 2! 2!) = 90 interleavings, in which only the order
 * of two reads that come one after another does not matter. GenMC's test inc has three such tasks:
 * 36 orders, of which 6, 24 and 36 need at most 0, 1 and 2 preemptions. Four that take a mutex can
 * do so in 4! = 24 orders, and none of them needs a preemption; with one, 456 schedules lead to
 * these. That each of the four waits while another one has the mutex, and that each wakes each of
 * the three others, has to be seen once: 16 runs. One run in sixteen may be one that was predicted.
 */
TEST(each_order_is_run_once)
{
	static const struct {
		void (*body)(void *arg);
		const char *strategy;
		unsigned int bound;
		uint64_t orders, waits;
	} of[] = {
		{ three_add, "icb", 0, 6, 0 }, { three_add, "icb", 1, 24, 0 },
		{ three_add, "icb", 2, 36, 0 }, { three_add, "dfs", 0, 36, 0 },
		{ four_take, "icb", 0, 24, 0 }, { four_take, "icb", 1, 24, 16 },
		{ four_take, "dfs", 0, 24, 0 },
	};
	uint64_t most;
	struct search s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(of); i++) {
		search_it(of[i].body, of[i].strategy, of[i].bound, &s);
		TH_LOG("%s within %u: %lu runs, %lu predicted", of[i].strategy, of[i].bound,
		       (unsigned long)s.result.runs, (unsigned long)s.result.predicted);
		EXPECT_TRUE(s.result.complete);
		EXPECT_EQ(of[i].orders, s.classes.n);
		most = of[i].orders + of[i].waits;
		EXPECT_LE(s.result.runs, most + most / 15);
		search_free(&s);
	}
}

TEST(nothing_is_predicted_once_a_task_has_yielded)
{
	struct search s;

	search_it(yields_first, "icb", 2, &s);
	EXPECT_TRUE(s.result.complete);
	EXPECT_EQ((uint64_t)0, s.result.predicted);
	EXPECT_LT((uint64_t)36, s.result.runs);
	search_free(&s);
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Return: so many runs were predicted. */
static uint64_t compare(const struct random_program *p, const struct random_way *way,
			const char *strategy, unsigned int bound)
{
	struct search s[2];
	uint64_t n;
	int i;

	for (i = 0; i < 2; i++) {
		s[i] = (struct search){
			.program = random_sim(p),
			.opts = {
				.enabled = way->enabled, .unfair = !way->fair_k,
				.fair_k = way->fair_k,
			},
			.explore = {
				.strategy = strategy, .bound = bound, .keep_going = true,
				.reduce = CHESS_REDUCE_DPOR, .check_predicted = i,
				.max_runs = 20000,
			},
		};
		search_run(&s[i]);
	}
	n = s[0].result.predicted;
	EXPECT_EQ((uint64_t)0, s[1].result.left_out[CHESS_LEFT_OUT_UNSOUND]);
	if (s[0].result.complete && s[1].result.complete) {
		/* The same schedules, in the same order. */
		EXPECT_EQ(s[1].result.runs, s[0].result.runs + n);
		EXPECT_TRUE(numbers_same(&s[0].classes, &s[1].classes));
		EXPECT_TRUE(numbers_same(&s[0].failed, &s[1].failed));
	}
	search_free(&s[0]);
	search_free(&s[1]);
	return n;
}

TEST_TIMEOUT(what_is_predicted_happens, 600)
{
	uint64_t i, n = number("COUNT", COUNT), first = number("SEED", 1), predicted = 0;
	struct random_program p;
	size_t way;
	unsigned int bound;

	for (i = 0; i < n; i++) {
		random_make_small(&p, first + i);
		/* The others are of tasks that are not chosen where they would wait. */
		for (way = 0; way < 3; way++) {
			for (bound = 0; bound <= 2; bound++)
				predicted += compare(&p, &random_ways[way], "icb", bound);
			predicted += compare(&p, &random_ways[way], "dfs", 0);
			if (harness_result) {
				random_print(&p, stdout);
				return;
			}
		}
	}
	TH_LOG("%lu runs were predicted", (unsigned long)predicted);
	EXPECT_LT(10 * n, predicted);
}

/* The records of three_add() under no prefix; freed by the caller. */
static struct chess_record *record_once(void)
{
	const struct sim_program p = { .name = "predict", .reset = reset, .main = three_add };
	struct sim *sim = sim_new(&p, &(struct sim_opts){ .enabled = SIM_KERNEL });
	struct chess_executor x = sim_executor(sim);
	struct chess_plan plan = { .prefix = chess_schedule_new() };
	struct chess_run_result run = { 0 };
	struct chess_record *r = NULL;

	if (!x.run(x.ctx, &plan, &run))
		r = chess_record_cut(run.record, chess_record_length(run.record));
	x.drop(x.ctx, &run);
	chess_schedule_free(plan.prefix);
	sim_free(sim);
	return r;
}

/* The same record, but that the last read is another op. */
static struct chess_record *with_other_op(const struct chess_record *r)
{
	struct chess_record *other = chess_record_cut(r, 0);
	size_t i, length = chess_record_length(r), last = 0;

	for (i = 0; i < length; i++)
		if (chess_record_event(r, i)->op == CHESS_OP_READ)
			last = i;
	for (i = 0; i < length; i++) {
		struct chess_event e = *chess_record_event(r, i);

		if (i == last)
			e.op = CHESS_OP_SEM_POST;
		chess_record_push(other, &e, 1);
	}
	return other;
}

TEST(what_was_predicted_and_is_not_so_is_a_flaw)
{
	struct chess_predict *p = chess_predict_new(false);
	struct chess_plan plan = { .prefix = chess_schedule_new() };
	struct chess_record *r = record_once(), *other = with_other_op(r), *predicted;

	EXPECT_EQ(0, chess_predict_run(p, &plan, &predicted));
	EXPECT_EQ(0, chess_predict_learn(p, r));
	ASSERT_EQ(1, chess_predict_run(p, &plan, &predicted));
	EXPECT_EQ(SIZE_MAX, chess_record_compare(r, predicted));
	chess_predict_check(p, predicted, r);
	EXPECT_TRUE(!chess_predict_flaw(p));
	EXPECT_TRUE(chess_predict_knows(p, &plan));
	EXPECT_EQ(0, chess_predict_learn(p, other));
	EXPECT_TRUE(chess_predict_flaw(p));
	EXPECT_FALSE(chess_predict_knows(p, &plan));
	chess_record_free(predicted);
	chess_record_free(other);
	chess_record_free(r);
	chess_schedule_free(plan.prefix);
	chess_predict_free(p);
}

/* Nothing was left out on the strength of it yet. */
TEST(what_is_not_so_but_was_not_predicted_is_none)
{
	struct chess_predict *p = chess_predict_new(false);
	struct chess_plan plan = { .prefix = chess_schedule_new() };
	struct chess_record *r = record_once(), *other = with_other_op(r);

	EXPECT_EQ(0, chess_predict_learn(p, r));
	EXPECT_EQ(0, chess_predict_learn(p, other));
	EXPECT_TRUE(!chess_predict_flaw(p));
	EXPECT_FALSE(chess_predict_knows(p, &plan));
	chess_record_free(other);
	chess_record_free(r);
	chess_schedule_free(plan.prefix);
	chess_predict_free(p);
}

/* Which one comes second to its last step no point tells. */
static void looks_there(void *arg)
{
	long i = (long)arg;

	sim_store(&var[0], sim_load(&var[0]) + 1);
	sim_store(&var[1 + i], 1);
	if (hidden++ == 1)
		sim_load(&var[1 + i]);
}

static void hides(void *arg)
{
	(void)arg;
	make(3, looks_there);
}

TEST(a_program_that_hides_what_it_shares_is_not_ok)
{
	struct search s;

	/* Runs by chance show it. */
	search_it(hides, "turns", 2, &s);
	EXPECT_LT((uint64_t)0, s.result.predicted);
	EXPECT_FALSE(s.result.complete);
	EXPECT_LT((uint64_t)0, s.result.left_out[CHESS_LEFT_OUT_UNSOUND]);
	search_free(&s);
}

TEST_HARNESS_MAIN
