// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves on random programs with processes, pipes, signals, time-outs and timers (sim_mixed.h) that
 * searches find what there is: all that can come of a program within the bound of the search, and
 * nothing else, as a plain enumeration has it that shares no code with the engine. What comes of a
 * run says in which order the ops on each object were, so this holds for deadlocks and failures,
 * and for classes of schedules.
 *
 * COUNT=n tries n programs instead of 60; SEED=n begins with that seed. A failure names its seed
 * and prints the program.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sim_mixed.h"
#include "hashset.h"
#include "record/hb.h"
#include "../harness.h"

#define COUNT		60
#define SCHEDULES	3000	/* at most, of a program */
#define TIMEOUT		7200	/* for a large COUNT */

#define HB	CHESS_REDUCE_HB
#define SLEEP	CHESS_REDUCE_SLEEP
#define YIELD	CHESS_REDUCE_YIELD
#define DPOR	CHESS_REDUCE_DPOR

/* How runs are made: which yields count for fairness; 0: nothing is fair. */
static const int ways[] = { 1, 0, 2 };

/* Claims: within its bound all that there is, and nothing else; dfs has none. */
static const struct claim {
	const char *strategy;
	bool bounded;
	unsigned int reduce;
} claims[] = {
	{ "icb", true, 0 }, { "icb", true, HB }, { "icb", true, SLEEP }, { "icb", true, HB | SLEEP },
	{ "icb", true, HB | YIELD }, { "icb", true, HB | SLEEP | YIELD }, { "icb", true, DPOR },
	{ "dfs", false, 0 }, { "dfs", false, HB }, { "dfs", false, SLEEP },
	{ "dfs", false, HB | SLEEP }, { "dfs", false, HB | SLEEP | YIELD }, { "dfs", false, DPOR },
	{ "turns", true, DPOR },
};

/* What a claim came to, over all programs. */
static struct total {
	uint64_t runs, classes, schedules, searches, unsure;
} total[ARRAY_SIZE(claims)];

/* What a search saw. */
struct seen {
	struct chess_executor x;
	struct mixed_outcomes *there;
	struct chess_hashset classes;
	unsigned int unknown;
	uint64_t runs;
	char why[200];
};

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct seen *seen = ctx;
	int ret = seen->x.run(seen->x.ctx, plan, out);
	uint64_t number, class;
	size_t i;

	if (ret)
		return ret;
	seen->runs++;
	number = mixed_outcome(out->verdict == CHESS_VERDICT_ASSERT,
			       out->verdict == CHESS_VERDICT_DEADLOCK, out->bad_task);
	for (i = 0; i < seen->there->n && seen->there->outcome[i].number != number; i++)
		;
	if (i < seen->there->n)
		seen->there->outcome[i].seen++;
	else
		seen->unknown++;
	ASSERT_EQ(0, chess_hb_digest(out->record, &class));
	ASSERT_LE(0, chess_hashset_add(&seen->classes, class));
	return 0;
}

static void drop(void *ctx, struct chess_run_result *res)
{
	struct seen *seen = ctx;

	seen->x.drop(seen->x.ctx, res);
}

/* Return: is the search complete? */
static bool search(const struct mixed_program *p, int fair_k, const struct claim *c,
		   unsigned int bound, struct seen *seen)
{
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = c->strategy, .bound = bound, .reduce = c->reduce,
		.keep_going = true,
	};
	struct sim_opts how = { .unfair = !fair_k, .fair_k = fair_k };
	struct chess_executor x = { .run = run, .ctx = seen, .drop = drop };
	struct sim *s = sim_new(mixed_sim(p), &how);
	struct chess_explore_result res;
	bool complete = false;
	size_t i;

	for (i = 0; i < seen->there->n; i++)
		seen->there->outcome[i].seen = 0;
	seen->x = sim_executor(s);
	if (!chess_explore(&x, &o, &res)) {
		complete = res.complete;
		snprintf(seen->why, sizeof(seen->why), "%s", res.why ? res.why : "");
		chess_explore_result_clear(&res);
	}
	sim_free(s);
	return complete;
}

