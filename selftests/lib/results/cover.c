// SPDX-License-Identifier: GPL-2.0-only
/*
 * PLDI'08, table 2 and figure 5: states and runs of searches with and without
 * fairness.
 */
#include <stdio.h>

#include "results.h"

/* More runs for what the table is about. */
#define FAIR_FACTOR	6

#define COLUMNS	(1 + COVER_DEPTHS)	/* fair, then one for each depth */

static const char *const head =
	"## States reached: PLDI'08, table 2\n"
	"\n"
	"States visited by a stateless search within 1, 2 and 3 preemptions (cb) and without\n"
	"bound, with fairness and without; without, runs are cut at a depth (db). *total* is a\n"
	"search that remembers states, `selftests/lib/results/enumerate.c`. Each cell is the\n"
	"paper's figure / ours; * marks a search that was stopped, theirs after 5000 seconds, ours\n"
	"after %llu runs, %llu with fairness and without bound. In brackets how much of our total\n"
	"was reached, where it is not all.\n"
	"\n"
	"Without bound the paper goes depth first (dfs); here it is icb, whose order is by number\n"
	"of preemptions. The tree is the same, but a search that is stopped has then seen more\n"
	"than one corner of it. At yields fairness lets others go on for free, which is a\n"
	"preemption without; so a bounded search has states that are beyond its bound in *total*,\n"
	"as the paper's has (171 of 167).\n"
	"\n"
	"The paper does not say what it takes for the state of a program, nor how much its work\n"
	"queue is used, so totals differ; what is compared is the part reached of the total. It\n"
	"ends runs that reach the depth with a random walk, whose states count too; here they end.\n";

static const char *const names[COVER_SEARCHES] = { "cb=1", "cb=2", "cb=3", "all" };

struct cell {
	bool stopped;
	uint64_t runs;
	double estimate;
	size_t states, of_total;
};

static size_t common(const struct numbers *a, const struct numbers *b)
{
	size_t i, n = 0;

	for (i = 0; i < a->slots; i++)
		n += a->slot[i].used && numbers_find(b, a->slot[i].key);
	return n;
}

static unsigned int depth(int column)
{
	return 10 + 10 * column;
}

static void fill(const struct cover *c, int search, int column, const struct numbers *total,
		 struct cell *cell)
{
	bool all = search == COVER_SEARCHES - 1;
	/* With fairness and a bound it ends by itself. */
	uint64_t limit = column ? limit_runs : all ? FAIR_FACTOR * limit_runs : 0;
	struct search s = {
		.program = c->program, .opts = { .enabled = SIM_CHESS },
		.explore = {
			.bound = all ? UINT32_MAX : search + 1U,
			.max_runs = limit,
		},
	};

	if (column) {
		s.opts.unfair = true;
		s.opts.max_points = depth(column);
		s.opts.cut_is_end = true;
	}
	search_run(&s);
	*cell = (struct cell){
		.stopped = !s.result.complete, .runs = s.result.runs,
		.estimate = s.result.estimate, .states = s.states.n,
		.of_total = common(total, &s.states),
	};
	search_free(&s);
}

static void print_row(const struct cover *c, int search, const struct cell *cell, size_t total)
{
	int k;

	printf("| %s | %s | %u / %zu |", c->name, names[search], c->total[search], total);
	for (k = 0; k < COLUMNS; k++) {
		printf(" %u%s / ", k ? c->unfair[search][k - 1] : c->fair[search],
		       c->stopped[search] >> k & 1 ? "*" : "");
		printf("%zu%s", cell[k].states, cell[k].stopped ? "*" : "");
		if (cell[k].of_total < total)
			printf(" (%zu %%)", cell[k].of_total * 100 / total);
		printf(" |");
	}
	putchar('\n');
}

static void print_runs(struct cell cells[][COVER_SEARCHES][COLUMNS])
{
	int search, k;
	size_t i;

	printf("\n## Runs with and without fairness: PLDI'08, figure 5\n"
	       "\n"
	       "Runs of the same searches; for those that were stopped, of about how many the whole\n"
	       "search is (≈, Knuth's estimate, see docs/search.md). The paper shows seconds, which\n"
	       "grow exponentially with the depth without fairness. So do our runs in the rows without\n"
	       "bound, until the depth is that of the longest run. Within a bound on preemptions they do\n"
	       "not: without fairness a yield passes the token on round robin here, and to leave that\n"
	       "order costs a preemption, so that no cycle is unrolled more often than the bound allows.\n"
	       "\n"
	       "| program | search | fair |");
	for (k = 1; k < COLUMNS; k++)
		printf(" db=%u |", depth(k));
	printf("\n|---|---|---|");
	for (k = 1; k < COLUMNS; k++)
		printf("---|");
	putchar('\n');
	for (i = 0; i < n_covers; i++)
		for (search = 0; search < COVER_SEARCHES; search++) {
			printf("| %s | %s |", covers[i].name, names[search]);
			for (k = 0; k < COLUMNS; k++) {
				const struct cell *c = &cells[i][search][k];

				if (c->stopped)
					printf(" ≈%.1e |", c->estimate);
				else
					printf(" %llu |", (unsigned long long)c->runs);
			}
			putchar('\n');
		}
	putchar('\n');
}

void print_cover(void)
{
	static struct cell cells[8][COVER_SEARCHES][COLUMNS];
	int search, k;
	size_t i;

	printf(head, (unsigned long long)limit_runs,
	       (unsigned long long)(FAIR_FACTOR * limit_runs));
	printf("\n| program | search | total | fair |");
	for (k = 1; k < COLUMNS; k++)
		printf(" db=%u |", depth(k));
	printf("\n|---|---|---|---|");
	for (k = 1; k < COLUMNS; k++)
		printf("---|");
	putchar('\n');
	for (i = 0; i < n_covers; i++)
		for (search = 0; search < COVER_SEARCHES; search++) {
			struct numbers total = { 0 };

			enumerate_states(covers[i].program,
					 search == COVER_SEARCHES - 1 ? -1 : search + 1, &total);
			for (k = 0; k < COLUMNS; k++)
				fill(&covers[i], search, k, &total, &cells[i][search][k]);
			print_row(&covers[i], search, cells[i][search], total.n);
			fflush(stdout);
			numbers_free(&total);
		}
	print_runs(cells);
}
