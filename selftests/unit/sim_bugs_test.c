// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves on random programs, small enough that all their schedules can be counted, that each
 * strategy with each reduction finds the deadlocks and the failed assertions that it claims
 * to find, and no others. What there is says brute force (sim_random_bugs.h), which shares no
 * code with the search. A deadlock is known by where each task is, a failure by its op.
 *
 * COUNT=n tries n programs instead of 500; SEED=n begins with that seed. A failure names its
 * seed and prints the program.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sim_random_bugs.h"
#include "record/decision.h"
#include "../harness.h"

#define COUNT		500
#define SCHEDULES	1000	/* at most, of a program */
#define BOUND		3	/* the highest */
#define TIMEOUT		3600	/* for a large COUNT */

/**
 * struct seen - what a search saw
 * @x: who makes its runs
 * @bugs: what brute force knows
 * @found: in how many runs each of them was
 * @unknown: runs that ended in another way than any that there is
 * @runs: how many were made
 * @look: called with each record; may be NULL
 * @arg: for @look
 */
struct seen {
	struct chess_executor x;
	struct random_bugs *bugs;
	unsigned int found[RANDOM_BUGS];
	unsigned int unknown;
	uint64_t runs;
	void (*look)(void *arg, const struct chess_record *r);
	void *arg;
};

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct seen *seen = ctx;
	int ret = seen->x.run(seen->x.ctx, plan, out);
	struct random_bug *b = NULL;

	if (ret)
		return ret;
	seen->runs++;
	if (seen->look)
		seen->look(seen->arg, out->record);
	if (out->verdict == CHESS_VERDICT_OK)
		return 0;
	if (out->verdict == CHESS_VERDICT_DEADLOCK)
		b = random_bug_find(seen->bugs, random_bug_key(RANDOM_DEADLOCK, 0, random_at()));
	else if (out->verdict == CHESS_VERDICT_ASSERT)
		b = random_bug_find(seen->bugs,
				    random_bug_key(RANDOM_ASSERT, out->bad_task, random_at()));
	if (b)
		seen->found[b - seen->bugs->bug]++;
	else
		seen->unknown++;
	return 0;
}

static void drop(void *ctx, struct chess_run_result *res)
{
	struct seen *seen = ctx;

	seen->x.drop(seen->x.ctx, res);
}

/* Return: is the search complete? */
static bool search(const struct random_program *p, const struct random_way *way,
		   struct chess_explore_opts o, struct seen *seen)
{
	struct sim_opts how = {
		.enabled = way->enabled, .unfair = !way->fair_k, .fair_k = way->fair_k,
	};
	struct chess_executor x = { .run = run, .ctx = seen, .drop = drop };
	struct sim *s = sim_new(random_sim(p), &how);
	struct chess_explore_result res;
	bool complete = false;

