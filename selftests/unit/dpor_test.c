// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dynamic partial-order reduction on programs of which the number of classes is known: without
 * a bound from the publications on it, with one by hand. reduce_test holds it against the search
 * of every schedule, on random programs.
 *
 * The published counts are those of sequential consistency in GenMC's regression suite, which
 * are also those of Abdulla, Aronis, Jonsson and Sagonas, POPL'14, table 1, for what they call
 * optimal.
 */
#include <string.h>

#include "internal.h"
#include "search.h"
#include "../harness.h"

#define CELLS	128

static struct sim_var var[CELLS];
static struct sim_mutex lock[CELLS];
static struct sim_cond not_full, not_empty;
static int n;
static bool mended;

static void reset(void)
{
	memset(var, 0, sizeof(var));
	memset(lock, 0, sizeof(lock));
	memset(&not_full, 0, sizeof(not_full));
	memset(&not_empty, 0, sizeof(not_empty));
}

static void search_with(const char *strategy, unsigned int bound, unsigned int reduce,
			void (*body)(void *arg), struct search *s)
{
	static struct sim_program p;

	p = (struct sim_program){ .name = "dpor", .reset = reset, .main = body };
	*s = (struct search){
		.program = &p, .opts = { .enabled = SIM_KERNEL },
		.explore = {
			.strategy = strategy, .bound = bound, .reduce = reduce,
			.keep_going = !bound, .max_runs = 500000,
		},
	};
	search_run(s);
}

/* One writer and n readers of one variable: each reader comes before it or after it. */
static void reads(void *arg)
{
	(void)arg;
	sim_load(&var[0]);
}

static void readers(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < n; i++)
		sim_create(reads, NULL);
	sim_store(&var[0], 1);
}

/* POPL'14, figure 1: thread i writes a[i] = a[i - 1] + 1, one looks for the last zero. */
static void follows(void *arg)
{
	long i = (long)arg;

	sim_store(&var[i], sim_load(&var[i - 1]) + 1);
}

static void looks(void *arg)
{
	int i = n;

	(void)arg;
	while (sim_load(&var[i]))
		i--;
}

static void last_zero(void *arg)
{
	long i;

	(void)arg;
	sim_create(looks, NULL);
	for (i = 1; i <= n; i++)
		sim_create(follows, (void *)i);
}

/* Flanagan and Godefroid, POPL'05, figure 1: threads enter messages into a table by hash. */
static void enters(void *arg)
{
	long id = (long)arg, m, w, h;

	for (m = 0; m < 4; m++) {
		w = (m + 1) * 11 + id;
		for (h = w * 7 % CELLS; !sim_cas(&var[h], 0, w); h = (h + 1) % CELLS)
			;
	}
}

static void indexer(void *arg)
{
	long i;

	(void)arg;
	for (i = 0; i < n; i++)
		sim_create(enters, (void *)i);
}

TEST_TIMEOUT(classes_are_those_published, 600)
{
	static const struct {
		const char *name;
		void (*body)(void *arg);
		int n;
		unsigned long classes;
	} of[] = {
		{ "readers", readers, 2, 4 }, { "readers", readers, 8, 256 },
		{ "last zero", last_zero, 5, 64 }, { "last zero", last_zero, 10, 3328 },
		{ "indexer", indexer, 11, 1 }, { "indexer", indexer, 12, 8 },
	};
	struct search s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(of); i++) {
		n = of[i].n;
		search_with("dfs", 0, CHESS_REDUCE_DPOR, of[i].body, &s);
		printf("# %s %d: %lu runs, %zu classes, published %lu\n", of[i].name, n,
		       (unsigned long)s.result.runs, s.classes.n, of[i].classes);
		EXPECT_TRUE(s.result.complete);
		EXPECT_EQ(of[i].classes, s.classes.n);
		search_free(&s);
	}
}

/*
 * So many times a lock that no other task uses. Fewer than 500 points in a row: then the rule
 * that lets others go first after 1000 has no say (docs/strategies.md).
 */
#define PRIVATE	200

static void stays_alone(void *arg)
{
	int i;

	for (i = 0; i < PRIVATE; i++) {
		sim_lock(arg);
		sim_unlock(arg);
	}
}

