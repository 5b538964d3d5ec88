// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts on modelled programs whose figures were published. CHESS's rule on the model
 * of each of its regression programs must give CHESS's figures, so that a model that
 * is not the program, or a point too many in the executor, is seen at once. Our
 * search must find the happens-before classes that there are, and SCTBench's bugs.
 */
#include <string.h>

#include "chess_rule.h"
#include "internal.h"
#include "programs/programs.h"
#include "search.h"
#include "../harness.h"

static const struct golden *golden_named(const char *name)
{
	size_t i;

	for (i = 0; golden_at(i); i++)
		if (!strcmp(golden_at(i)->program.name, name))
			return golden_at(i);
	TH_LOG("there is no program %s", name);
	return NULL;
}

static struct chess_rule_count by_rule(const struct golden *g, unsigned int bound)
{
	struct sim_opts o = {
		.enabled = SIM_CHESS, .unfair = true, .max_points = g->max_points,
	};
	struct sim *sim = sim_new(&g->program, &o);
	struct chess_executor x = sim_executor(sim);
	struct chess_rule_count count;

	chess_rule_search(&x, g->version, bound, &count);
	sim_free(sim);
	return count;
}

static enum chess_verdict verdict_at(const struct golden *g, unsigned int bound)
{
	return bound < g->verdict_from ? CHESS_VERDICT_OK : g->verdict;
}

/* Every figure here is one of CHESS's golden files. */
TEST(rule_gives_the_figures_of_chess)
{
	unsigned int bound, programs = 0;
	const struct golden *g;
	size_t i;

	for (i = 0; (g = golden_at(i)); i++) {
		programs++;
		for (bound = 1; bound <= GOLDEN_BOUNDS && !g->differs; bound++) {
			struct chess_rule_count c = by_rule(g, bound);

			if (!g->runs[0])
				continue;
			TH_LOG("%s, %u preemptions", g->program.name, bound);
			EXPECT_EQ(g->runs[bound - 1], c.runs);
			EXPECT_EQ(g->classes[bound - 1], c.classes);
			/* A wait for n threads at once is one step there, n here. */
			EXPECT_EQ(g->steps[bound - 1] + (g->joins ? g->joins - 1 : 0), c.steps);
			EXPECT_EQ(verdict_at(g, bound), c.verdict);
		}
	}
	EXPECT_EQ(31U, programs);
}

/* Where CHESS's figures are not reached, how far we come is known. */
TEST(rule_where_chess_differs)
{
	struct chess_rule_count c = by_rule(golden_named("SRWLock4"), 3);

	EXPECT_EQ(48U, c.classes);
	/* Without the run that initializes, lazyinit is twothreads. */
	c = by_rule(golden_named("lazyinit"), 3);
	EXPECT_EQ(4U, c.runs);
	EXPECT_EQ(2U, c.classes);
}

/*
 * Which version of CHESS wrote a golden file shows only with 3 preemptions: a run has to be
 * left between two yields of one task while another has the lock. By the newer rule
 * the same search is 417 runs shorter.
 */
TEST(rule_of_an_older_chess)
{
	struct golden g = *golden_named("interlockedworkstealqueue");
	unsigned int bound;

	for (bound = 1; bound <= GOLDEN_BOUNDS; bound++) {
		struct chess_rule_count older = by_rule(&g, bound), newer;

		g.version = CHESS_RULE;
		newer = by_rule(&g, bound);
		g.version = CHESS_RULE_OLDER;
		EXPECT_EQ(bound < 3 ? 0U : 417U, older.runs - newer.runs);
		EXPECT_EQ(bound < 3 ? 0U : 1U, older.classes - newer.classes);
	}
	/* Nor is it the rule of the other one. */
	g = *golden_named("workstealqueue");
	g.version = CHESS_RULE_OLDER;
	EXPECT_EQ(720U, by_rule(&g, 3).runs);
}

TEST(nobody_tells_and_nobody_ends)
{
	EXPECT_EQ(CHESS_VERDICT_LIVELOCK, (int)by_rule(golden_named("fairness1"), 1).verdict);
}

static struct search explore(const struct sim_program *p, enum sim_enabled mode,
			     unsigned int bound, uint64_t runs_max)
{
	struct search s = {
		.program = p, .opts = { .enabled = mode },
		.explore = { .bound = bound, .max_runs = runs_max },
	};

	search_run(&s);
	return s;
}

/*
 * CHESS counts classes in its own way, the digest of libchessctl/record/hb.c in another; where
 * a program neither yields nor shares a lock, and has no bug that ends the search, both
 * count all classes there are once the bound is large enough.
 */