	o.sz = sizeof(o);
	o.keep_going = true;
	seen->x = sim_executor(s);
	if (!chess_explore(&x, &o, &res)) {
		complete = res.complete;
		chess_explore_result_clear(&res);
	}
	sim_free(s);
	return complete;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* A program and what there is to be found in it, in each way to run it. */
struct subject {
	struct random_program p;
	struct random_bugs bugs[RANDOM_WAYS];
};

/*
 * Program number @n: the first of its seeds that is small enough in each way. One of three has
 * three tasks; of four there is none so small.
 */
static void choose_subject(struct subject *s, uint64_t n)
{
	int tasks = 2 + (n % 3 == 0);
	uint64_t try;
	size_t i;

	for (try = 0;; try++) {
		random_make_small(&s->p, (n << 32) + try);
		if (s->p.tasks != tasks)
			continue;
		for (i = 0; i < RANDOM_WAYS; i++)
			if (!random_bugs(&s->p, random_ways[i].enabled,
					 random_ways[i].fair_k, SCHEDULES,
					 &s->bugs[i]))
				break;
		if (i == RANDOM_WAYS)
			return;
	}
}

static void print_bugs(const struct subject *s, const struct random_way *way,
		       const struct seen *seen)
{
	size_t i;

	random_print(&s->p, stdout);
	printf("# %s: %lu schedules, %lu runs, %u runs ended as none can\n", way->name,
	       (unsigned long)seen->bugs->schedules, (unsigned long)seen->runs, seen->unknown);
	for (i = 0; i < seen->bugs->n; i++)
		printf("# %016lx: %u preemptions, %u delays; in %u runs\n",
		       (unsigned long)seen->bugs->bug[i].key, seen->bugs->bug[i].preemptions,
		       seen->bugs->bug[i].delays, seen->found[i]);
}

enum { EVERYTHING, PREEMPTIONS, DELAYS };

#define HB	CHESS_REDUCE_HB
#define SLEEP	CHESS_REDUCE_SLEEP
#define YIELD	CHESS_REDUCE_YIELD
#define STATE	CHESS_REDUCE_STATE
#define DPOR	CHESS_REDUCE_DPOR

/* Claims: within its bound all bugs, and with it nothing else; dfs has none. */
static const struct claim {
	const char *strategy;
	int bound;
	unsigned int reduce[8];
	size_t n;
} claims[] = {
	{ "icb", PREEMPTIONS, { 0, HB, SLEEP, HB | SLEEP, HB | YIELD, HB | SLEEP | YIELD, STATE,
			DPOR }, 8 },
	{ "dfs", EVERYTHING, { 0, HB, SLEEP, HB | SLEEP, HB | YIELD, HB | SLEEP | YIELD, STATE,
			DPOR }, 8 },
	{ "delay", DELAYS, { 0, HB, HB | YIELD, STATE }, 4 },
};

static bool is_claimed(const struct claim *c, const struct random_bug *b, unsigned int bound)
{
	return c->bound == EVERYTHING ||
	       (c->bound == PREEMPTIONS ? b->preemptions : b->delays) <= bound;
}

static uint64_t schedules_within(const struct random_bugs *bugs, const struct claim *c,
				 unsigned int bound)
{
	const uint64_t *by = c->bound == DELAYS ? bugs->delayed : bugs->preempted;
	uint64_t n = 0;

	if (c->bound == EVERYTHING)
		return bugs->schedules;
	for (; bound < UINT_MAX; bound--)
		n += by[bound];
	return n;
}

static bool finds(const struct subject *s, size_t way, const struct claim *c, unsigned int reduce,
		  unsigned int bound, uint64_t *runs)
{
	struct seen seen = { .bugs = (struct random_bugs *)&s->bugs[way] };
	struct chess_explore_opts o = {
		.strategy = c->strategy, .bound = bound, .reduce = reduce,
	};
	bool ok = search(&s->p, &random_ways[way], o, &seen) && !seen.unknown;
	size_t i;

	/* Without a reduction each schedule is run, and once. */
	ok = ok && (reduce || seen.runs == schedules_within(seen.bugs, c, bound));
	for (i = 0; i < seen.bugs->n; i++)
		ok = ok && !!seen.found[i] == is_claimed(c, &seen.bugs->bug[i], bound);
	*runs += seen.runs;
	if (!ok) {
		printf("# %s, reductions %#x, bound %u:\n", c->strategy, reduce, bound);
		print_bugs(s, &random_ways[way], &seen);
	}
	return ok;
}

static bool holds(const struct subject *s, size_t way, const struct claim *c, uint64_t *runs)
{
	unsigned int bound, last = c->bound == EVERYTHING ? 0 : BOUND;
	bool ok = true;
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (!random_goes_with(c->reduce[i], random_ways[way].enabled))
			continue;
		for (bound = 0; bound <= last; bound++)
			ok = ok && finds(s, way, c, c->reduce[i], bound, runs);
	}
	return ok;
}

/* What the programs are worth. */
struct worth {
	uint64_t schedules, deadlocks, asserts, tasks[RANDOM_TASKS + 1];
	uint64_t priced[BOUND + 2];	/* bugs by preemptions */
};

static void weigh(const struct subject *s, size_t way, struct worth *w)
{
	const struct random_bugs *bugs = &s->bugs[way];
	size_t i;

	w->tasks[s->p.tasks] += !way;
	w->schedules += bugs->schedules;
	for (i = 0; i < bugs->n; i++) {
		unsigned int cost = bugs->bug[i].preemptions;

		if (bugs->bug[i].key >> 56 == RANDOM_ASSERT)
			w->asserts++;
		else
			w->deadlocks++;
		w->priced[cost > BOUND ? BOUND + 1 : cost]++;
	}
}

