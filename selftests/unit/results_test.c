// SPDX-License-Identifier: GPL-2.0-only
/*
 * A few rows of docs/results.md that take no time: searches against the graph of all
 * schedules (selftests/simulator/results/schedules.c) and the enumeration of states, neither
 * of which knows the search.
 */
#include <string.h>

#include "internal.h"
#include "programs/programs.h"
#include "results/results.h"
#include "../harness.h"

static struct search explore(const struct sim_program *p, unsigned int depth, unsigned int reduce)
{
	struct search s = {
		.program = p, .opts = { .enabled = SIM_CHESS },
		.explore = { .strategy = "dfs", .reduce = reduce },
	};

	if (depth) {
		s.opts.unfair = true;
		s.opts.max_points = depth;
		s.opts.cut_is_end = true;
	}
	search_run(&s);
	return s;
}

/* The graph has as many ways as the search without reductions makes runs, fair or cut. */
TEST(graph_counts_what_dfs_runs)
{
	static const struct {
		const struct sim_program *program;
		unsigned int depth;
	} searches[] = {
		{ &philosophers2, 0 }, { &philosophers3, 12 }, { &philosophers3, 14 },
		{ &stealing2_less, 14 }, { &stealing1, 16 }, { &stealing2, 12 },
	};
	struct search s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(searches); i++) {
		struct numbers states = { 0 };
		double ways = count_schedules(searches[i].program, searches[i].depth, &states);

		s = explore(searches[i].program, searches[i].depth, 0);
		TH_LOG("%s, depth %u: %.0f", searches[i].program->name, searches[i].depth, ways);
		EXPECT_TRUE(s.result.complete);
		EXPECT_EQ(s.result.runs, (uint64_t)ways);
		/* More than would be by chance; the first has 41. */
		EXPECT_LT(i ? 1000UL : 40UL, s.result.runs);
		search_free(&s);
		numbers_free(&states);
	}
}

/* Under fairness each state is reached that can be reached at all. */
TEST(fairness_leaves_out_no_state)
{
	size_t i;

	for (i = 0; i < n_covers; i++) {
		struct numbers fair = { 0 }, all = { 0 };

		enumerate_states(covers[i].program, -1, &all);
		/* Of the largest, the graph would take seconds. */
		if (covers[i].program != &stealing2) {
			count_schedules(covers[i].program, 0, &fair);
			EXPECT_TRUE(numbers_same(&all, &fair));
		}
		TH_LOG("%s: %zu states", covers[i].name, all.n);
		EXPECT_LT(0UL, all.n);
		numbers_free(&fair);
		numbers_free(&all);
	}
}

/*
 * Reductions of dfs lose no state, whole search or cut; for those that are cut, of states
 * that a run got to before it was cut.
 */
TEST(reductions_of_dfs_lose_no_state)
{
	static const unsigned int ways[] = {
		CHESS_REDUCE_HB, CHESS_REDUCE_SLEEP, CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP,
		CHESS_REDUCE_HB | CHESS_REDUCE_YIELD,
		CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP | CHESS_REDUCE_YIELD, CHESS_REDUCE_STATE,
	};
	static const struct {
		const struct sim_program *program;
		unsigned int depth;
	} searches[] = {
		{ &philosophers2, 0 }, { &philosophers3, 12 }, { &philosophers3, 14 },
		{ &stealing1, 14 }, { &stealing1, 16 }, { &stealing2, 12 },
	};
	struct search full, less;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(searches); i++) {
		full = explore(searches[i].program, searches[i].depth, 0);
		for (k = 0; k < ARRAY_SIZE(ways); k++) {
			less = explore(searches[i].program, searches[i].depth, ways[k]);
			TH_LOG("%s, depth %u, reductions %u: %lu runs instead of %lu, %zu states",
			       searches[i].program->name, searches[i].depth, ways[k],
			       (unsigned long)less.result.runs, (unsigned long)full.result.runs,
			       less.states.n);
			EXPECT_TRUE(less.result.complete);
			EXPECT_LT(less.result.runs, full.result.runs);
			EXPECT_TRUE(numbers_same(&full.states, &less.states));
			search_free(&less);
		}
		search_free(&full);
	}
}

TEST_HARNESS_MAIN
