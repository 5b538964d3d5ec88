// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a search that goes by states loses none: on random programs it is held against
 * the search of every schedule, which sim_random_test.c holds against an enumeration. It has
 * to be in the same states, and to end in the same states in the same way.
 *
 * COUNT=n tries n programs instead of 60; SEED=n begins with that seed. A failure names its
 * seed and prints the program.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "mix.h"
#include "numbers.h"
#include "programs/programs.h"
#include "search.h"
#include "sim_random.h"
#include "record/decision.h"
#include "../harness.h"

#define COUNT		60
#define MAX_RUNS	5000	/* of every schedule; programs that have more are left out */
#define LOOP_RUNS	500000	/* of those with loops none is */

static const struct {
	const char *strategy;
	unsigned int bound;	/* the highest */
} strategies[] = { { "icb", 3 }, { "delay", 3 }, { "dfs", 0 } };

/* How runs are made. */
static const struct way {
	const char *name;
	enum sim_enabled enabled;
	int fair_k;		/* 0: not fair */
	unsigned int depth;	/* runs end there; 0: nowhere */
} ways[] = {
	{ "blocking", SIM_KERNEL, 0, 0 }, { "blocking, fair", SIM_KERNEL, 1, 0 },
	{ "blocking, every second yield", SIM_KERNEL, 2, 0 },
	{ "as in CHESS, not fair", SIM_CHESS, 0, 0 }, { "as in CHESS", SIM_CHESS, 1, 0 },
	{ "as in CHESS, cut", SIM_CHESS, 0, 7 },
};

/* What a search saw. */
struct seen {
	struct chess_executor x;
	struct numbers states, ends;
	uint64_t runs, max_runs;
	bool complete;
	char why[200];
};

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct seen *seen = ctx;
	int ret = seen->x.run(seen->x.ctx, plan, out);
	uint64_t state = 0, last = 0;
	size_t i, n = 0;

	for (i = 0; !ret && i < chess_record_length(out->record); i++) {
		const struct chess_event *e = chess_record_event(out->record, i);

		if (!chess_event_decides(e))
			continue;
		EXPECT_TRUE(chess_record_state(out->record, n++, &state));
		state = chess_mix(state, e->enabled);
		numbers_at(&seen->states, state, 0);
		last = chess_mix(state, e->chosen);
	}
	EXPECT_FALSE(chess_record_state(out->record, n, &state));
	/* How the step from the last state ends is a matter of that state. */
	numbers_at(&seen->ends, chess_mix(last, out->verdict) + out->bad_task, 0);
	return ret;
}

static void drop(void *ctx, struct chess_run_result *res)
{
	struct seen *seen = ctx;

	seen->x.drop(seen->x.ctx, res);
}

static void look_at(const struct sim_program *p, const char *strategy, unsigned int reduce,
		    const struct way *way, unsigned int bound, struct seen *seen)
{
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = strategy, .bound = bound, .keep_going = true,
		.reduce = reduce, .max_runs = seen->max_runs,
	};
	struct sim_opts how = {
		.enabled = way->enabled, .unfair = !way->fair_k, .fair_k = way->fair_k,
		.max_points = way->depth, .cut_is_end = way->depth,
	};
	struct chess_executor x = { .run = run, .ctx = seen, .drop = drop };
	struct sim *s = sim_new(p, &how);
	struct chess_explore_result res;

	seen->x = sim_executor(s);
	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	seen->complete = res.complete;
	seen->runs = res.runs;
	snprintf(seen->why, sizeof(seen->why), "%s", res.why ? res.why : "");
	chess_explore_result_clear(&res);
	sim_free(s);
}

static bool check(const struct random_program *p, const char *strategy, const struct way *way,
		  unsigned int bound, uint64_t *all, uint64_t *less)
{
	struct seen full = { .max_runs = MAX_RUNS }, seen = full;
	bool ok = true;

	look_at(random_sim(p), strategy, 0, way, bound, &full);
	look_at(random_sim(p), strategy, CHESS_REDUCE_STATE, way, bound, &seen);
	if (full.complete) {
		ok = seen.complete && numbers_same(&full.states, &seen.states) &&
		     numbers_same(&full.ends, &seen.ends) && seen.runs <= full.runs;
		*all += full.runs;
		*less += seen.runs;
	}
	if (!ok) {
		printf("# %s at bound %u, %s: %zu of %zu states, %zu of %zu ends in %lu of %lu runs; %s %s\n",
		       strategy, bound, way->name, seen.states.n, full.states.n, seen.ends.n,
		       full.ends.n, (unsigned long)seen.runs, (unsigned long)full.runs,
		       seen.complete ? "complete" : "not complete", seen.why);
		random_print(p, stdout);
	}
	numbers_free(&full.states);
	numbers_free(&full.ends);
	numbers_free(&seen.states);
	numbers_free(&seen.ends);
	return ok;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

static void check_all(size_t strategy, const struct way *way)
{
	uint64_t i, n = number("COUNT", COUNT), first = number("SEED", 1), all = 0, less = 0;
	struct random_program p;
	unsigned int bound;

	for (i = 0; i < n; i++) {
		random_make(&p, first + i);
		for (bound = 0; bound <= strategies[strategy].bound; bound++)
			ASSERT_TRUE(check(&p, strategies[strategy].strategy, way, bound, &all,
					  &less));
	}
	printf("# %s, %s: %lu runs instead of %lu\n", strategies[strategy].strategy, way->name,
	       (unsigned long)less, (unsigned long)all);
	EXPECT_LT(less, all);
}

TEST_TIMEOUT(no_state_and_no_end_is_lost, 3600)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(strategies); i++)
		for (k = 0; k < ARRAY_SIZE(ways); k++)
			check_all(i, &ways[k]);
}