TEST(search_reaches_all_classes)
{
	static const struct {
		const char *name;
		unsigned int classes;
	} expected[] = {
		{ "onethread", 1 },
		{ "twothreads", 2 },		/* who is first at the lock */
		{ "mutex", 2 },			/* at the lock that is given back in vain */
		{ "cp-fs", 2 },			/* two of three threads have one block */
		{ "trep", 1 },
		{ "interlock1", 2 },
		{ "interlock3", 6 },		/* 3! orders of three increments */
		{ "diamond", 1 },		/* of two variables */
		{ "cp-hash", 1 },		/* messages never meet */
		{ "dekker", 2 },
		{ "semaphore", 1 },
		{ "namedevents", 1 },
		{ "fairness2", 1 },
	};
	struct search s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		s = explore(&golden_named(expected[i].name)->program, SIM_CHESS, 2, 0);
		TH_LOG("%s", expected[i].name);
		EXPECT_EQ(expected[i].classes, s.classes.n);
		EXPECT_EQ(CHESS_VERDICT_OK, (int)s.result.verdict);
		EXPECT_TRUE(s.result.complete);
		search_free(&s);
	}
}

/*
 * interlock1 has points: creation, increment, join, end in T0; increment, end in T1.
 * All schedules: T1 can be chosen first at T0's increment, at its join and no earlier;
 * once at T0's join there is nobody but T1. Left at its increment, T1 may be left at its
 * increment (then T0 comes to its join and T1 is alone) or at its end (the same). So
 * 1 run without a preemption, 1 with one, 2 with two.
 */
TEST(runs_of_two_increments)
{
	struct search s = explore(&golden_named("interlock1")->program, SIM_CHESS, 3, 0);

	ASSERT_EQ(3U, s.result.n_runs_at);
	EXPECT_EQ(1U, s.result.runs_at[0]);
	EXPECT_EQ(1U, s.result.runs_at[1]);
	EXPECT_EQ(2U, s.result.runs_at[2]);
	search_free(&s);
}

#define SCT_RUNS	2000

/* Programs with too many tasks to try their orders, which our search does first. */
static bool many_tasks(const struct sct *p)
{
	static const char *const names[] = {
		"reorder_10_bad", "reorder_20_bad", "twostage_20", "twostage_50", "wronglock_bad",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(p->program.name, names[i]))
			return true;
	return false;
}

TEST(search_finds_bugs_of_sctbench)
{
	const struct sct *p;
	struct search s;
	size_t i;

	for (i = 0; (p = sct_at(i)); i++) {
		if (many_tasks(p))
			continue;
		s = explore(&p->program, SIM_KERNEL, p->bound, SCT_RUNS);
		TH_LOG("%s", p->program.name);
		EXPECT_EQ(p->verdict, s.result.verdict);
		/* Not with less: that level was searched to its end before. */
		EXPECT_EQ(p->bound + 1, s.result.n_runs_at);
		if (s.result.bad.record)
			EXPECT_EQ(p->bound, chess_record_preemptions(s.result.bad.record));
		search_free(&s);
	}
	EXPECT_EQ(27U, i);
}

/* Does one other choice at decision @at of the default run show the bug? */
static bool shows_bug(struct chess_executor *x, const struct sct *p,
		      const struct chess_record *first, size_t at, uint16_t task)
{
	struct chess_schedule *prefix = chess_record_schedule(first);
	struct chess_schedule *changed = chess_schedule_new();
	struct chess_plan plan = { .prefix = changed, .length = at + 1 };
	struct chess_run_result run = { 0 };
	bool shows;
	size_t i;

	for (i = 0; i < at; i++)
		chess_schedule_push(changed, chess_schedule_task(prefix, i));
	chess_schedule_push(changed, task);
	EXPECT_EQ(0, x->run(x->ctx, &plan, &run));
	shows = run.verdict == p->verdict &&
		chess_record_preemptions(run.record) == p->bound;
	chess_run_result_clear(&run);
	chess_schedule_free(changed);
	chess_schedule_free(prefix);
	return shows;
}

static bool one_change_shows_bug(const struct sct *p)
{
	struct sim_opts o = { .enabled = SIM_KERNEL };
	struct sim *sim = sim_new(&p->program, &o);
	struct chess_executor x = sim_executor(sim);
	struct chess_run_result first = { 0 };
	const struct chess_event *e;
	size_t i, at = 0;
	uint16_t task;
	bool shows = false;

	EXPECT_EQ(0, x.run(x.ctx, &(struct chess_plan) { 0 }, &first));
	EXPECT_EQ(CHESS_VERDICT_OK, (int)first.verdict);
	for (i = 0; (e = chess_record_event(first.record, i)) && !shows; i++) {
		if (!CHESS_EVENT_IS_DECISION(e->type))
			continue;
		for (task = 0; task < 64 && !shows; task++)
			if (task != e->chosen && e->enabled >> task & 1)
				shows = shows_bug(&x, p, first.record, at, task);
		at++;
	}
	chess_run_result_clear(&first);
	sim_free(sim);
	return shows;
}

/* Theirs is found by hand, so that what the table says of the bound holds. */
TEST(bugs_among_many_tasks_are_there)
{
	const struct sct *p;
	size_t i;

	for (i = 0; (p = sct_at(i)); i++) {
		if (!many_tasks(p))
			continue;
		TH_LOG("%s", p->program.name);
		EXPECT_TRUE(one_change_shows_bug(p));
	}
}

TEST_HARNESS_MAIN