TEST_TIMEOUT(systematic_strategies_find_what_brute_force_finds, TIMEOUT)
{
	uint64_t n, count = number("COUNT", COUNT), first = number("SEED", 1), runs = 0;
	struct worth w = { 0 };
	struct subject s;
	size_t i, k;

	for (n = first; n < first + count; n++) {
		choose_subject(&s, n);
		for (i = 0; i < RANDOM_WAYS; i++) {
			weigh(&s, i, &w);
			for (k = 0; k < ARRAY_SIZE(claims); k++)
				EXPECT_TRUE(holds(&s, i, &claims[k], &runs));
		}
	}
	printf("# %lu programs in %d ways, %lu of 2 tasks, %lu of 3: %lu schedules, %lu runs\n",
	       (unsigned long)count, RANDOM_WAYS, (unsigned long)w.tasks[2],
	       (unsigned long)w.tasks[3],
	       (unsigned long)w.schedules, (unsigned long)runs);
	printf("# %lu deadlocks, %lu failures; preemptions 0: %lu, 1: %lu, 2: %lu, 3: %lu, more: %lu\n",
	       (unsigned long)w.deadlocks, (unsigned long)w.asserts, (unsigned long)w.priced[0],
	       (unsigned long)w.priced[1], (unsigned long)w.priced[2],
	       (unsigned long)w.priced[3], (unsigned long)w.priced[4]);
	/* Else it would prove nothing. */
	if (count >= COUNT) {
		EXPECT_LT(count / 10, w.deadlocks);
		EXPECT_LT(count / 10, w.asserts);
		EXPECT_LT(count / 10, w.priced[1]);
		EXPECT_LT(count / 50, w.priced[2]);
	}
}

#define RUNS	500	/* of a strategy that uses chance; below what is learned from */
#define MANY	32000
#define LENGTH	64	/* steps of a run, at most */
/* Natural logarithm of 10^9: what has a lower chance than one in so many does not happen. */
#define NEVER	20.72

/* pct: how many runs were made with each k. */
struct sizes {
	uint64_t runs, by_size[LENGTH];
	unsigned int k, max;
};

/* k is the most steps, from the second task on, of the runs before the last power of two. */
static void look_at_size(void *arg, const struct chess_record *r)
{
	struct sizes *s = arg;
	unsigned int steps = 0;
	bool two = false;
	size_t i;

	s->by_size[s->k]++;
	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		two |= e->type == CHESS_EVENT_SPAWN;
		steps += two && chess_event_decides(e);
	}
	ASSERT_LT(steps, (unsigned int)LENGTH);
	if (steps > s->max)
		s->max = steps;
	s->runs++;
	if (!(s->runs & (s->runs - 1)))
		s->k = s->max;
}

/**
 * struct expected - what is to be expected of one bug
 * @mean: in how many runs it is
 * @variance: of that
 * @miss: the chance that it is in none of them is e to the power of minus so much
 */
struct expected {
	double mean, variance, miss;
};

static void expect_runs(struct expected *e, double chance, uint64_t runs)
{
	/* The sum of many small numbers may be a little more than it should. */
	chance = chance > 1 ? 1 : chance;
	e->mean += runs * chance;
	e->variance += runs * chance * (1 - chance);
	e->miss -= runs * log1p(-chance);
}

/*
 * A bug that must be found was not, one that cannot be was, or there are more or fewer of it than
 * chance allows: Freedman's inequality, which bounds this where each run's chance may depend on
 * those before it, by 2 exp(-t^2 / (2 (variance + t / 3))).
 */
static bool is_likely(const struct expected *e, unsigned int found)
{
	double t = fabs(found - e->mean);

	if (!found)
		return e->miss < NEVER;
	return e->mean > 0 && t * t <= 2 * (NEVER + log(2)) * (e->variance + t / 3);
}

/* What came of one strategy. */
struct tally {
	uint64_t bugs, due, found;
	double chi;
	unsigned int terms;
};

/* Rare bugs would make the sum anything but normal. */
static void add_square(struct tally *t, double difference, double variance)
{
	if (variance < 20)
		return;
	t->chi += difference * difference / variance;
	t->terms++;
}

/*
 * Chi-square with @terms degrees of freedom: six standard deviations. What is wrong by little in
 * each program is seen in all of them.
 */
static bool is_likely_in_all(const struct tally *t)
{
	return t->chi < t->terms + 6 * sqrt(2.0 * t->terms);
}