static bool finds(const struct mixed_program *p, int fair_k, struct mixed_outcomes *there,
		  size_t claim, unsigned int bound)
{
	const struct claim *c = &claims[claim];
	struct seen seen = { .there = there };
	bool complete = search(p, fair_k, c, bound, &seen), ok = !seen.unknown;
	uint64_t schedules = c->bounded ? there->within[bound] : there->schedules;
	size_t i;

	/* A search that has its doubts says so. */
	total[claim].unsure += !complete;
	ok = ok && (complete || c->reduce);
	/* Without a reduction each schedule is run, and once. */
	ok = ok && (c->reduce || seen.runs == schedules);
	for (i = 0; i < there->n && complete; i++) {
		bool claimed = !c->bounded || there->outcome[i].preemptions <= bound;

		ok = ok && (there->outcome[i].seen || !claimed);
		/* The default makes runs by chance, too. */
		ok = ok && (!there->outcome[i].seen || claimed || !strcmp(c->strategy, "turns"));
	}
	total[claim].searches++;
	total[claim].runs += seen.runs;
	total[claim].classes += chess_hashset_count(&seen.classes);
	total[claim].schedules += schedules;
	if (!ok) {
		printf("# %s, reductions %#x, bound %u, fairness %d: %lu runs of %lu schedules, %u runs ended as none can; %scomplete %s\n",
		       c->strategy, c->reduce, bound, fair_k, (unsigned long)seen.runs,
		       (unsigned long)schedules, seen.unknown, complete ? "" : "not ", seen.why);
		for (i = 0; i < there->n; i++)
			printf("# %016lx: %u preemptions; in %u runs\n",
			       (unsigned long)there->outcome[i].number,
			       there->outcome[i].preemptions, there->outcome[i].seen);
		mixed_print(p, stdout);
	}
	chess_hashset_clear(&seen.classes);
	return ok;
}

static bool holds(const struct mixed_program *p, int fair_k, struct mixed_outcomes *there,
		  size_t claim)
{
	unsigned int bound, last = claims[claim].bounded ? MIXED_BOUND : 0;
	bool ok = true;

	for (bound = 0; bound <= last; bound++)
		ok = ok && finds(p, fair_k, there, claim, bound);
	return ok;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Program number @n: the first of its seeds that is small enough in each way to run it. */
static void choose(struct mixed_program *p, struct mixed_outcomes *there, uint64_t n)
{
	uint64_t try;
	size_t i;

	for (try = 0;; try++) {
		mixed_make(p, (n << 24) * 5 + 5 * try + n % 5);
		for (i = 0; i < ARRAY_SIZE(ways); i++)
			if (!mixed_count(p, ways[i], SCHEDULES, &there[i]))
				break;
		if (i == ARRAY_SIZE(ways) && there[0].n > 1)
			return;
	}
}

static void print_totals(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(claims); i++)
		printf("# %s, reductions %#x: %lu searches, %lu runs of %lu schedules, %lu classes; %lu searches not complete\n",
		       claims[i].strategy, claims[i].reduce, (unsigned long)total[i].searches,
		       (unsigned long)total[i].runs, (unsigned long)total[i].schedules,
		       (unsigned long)total[i].classes, (unsigned long)total[i].unsure);
}

TEST_TIMEOUT(searches_find_what_brute_force_finds, TIMEOUT)
{
	static struct mixed_outcomes there[ARRAY_SIZE(ways)];
	uint64_t n, count = number("COUNT", COUNT), first = number("SEED", 1);
	uint64_t features[6] = { 0 }, tasks[MIXED_TASKS + 1] = { 0 }, failed = 0;
	struct mixed_program p;
	size_t i, k;

	for (n = first; n < first + count; n++) {
		bool ok = true;

		choose(&p, there, n);
		for (i = 0; i < ARRAY_SIZE(features); i++)
			features[i] += p.has >> i & 1;
		tasks[p.tasks]++;
		for (i = 0; i < ARRAY_SIZE(ways); i++)
			for (k = 0; k < ARRAY_SIZE(claims); k++)
				ok = ok && holds(&p, ways[i], &there[i], k);
		failed += !ok;
		EXPECT_TRUE(ok);
	}
	printf("# %lu programs, %lu not as claimed; of 2 tasks %lu, 3 %lu, 4 %lu; with processes %lu, pipes %lu, signals %lu, time-outs %lu, timers %lu, ends without a point %lu\n",
	       (unsigned long)count, (unsigned long)failed, (unsigned long)tasks[2],
	       (unsigned long)tasks[3], (unsigned long)tasks[4], (unsigned long)features[0],
	       (unsigned long)features[1], (unsigned long)features[2],
	       (unsigned long)features[3], (unsigned long)features[4],
	       (unsigned long)features[5]);
	print_totals();
	/* Else it would prove nothing. */
	for (i = 0; count >= COUNT && i < ARRAY_SIZE(features); i++)
		EXPECT_LT(count / 10, features[i]);
	for (k = 0; k < ARRAY_SIZE(claims); k++)
		EXPECT_LE(total[k].unsure, total[k].searches / 10);
}

TEST_HARNESS_MAIN