/* A lost update is one preemption away. */
static void adds(void *arg)
{
	(void)arg;
	if (mended)
		sim_lock(&lock[CELLS - 1]);
	sim_store(&var[0], sim_load(&var[0]) + 1);
	if (mended)
		sim_unlock(&lock[CELLS - 1]);
}

/* @n threads that stay alone, and two that add. */
static void many_private(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < n; i++)
		sim_create(stays_alone, &lock[i]);
	i = sim_create(adds, NULL);
	sim_join(sim_create(adds, NULL));
	sim_join(i);
	sim_assert(sim_load(&var[0]) == 2);
}

/*
 * All orders that matter are of the two that add: who does first, and, not mended, whether one
 * comes between the other's load and store, in either order of the stores: the update is lost in
 * 4 of 6. A search that branches at each point would need thousands of runs to get there.
 */
TEST_TIMEOUT(what_tasks_do_alone_costs_no_run, 600)
{
	static const int threads[] = { 1, 8 };
	struct search s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		n = threads[i];
		mended = false;
		search_with("icb", 2, CHESS_REDUCE_DPOR, many_private, &s);
		printf("# %d beside: bug in run %lu\n", n, (unsigned long)s.result.runs);
		EXPECT_TRUE(s.result.verdict == CHESS_VERDICT_ASSERT);
		EXPECT_GE(10UL, s.result.runs);
		search_free(&s);
		mended = true;
		search_with("icb", 2, CHESS_REDUCE_DPOR, many_private, &s);
		printf("# %d beside, mended: %lu runs, %zu classes\n", n,
		       (unsigned long)s.result.runs, s.classes.n);
		EXPECT_TRUE(s.result.verdict == CHESS_VERDICT_OK);
		EXPECT_TRUE(s.result.complete);
		EXPECT_EQ(2U, s.classes.n);
		EXPECT_GT(50UL, s.result.runs);
		search_free(&s);
	}
}

/* A buffer of one slot; the slot needs no point of its own, since it is under the lock. */
static bool full;

static void takes_two(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < 2; i++) {
		sim_lock(&lock[0]);
		while (!full)
			sim_wait(&not_empty, &lock[0]);
		full = false;
		sim_signal(&not_full);
		sim_unlock(&lock[0]);
	}
}

static void puts_two(void *arg)
{
	int i;

	(void)arg;
	full = false;
	sim_create(takes_two, NULL);
	for (i = 0; i < 2; i++) {
		sim_lock(&lock[0]);
		while (full)
			sim_wait(&not_full, &lock[0]);
		full = true;
		sim_signal(&not_empty);
		sim_unlock(&lock[0]);
	}
}

/*
 * Two items are put (P, and p where it waits first) and taken (T, t), and only the order of the
 * critical sections matters: PTPT PTtPT PpTPT PpTtPT tPTPT tPTtPT tPpTPT tPpTtPT, where a small
 * letter is the section that finds out that it has to wait. A task that is woken while the other
 * one still has the mutex may try for it at once, in vain: that is no other order.
 */
TEST_TIMEOUT(to_try_for_a_mutex_in_vain_costs_no_run, 600)
{
	static const struct {
		const char *strategy;
		unsigned int bound;
		size_t classes;
		unsigned long least, most;
	} of[] = {
		{ "dfs", 0, 8, 8, 8 },
		/* Only tPTPT needs three preemptions: before the first P, after it, and after T. */
		{ "icb", 2, 7, 7, 18 },
	};
	struct search s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(of); i++) {
		search_with(of[i].strategy, of[i].bound, CHESS_REDUCE_DPOR, puts_two, &s);
		printf("# buffer of one slot, %s: %lu runs, %zu classes\n", of[i].strategy,
		       (unsigned long)s.result.runs, s.classes.n);
		EXPECT_TRUE(s.result.complete);
		EXPECT_EQ(of[i].classes, s.classes.n);
		EXPECT_LE(of[i].least, s.result.runs);
		EXPECT_GE(of[i].most, s.result.runs);
		search_free(&s);
	}
}

TEST_HARNESS_MAIN
