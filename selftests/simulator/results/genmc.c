// SPDX-License-Identifier: GPL-2.0-only
/*
 * GenMC's regression suite: executions under sequential consistency.
 */
#include <stdio.h>
#include <string.h>

#include "programs/genmc.h"
#include "results.h"

#define RUNS_MAX	500000
#define BOUNDED_MAX	250	/* executions; with more, the searches with bounds are left out */

static const char *const head =
	"## GenMC: executions under sequential consistency\n"
	"\n"
	"The tests of GenMC's regression suite (https://github.com/MPI-SWS/genmc, `tests/correct`) say\n"
	"how many executions there are under sequential consistency, and how many within 0, 1, 2...\n"
	"preemptions. An execution is a graph: which write each read gets its value from, and in\n"
	"which order the writes of each location come. Under sequential consistency two runs have the\n"
	"same graph exactly if all accesses that conflict come in the same order, so an execution is\n"
	"a class of runs. Runs in which an assumption of the test does not hold are not counted.\n"
	"\n"
	"The programs were rewritten (`selftests/simulator/programs/genmc_*.c`) from what GenMC's do.\n"
	"The loop of commits ends after six rounds, a number that was chosen because it gives the\n"
	"published figure. *executions*: as published. *ours*: graphs of the runs of\n"
	"`dfs --reduce dpor`, found from the values that were read and written alone. *classes*:\n"
	"happens-before classes of all its runs; *not counted*: how many of these are of runs in\n"
	"which an assumption did not hold. *runs*: what the search made. In the columns on bounds the\n"
	"first figure is for bound 0; the runs are those of all bounds up to that one\n"
	"(`icb --reduce dpor`). A figure of ours that is the published one is =.\n"
	"\n"
	"There are few more runs than classes: a schedule of a class that had a run needs none of its\n"
	"own, as it is known what it would do. One run in sixteen may be made to check that, and\n"
	"that a task waits for a lock has to be seen once. A compare-and-swap that fails is a read to\n"
	"GenMC and a write to our reduction, so tests with such ones (cas, casrot, casw, wcas, MPU2,\n"
	"ccr) have more classes than executions.\n"
	"Searches with a bound were made for the rows with at most 250 executions. With the points\n"
	"of par_length the search has all executions but does not say `complete`: its tasks do more\n"
	"than 500 points in a row (docs/strategies.md).\n"
	"\n";

static struct {
	unsigned int rows, programs, same, alone;
	unsigned int bounds, bounds_same, bounds_near;
	double runs, classes;
} sum;

static struct search search_row(const struct genmc_row *row, int bound)
{
	struct search s = {
		.program = &row->program, .opts = { .enabled = SIM_KERNEL },
		.graph = genmc_graph,
		.explore = {
			.strategy = bound < 0 ? "dfs" : "icb", .bound = bound < 0 ? 0 : bound,
			.reduce = CHESS_REDUCE_DPOR, .keep_going = true, .max_runs = RUNS_MAX,
		},
	};

	search_run(&s);
	return s;
}

static void print_same(size_t ours, size_t theirs, const char *end)
{
	if (ours == theirs)
		printf("=%s", end);
	else
		printf("%zu%s", ours, end);
}

static void print_unbounded(const struct genmc_row *row)
{
	struct search s = search_row(row, -1);
	size_t classes = s.classes.n + s.failed.n;

	printf("| %s/%s |", row->of->suite, row->of->name);
	if (genmc_n)
		printf(" %d |", genmc_n);
	else
		printf(" |");
	printf(" %u | ", row->published->executions);
	print_same(s.graphs.n, row->published->executions, " | ");
	printf("%zu | %zu | %s%llu |", classes, s.failed.n, s.result.stopped ? ">" : "",
	       (unsigned long long)s.result.runs);
	sum.same += !s.result.stopped && s.graphs.n == row->published->executions;
	sum.alone += s.result.runs == classes;
	sum.runs += s.result.runs;
	sum.classes += classes;
	search_free(&s);
}

static void print_bounded(const struct genmc_row *row)
{
	const struct genmc_counts *p = row->published;
	unsigned int k;
	uint64_t runs[GENMC_BOUNDS];
	size_t graphs[GENMC_BOUNDS], classes;

	printf(" ");
	for (k = 0; k < p->bounds; k++) {
		struct search s = search_row(row, k);

		printf("%u ", p->within[k]);
		runs[k] = s.result.runs;
		graphs[k] = s.graphs.n;
		classes = s.classes.n + s.failed.n;
		sum.bounds++;
		sum.bounds_same += graphs[k] == p->within[k];
		sum.bounds_near += runs[k] <= 1.2 * classes;
		search_free(&s);
	}
	printf("| ");
	for (k = 0; k < p->bounds; k++)
		print_same(graphs[k], p->within[k], " ");
	printf("| ");
	for (k = 0; k < p->bounds; k++)
		printf("%llu ", (unsigned long long)runs[k]);
	printf("|\n");
}

static void print_sum(void)
{
	printf("\n%u rows of %u tests: %u have as many executions as published, and in %u each class\n"
	       "is run once; in all, %.0f runs for %.0f classes. Of %u figures with a bound %u are as\n"
	       "published; %u were found with at most 1.2 runs for each class.\n\n",
	       sum.rows, sum.programs, sum.same, sum.alone, sum.runs, sum.classes, sum.bounds,
	       sum.bounds_same, sum.bounds_near);
}

void print_genmc(void)
{
	const struct genmc *last = NULL;
	struct genmc_row row;
	size_t i;

	fputs(head, stdout);
	printf("| test | N | executions | ours | classes | not counted | runs | within 0, 1... | ours | runs |\n"
	       "|---|---|---|---|---|---|---|---|---|---|\n");
	for (i = 0; genmc_at(i, &row); i++) {
		sum.rows++;
		sum.programs += row.of != last;
		last = row.of;
		print_unbounded(&row);
		if (row.published->executions <= BOUNDED_MAX)
			print_bounded(&row);
		else
			printf(" | | |\n");
		fflush(stdout);
	}
	print_sum();
}