/* Programs with loops: where a task is does not say how often it yielded, or took a point. */
TEST_TIMEOUT(no_state_is_lost_in_loops, 600)
{
	static const struct {
		const struct sim_program *program;
		struct way way;
	} searches[] = {
		{ &philosophers2, { "fair", SIM_CHESS, 1, 0 } },
		{ &philosophers2, { "every second yield", SIM_CHESS, 2, 0 } },
		{ &philosophers2, { "every third yield", SIM_CHESS, 3, 0 } },
		{ &philosophers3, { "cut", SIM_CHESS, 0, 14 } },
		{ &stealing1, { "cut", SIM_CHESS, 0, 16 } },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(searches); i++) {
		struct seen full = { .max_runs = LOOP_RUNS }, seen = full;

		look_at(searches[i].program, "dfs", 0, &searches[i].way, 0, &full);
		look_at(searches[i].program, "dfs", CHESS_REDUCE_STATE, &searches[i].way, 0, &seen);
		printf("# %s, %s: %lu runs instead of %lu, %zu states\n",
		       searches[i].program->name, searches[i].way.name, (unsigned long)seen.runs,
		       (unsigned long)full.runs, seen.states.n);
		EXPECT_TRUE(full.complete && seen.complete);
		EXPECT_TRUE(numbers_same(&full.states, &seen.states));
		EXPECT_TRUE(numbers_same(&full.ends, &seen.ends));
		numbers_free(&full.states);
		numbers_free(&full.ends);
		numbers_free(&seen.states);
		numbers_free(&seen.ends);
	}
}

/* Two who give way to each other for ever, if they want to: one free choice in each round. */
static struct sim_var polite[2];
static int line[2];

static void reset_polite(void)
{
	memset(polite, 0, sizeof(polite));
	memset(line, 0, sizeof(line));
}

static void gives_way(void *arg)
{
	long me = (long)arg;

	for (;;) {
		line[me] = 1;
		sim_store(&polite[me], 1);
		line[me] = 2;
		if (!sim_load(&polite[!me]))
			break;
		line[me] = 3;
		sim_store(&polite[me], 0);
		line[me] = 4;
		sim_yield();
	}
	line[me] = 5;
	sim_store(&polite[me], 0);
	line[me] = 6;
}

static void polite_main(void *arg)
{
	(void)arg;
	sim_create(gives_way, (void *)1);
	gives_way((void *)0);
}

static uint64_t polite_state(void)
{
	return digest_bytes(digest_bytes(DIGEST_START, polite, sizeof(polite)), line, sizeof(line));
}

/* No run goes round for ever, so it must not be "ok". */
TEST(a_way_back_under_fairness_is_no_ok)
{
	static const struct sim_program p = {
		.name = "polite", .reset = reset_polite, .main = polite_main,
		.state = polite_state,
	};
	struct search s = {
		.program = &p, .opts = { .enabled = SIM_KERNEL, .max_points = 2000 },
		.explore = { .strategy = "dfs", .reduce = CHESS_REDUCE_STATE },
	};

	search_run(&s);
	EXPECT_FALSE(s.result.complete);
	EXPECT_TRUE(s.result.verdict == CHESS_VERDICT_INCOMPLETE);
	EXPECT_TRUE(s.result.why && strstr(s.result.why, "livelock"));
	search_free(&s);
}

/* The last writer is not part of the state, and decides where T0 goes. */
static struct sim_var door;
static int last;

static void reset_hidden(void)
{
	door.value = 0;
	last = 0;
}

static void writes(void *arg)
{
	sim_add(&door, 0);
	last = (long)arg;
}

static void hidden_main(void *arg)
{
	int a = sim_create(writes, (void *)1), b = sim_create(writes, (void *)2);

	(void)arg;
	sim_join(a);
	sim_join(b);
	if (last == 1)
		sim_load(&door);
	sim_add(&door, 0);
}

static uint64_t nothing(void)
{
	return 1;
}

TEST(a_state_that_is_not_all_is_noticed)
{
	static const struct sim_program p = {
		.name = "hidden", .reset = reset_hidden, .main = hidden_main, .state = nothing,
	};
	struct search s = {
		.program = &p, .opts = { .enabled = SIM_KERNEL },
		.explore = { .strategy = "dfs", .reduce = CHESS_REDUCE_STATE },
	};

	search_run(&s);
	EXPECT_TRUE(s.result.verdict == CHESS_VERDICT_INCOMPLETE);
	EXPECT_TRUE(s.result.why && strstr(s.result.why, "the reported state is not complete"));
	EXPECT_LT(0UL, s.result.left_out[CHESS_LEFT_OUT_UNSOUND]);
	search_free(&s);
}

TEST(who_tells_no_states_is_refused)
{
	static const struct sim_program p = {
		.name = "mute", .reset = reset_hidden, .main = hidden_main,
	};
	struct sim_opts how = { .enabled = SIM_KERNEL };
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "dfs", .reduce = CHESS_REDUCE_STATE,
	};
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);
	struct chess_explore_result res;

	EXPECT_EQ(-EINVAL, chess_explore(&x, &o, &res));
	EXPECT_TRUE(strstr(chess_error(), "does not report the program's states"));
	sim_free(s);
}

TEST(states_go_alone)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .reduce = CHESS_REDUCE_STATE };

	EXPECT_EQ(0, chess_explore_check(&o));
	o.reduce |= CHESS_REDUCE_HB;
	EXPECT_EQ(-EINVAL, chess_explore_check(&o));
	o.reduce = CHESS_REDUCE_STATE;
	o.strategy = "pct";
	EXPECT_EQ(-EINVAL, chess_explore_check(&o));
}

TEST_HARNESS_MAIN
