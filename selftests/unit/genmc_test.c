// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dynamic partial-order reduction against the numbers of executions in GenMC's regression suite,
 * without a bound and within 0, 1, 2... preemptions: rows that take no time. "make results" has
 * all of them.
 */
#include <string.h>

#include "internal.h"
#include "programs/genmc.h"
#include "search.h"
#include "../harness.h"

#define EXECUTIONS_MAX	800
#define BOUNDED_MAX	150

static struct search explore(const struct genmc_row *row, int bound)
{
	struct search s = {
		.program = &row->program, .opts = { .enabled = SIM_KERNEL },
		.graph = genmc_graph,
		.explore = {
			.strategy = bound < 0 ? "dfs" : "icb", .bound = bound < 0 ? 0 : bound,
			.reduce = CHESS_REDUCE_DPOR, .keep_going = true, .max_runs = 100000,
		},
	};

	search_run(&s);
	return s;
}

/*
 * Complete, but for par_length: the rule that a task lets others go first after many points in a
 * row leaves it open whether all schedules were made.
 */
static bool is_over(const struct search *s)
{
	return s->result.complete ||
	       (!s->result.stopped && !strncmp(s->program->name, "par_length", 10));
}

TEST(each_row_has_published_figures)
{
	struct genmc_row row;
	size_t i;

	for (i = 0; genmc_at(i, &row); i++) {
		TH_LOG("%s/%s %d", row.of->suite, row.of->name, genmc_n);
		ASSERT_TRUE(row.published != NULL);
	}
	EXPECT_LT(100UL, i);
}

TEST_TIMEOUT(executions_are_those_published, 300)
{
	struct genmc_row row;
	struct search s;
	size_t i, rows = 0;

	for (i = 0; genmc_at(i, &row); i++) {
		if (row.published->executions > EXECUTIONS_MAX)
			continue;
		s = explore(&row, -1);
		TH_LOG("%s/%s %d: %lu runs, %zu classes, %zu of them not counted", row.of->suite,
		       row.of->name, genmc_n, (unsigned long)s.result.runs,
		       s.classes.n + s.failed.n, s.failed.n);
		EXPECT_TRUE(is_over(&s));
		EXPECT_EQ(row.published->executions, s.graphs.n);
		rows++;
		search_free(&s);
	}
	EXPECT_LT(100UL, rows);
}

TEST_TIMEOUT(executions_within_bounds_are_those_published, 300)
{
	struct genmc_row row;
	struct search s;
	unsigned int bound, figures = 0;
	size_t i;

	for (i = 0; genmc_at(i, &row); i++) {
		if (row.published->executions > BOUNDED_MAX)
			continue;
		for (bound = 0; bound < row.published->bounds; bound++) {
			s = explore(&row, bound);
			TH_LOG("%s/%s %d within %u: %lu runs, %zu executions", row.of->suite,
			       row.of->name, genmc_n, bound, (unsigned long)s.result.runs,
			       s.graphs.n);
			EXPECT_TRUE(is_over(&s));
			EXPECT_EQ(row.published->within[bound], s.graphs.n);
			figures++;
			search_free(&s);
		}
	}
	EXPECT_LT(200U, figures);
}

TEST_HARNESS_MAIN
