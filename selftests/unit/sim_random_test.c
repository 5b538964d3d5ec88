// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves on random programs that the search finds what there is: held against a plain
 * enumeration of all schedules, each strategy reaches the verdicts it claims to reach
 * within its bound, and those that run every schedule run as many as there are.
 *
 * COUNT=n tries n programs instead of 500; SEED=n begins with that seed. A failure
 * names its seed and prints the program.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sim_random.h"
#include "../harness.h"

#define BOUND	2
#define COUNT	500

/**
 * enum claim - what a strategy promises of a bounded space
 * @EXACT: each schedule once
 * @VERDICTS: each verdict that can be reached
 */
enum claim { EXACT, VERDICTS };

/* A new strategy or reduction is a new row. */
static const struct strategy {
	const char *name;
	enum claim claim;
	unsigned int reduce;
} strategies[] = {
	{ "icb", EXACT, 0 },
	{ "icb", VERDICTS, CHESS_REDUCE_HB },
	{ "icb", VERDICTS, CHESS_REDUCE_SLEEP },
	{ "icb", VERDICTS, CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP },
	{ "icb", VERDICTS, CHESS_REDUCE_STATE },
	{ "icb", VERDICTS, CHESS_REDUCE_DPOR },
};

/* What a search saw. */
struct seen {
	struct chess_executor x;
	struct random_count count;
	bool unknown;		/* a verdict that cannot be */
	uint64_t left_out;	/* runs in which somebody had to let others go first */
};

static bool has_event(const struct chess_record *r, enum chess_event_type type)
{
	size_t i;

	for (i = 0; i < chess_record_length(r); i++)
		if (chess_record_event(r, i)->type == type)
			return true;
	return false;
}

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct seen *seen = ctx;
	int ret = seen->x.run(seen->x.ctx, plan, out);
	size_t cost = ret ? 0 : chess_record_preemptions(out->record);
	enum random_verdict v = RANDOM_OK;

	if (out->verdict == CHESS_VERDICT_DEADLOCK)
		v = RANDOM_DEADLOCK;
	else if (out->verdict == CHESS_VERDICT_ASSERT)
		v = RANDOM_ASSERT;
	else
		seen->unknown |= out->verdict != CHESS_VERDICT_OK;
	if (cost > RANDOM_BOUND)
		seen->unknown = true;
	else
		seen->count.runs[cost][v]++;
	seen->left_out += !ret && has_event(out->record, CHESS_EVENT_FAIR);
	return ret;
}

static void drop(void *ctx, struct chess_run_result *res)
{
	struct seen *seen = ctx;

	seen->x.drop(seen->x.ctx, res);
}

static bool search(const struct random_program *p, const struct strategy *strategy,
		   const struct random_way *way, unsigned int bound, struct seen *seen)
{
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = strategy->name, .bound = bound, .keep_going = true,
		.reduce = strategy->reduce,
	};
	struct sim_opts how = {
		.enabled = way->enabled, .unfair = !way->fair_k, .fair_k = way->fair_k,
		.wake_any = way->wake_any,
	};
	struct chess_executor x = { .run = run, .ctx = seen, .drop = drop };
	struct sim *s = sim_new(random_sim(p), &how);
	struct chess_explore_result res;
	bool complete = false;

	memset(seen, 0, sizeof(*seen));
	seen->x = sim_executor(s);
	if (!chess_explore(&x, &o, &res)) {
		complete = res.complete;
		chess_explore_result_clear(&res);
	}
	sim_free(s);
	return complete && !seen->unknown;
}

/* Does what @seen holds agree with @count, of all schedules, up to @bound? */
static bool agrees(enum claim claim, const struct random_count *count,
		   const struct random_count *seen, unsigned int bound)
{
	unsigned int cost, v;

	if (claim == EXACT)
		return !memcmp(count->runs, seen->runs, sizeof(count->runs[0]) * (bound + 1));
	for (v = 0; v < __RANDOM_VERDICTS; v++) {
		bool want = false, have = false;

		for (cost = 0; cost <= bound; cost++) {
			want |= count->runs[cost][v];
			have |= seen->runs[cost][v];
		}
		if (want != have)
			return false;
	}
	return true;
}