static void print_tally(const char *name, const struct tally *t)
{
	printf("# %s: %lu bugs, %lu had to be found, %lu were; chi-square %.0f of %u\n", name,
	       (unsigned long)t->bugs, (unsigned long)t->due, (unsigned long)t->found, t->chi,
	       t->terms);
	EXPECT_TRUE(is_likely_in_all(t));
}

static bool judge(const struct subject *s, const struct random_way *way, const struct seen *seen,
		  const struct expected *e, struct tally *t)
{
	bool ok = !seen->unknown;
	size_t i;

	for (i = 0; i < seen->bugs->n; i++) {
		t->bugs++;
		t->due += e[i].miss >= NEVER;
		t->found += !!seen->found[i];
		add_square(t, seen->found[i] - e[i].mean, e[i].variance);
		ok = ok && is_likely(&e[i], seen->found[i]);
	}
	if (!ok) {
		print_bugs(s, way, seen);
		for (i = 0; i < seen->bugs->n; i++)
			printf("# expected: %g runs\n", e[i].mean);
	}
	return ok;
}

TEST_TIMEOUT(random_walk_is_one, TIMEOUT)
{
	uint64_t n, count = number("COUNT", COUNT), first = number("SEED", 1);
	struct tally t = { 0 };
	struct subject s;
	size_t i;

	for (n = first; n < first + count; n++) {
		const struct random_way *way = &random_ways[n % RANDOM_WAYS];
		struct seen seen = { .bugs = &s.bugs[way - random_ways] };
		struct chess_explore_opts o = { .strategy = "random", .max_runs = RUNS, .seed = n };
		struct expected e[RANDOM_BUGS] = { 0 };

		choose_subject(&s, n);
		search(&s.p, way, o, &seen);
		for (i = 0; i < seen.bugs->n; i++)
			expect_runs(&e[i], seen.bugs->bug[i].walk, seen.runs);
		EXPECT_TRUE(judge(&s, way, &seen, e, &t));
	}
	print_tally("random", &t);
}

static bool holds_pct(struct subject *s, const struct random_way *way, unsigned int depth,
		      uint64_t seed, struct tally *t)
{
	struct sizes sizes = { 0 };
	struct seen seen = {
		.bugs = &s->bugs[way - random_ways], .look = look_at_size, .arg = &sizes,
	};
	struct chess_explore_opts o = {
		.strategy = "pct", .max_runs = RUNS, .seed = seed, .depth = depth,
	};
	struct expected e[RANDOM_BUGS] = { 0 };
	unsigned int k;
	size_t i;

	search(&s->p, way, o, &seen);
	for (k = 0; k < LENGTH; k++) {
		if (!sizes.by_size[k])
			continue;
		random_pct(&s->p, way->enabled, way->fair_k, depth, k, seen.bugs);
		for (i = 0; i < seen.bugs->n; i++)
			expect_runs(&e[i], seen.bugs->bug[i].chance, sizes.by_size[k]);
	}
	return judge(s, way, &seen, e, t);
}

TEST_TIMEOUT(pct_has_the_chances_of_the_paper, TIMEOUT)
{
	uint64_t n, count = number("COUNT", COUNT), first = number("SEED", 1);
	struct tally t[4] = { 0 };
	struct subject s;
	unsigned int depth;

	for (n = first; n < first + count; n++) {
		choose_subject(&s, n);
		for (depth = 1; depth <= 3; depth++)
			EXPECT_TRUE(holds_pct(&s, &random_ways[n % RANDOM_WAYS], depth, n,
					      &t[depth]));
	}
	print_tally("pct of depth 1", &t[1]);
	print_tally("pct of depth 2", &t[2]);
	print_tally("pct of depth 3", &t[3]);
}

/*
 * If both are the same, of all hits on a bug each is as likely theirs as ours: Hoeffding's
 * inequality, 2 exp(-t^2 / (2 n)).
 */
static bool are_alike(unsigned int a, unsigned int b)
{
	double t = (double)a - b;

	return t * t <= 2 * (NEVER + log(2)) * (a + b);
}

/* Of the difference of the hits of two samples of RUNS each. */
static double variance_of(unsigned int a, unsigned int b)
{
	double p = (a + b) / (2.0 * RUNS);

	return 2 * RUNS * p * (1 - p);
}

