// SPDX-License-Identifier: GPL-2.0-only
/*
 * PLDI'08, table 2 and figure 5: states and runs of searches with and without
 * fairness.
 */
#include <stdio.h>

#include "results.h"

#define COLUMNS	(1 + COVER_DEPTHS)	/* fair, then one for each depth */

static const char *const head =
	"## States reached: PLDI'08, table 2\n"
	"\n"
	"States visited by a stateless search within 1, 2 and 3 preemptions (cb) and without\n"
	"bound (dfs), with fairness and without; without, runs are cut at a depth (db). *total*\n"
	"is a search that remembers states, `selftests/lib/results/enumerate.c`. Each cell is\n"
	"the paper's figure / ours; * marks a search that was stopped, theirs after 5000 seconds,\n"
	"ours after %g. In brackets how much of our total was reached, where it is not all.\n"
	"\n"
	"The paper does not say what it takes for the state of a program, nor how much its work\n"
	"queue is used, so totals differ; what is compared is the part reached of the total. It\n"
	"ends runs that reach the depth with a random walk, whose states count too; here they end.\n";

static const char *const names[COVER_SEARCHES] = { "cb=1", "cb=2", "cb=3", "dfs" };

/* Two that wait for a third, which each of them may keep from running for ever. */
static int told;

static void reset(void)
{
	told = 0;
}

static void ask(void *arg)
{
	(void)arg;
	while (!told)
		sim_yield();
}

static void tell(void *arg)
{
	(void)arg;
	told = 1;
}

static void three(void *arg)
{
	(void)arg;
	sim_create(ask, NULL);
	sim_create(ask, NULL);
	sim_create(tell, NULL);
}

/* Where it is, none of the runs is long. */
bool model_is_fair(void)
{
	static const struct sim_program p = { .name = "three", .reset = reset, .main = three };
	struct search s = {
		.program = &p, .opts = { .enabled = SIM_CHESS, .max_points = 20 },
		.explore = { .bound = 8, .max_runs = 200000 },
	};
	bool fair;

	search_run(&s);
	fair = s.result.verdict == CHESS_VERDICT_OK;
	search_free(&s);
	return fair;
}

struct cell {
	bool done, stopped;
	uint64_t runs;
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
	bool dfs = search == COVER_SEARCHES - 1;
	struct search s = {
		.program = c->program, .opts = { .enabled = SIM_CHESS },
		.explore = {
			.bound = dfs ? UINT32_MAX : search + 1U,
			.strategy = dfs && have_strategy("dfs") ? "dfs" : NULL,
			.max_seconds = limit_seconds,
		},
	};

	if (column) {
		s.opts.unfair = true;
		s.opts.max_points = depth(column);
		s.opts.cut_is_end = true;
	}
	search_run(&s);
	*cell = (struct cell){
		.done = true, .stopped = !s.result.complete, .runs = s.result.runs, .states = s.states.n,
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
		if (!cell[k].done) {
			printf("– |");
			continue;
		}
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
	       "Runs of the same searches. The paper shows seconds; the shape is that without\n"
	       "fairness they grow exponentially with the depth.\n"
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

				if (c->done)
					printf(" %llu%s |", (unsigned long long)c->runs,
					       c->stopped ? "*" : "");
				else
					printf(" – |");
			}
			putchar('\n');
		}
	putchar('\n');
}

void print_cover(void)
{
	static struct cell cells[8][COVER_SEARCHES][COLUMNS];
	bool fair = model_is_fair();
	int search, k;
	size_t i;

	printf(head, limit_seconds);
	if (!fair)
		printf("Fairness is not there yet: its columns are left out.\n");
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
			for (k = !fair; k < COLUMNS; k++)
				fill(&covers[i], search, k, &total, &cells[i][search][k]);
			print_row(&covers[i], search, cells[i][search], total.n);
			fflush(stdout);
			numbers_free(&total);
		}
	print_runs(cells);
}