static void print_counts(const char *who, const struct random_count *c, unsigned int bound)
{
	unsigned int i;

	for (i = 0; i <= bound; i++)
		printf("# %s: %u preemptions: %lu ok, %lu deadlock, %lu assert\n", who, i,
		       (unsigned long)c->runs[i][RANDOM_OK],
		       (unsigned long)c->runs[i][RANDOM_DEADLOCK],
		       (unsigned long)c->runs[i][RANDOM_ASSERT]);
}

static bool check(const struct random_program *p, const struct strategy *strategy,
		  const struct random_way *way, const struct random_count *count,
		  uint64_t *left_out)
{
	unsigned int bound;
	struct seen seen;

	for (bound = 0; bound <= BOUND; bound++) {
		bool complete = search(p, strategy, way, bound, &seen);

		*left_out += seen.left_out;
		if (complete && agrees(strategy->claim, count, &seen.count, bound))
			continue;
		printf("# %s at bound %u, %s: %s\n", strategy->name, bound, way->name,
		       complete ? "other runs than there are" : "not complete");
		random_print(p, stdout);
		print_counts("all", count, bound);
		print_counts("run", &seen.count, bound);
		return false;
	}
	return true;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Return: how many schedules there are. */
static uint64_t check_all(const struct strategy *strategy, const struct random_way *way)
{
	uint64_t i, n = number("COUNT", COUNT), first = number("SEED", 1);
	uint64_t deadlocks = 0, asserts = 0, runs = 0, left_out = 0;
	struct random_count count;
	struct random_program p;
	unsigned int cost;

	for (i = 0; i < n; i++) {
		bool deadlock = false, fails = false;

		random_make(&p, first + i);
		random_count(&p, way, BOUND, &count);
		if (!check(&p, strategy, way, &count, &left_out)) {
			EXPECT_TRUE(false);
			return 0;
		}
		for (cost = 0; cost <= BOUND; cost++) {
			deadlock |= count.runs[cost][RANDOM_DEADLOCK];
			fails |= count.runs[cost][RANDOM_ASSERT];
			runs += count.runs[cost][0] + count.runs[cost][1] + count.runs[cost][2];
		}
		deadlocks += deadlock;
		asserts += fails;
	}
	printf("# %s, %s: %lu programs, %lu schedules; %lu can deadlock, %lu can fail; %lu runs had priorities\n",
	       strategy->name, way->name, (unsigned long)n, (unsigned long)runs,
	       (unsigned long)deadlocks, (unsigned long)asserts, (unsigned long)left_out);
	/* Else it would prove nothing. */
	if (n >= COUNT) {
		EXPECT_LT(n / 10, deadlocks);
		EXPECT_LT(n / 10, asserts);
		EXPECT_LT(way->fair_k == 1 ? runs / 100 : 0, left_out + !way->fair_k);
	}
	return runs;
}

#define TIMEOUT	3600	/* for a large COUNT */

TEST_TIMEOUT(every_strategy_agrees_with_brute_force, TIMEOUT)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(strategies); i++)
		for (k = 0; k < RANDOM_WAYS; k++)
			if (random_goes_with(strategies[i].reduce, random_ways[k].enabled))
				check_all(&strategies[i], &random_ways[k]);
}

/* The same programs where it is a decision which task is woken: there are more schedules. */
TEST_TIMEOUT(so_it_does_where_waiters_are_woken_in_any_order, TIMEOUT)
{
	static const struct random_way ways[] = {
		{ "blocking, fair, woken in any order", SIM_KERNEL, 1, true },
		{ "blocking, woken in any order", SIM_KERNEL, 0, true },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		struct random_way fifo = ways[i];

		fifo.wake_any = false;
		EXPECT_LT(check_all(&strategies[0], &fifo), check_all(&strategies[0], &ways[i]));
	}
}

TEST_HARNESS_MAIN