TEST_TIMEOUT(pos_is_as_another_pos, TIMEOUT)
{
	uint64_t n, count = number("COUNT", COUNT), first = number("SEED", 1);
	struct tally t = { 0 };
	struct subject s;
	size_t i;

	for (n = first; n < first + count; n++) {
		const struct random_way *way = &random_ways[n % 3];
		struct seen seen = { .bugs = &s.bugs[way - random_ways] };
		struct chess_explore_opts o = { .strategy = "pos", .max_runs = RUNS, .seed = n };
		bool ok;

		ASSERT_TRUE(way->enabled == SIM_KERNEL);
		choose_subject(&s, n);
		search(&s.p, way, o, &seen);
		random_pos(&s.p, way->fair_k, RUNS, seen.bugs);
		ok = !seen.unknown;
		for (i = 0; i < seen.bugs->n; i++) {
			t.bugs++;
			t.due += !are_alike(0, seen.bugs->bug[i].hits);
			t.found += !!seen.found[i];
			/* Where one finds it in all runs so does the other. */
			if (seen.found[i] < RUNS || seen.bugs->bug[i].hits < RUNS)
				add_square(&t, (double)seen.found[i] - seen.bugs->bug[i].hits,
					   variance_of(seen.found[i], seen.bugs->bug[i].hits));
			ok = ok && are_alike(seen.found[i], seen.bugs->bug[i].hits);
			if (!ok)
				printf("# the other: %u\n", seen.bugs->bug[i].hits);
		}
		EXPECT_TRUE(ok);
		if (!ok)
			print_bugs(&s, way, &seen);
	}
	print_tally("pos", &t);
}

/* Nobody who yields goes on while another could: what needs that no chance finds. */
static bool has_all(const struct seen *seen)
{
	size_t i;

	for (i = 0; i < seen->bugs->n; i++)
		if (seen->bugs->bug[i].walk > 0 && !seen->found[i])
			return false;
	return true;
}

/*
 * No chance of a single bug is derived: what is held is that a bug which chance can find is found
 * sooner or later. The numbers are those of the seeds here.
 */
TEST_TIMEOUT(surw_finds_all_that_chance_can, TIMEOUT)
{
	uint64_t n, count = number("COUNT", COUNT), first = number("SEED", 1), late = 0;
	struct subject s;

	for (n = first; n < first + count; n++) {
		const struct random_way *way = &random_ways[n % RANDOM_WAYS];
		struct seen seen = { .bugs = &s.bugs[way - random_ways] }, more = seen;
		struct chess_explore_opts o = { .strategy = "surw", .max_runs = RUNS, .seed = n };

		choose_subject(&s, n);
		search(&s.p, way, o, &seen);
		EXPECT_EQ(0U, seen.unknown);
		if (has_all(&seen))
			continue;
		late++;
		o.max_runs = MANY;
		search(&s.p, way, o, &more);
		EXPECT_EQ(0U, more.unknown);
		EXPECT_TRUE(has_all(&more));
		if (!has_all(&more))
			print_bugs(&s, way, &more);
	}
	printf("# surw: %lu of %lu programs took more than %d runs\n", (unsigned long)late,
	       (unsigned long)count, RUNS);
}

/* It has one schedule, which nobody preempts. */
TEST_TIMEOUT(round_robin_ends_as_it_may, TIMEOUT)
{
	uint64_t n, count = number("COUNT", COUNT), first = number("SEED", 1), failed = 0;
	struct subject s;
	size_t i;

	for (n = first; n < first + count; n++) {
		const struct random_way *way = &random_ways[n % RANDOM_WAYS];
		struct seen seen = { .bugs = &s.bugs[way - random_ways] };
		struct chess_explore_opts o = { .strategy = "rr", .max_runs = 3 };

		choose_subject(&s, n);
		search(&s.p, way, o, &seen);
		EXPECT_EQ(3U, seen.runs);
		EXPECT_EQ(0U, seen.unknown);
		for (i = 0; i < seen.bugs->n; i++) {
			if (!seen.found[i])
				continue;
			failed++;
			EXPECT_EQ(3U, seen.found[i]);
			EXPECT_EQ(0U, seen.bugs->bug[i].preemptions);
		}
	}
	EXPECT_LT(0U, failed);
}

TEST_HARNESS_MAIN
