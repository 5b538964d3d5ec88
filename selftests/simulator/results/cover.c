// SPDX-License-Identifier: GPL-2.0-only
/*
 * PLDI'08, table 2 and figure 5: states and runs of searches with and without
 * fairness.
 */
#include <stdio.h>
#include <stdlib.h>

#include "results.h"

/* dfs: runs that are enough for those that end, with fairness and without, by limit_runs. */
#define FAIR_FACTOR	52
#define DFS_FACTOR	7

#define COLUMNS	(1 + COVER_DEPTHS)	/* fair, then one for each depth */
/* Those of the paper, and dfs by states. */
#define SEARCHES	(COVER_SEARCHES + 1)
#define DFS		(COVER_SEARCHES - 1)
#define STATES		COVER_SEARCHES
#define ORDERS		(CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP | CHESS_REDUCE_YIELD)

static const char *const head =
	"## States reached: PLDI'08, table 2\n"
	"\n"
	"States visited by a stateless search within 1, 2 and 3 preemptions (cb) and without a\n"
	"bound, with fairness and without. Without fairness, runs are cut at a depth (db). *total* is\n"
	"a search that remembers states, `selftests/simulator/results/enumerate.c`. Each cell is the paper's\n"
	"figure / ours; * marks a search of the paper that was stopped after 5000 seconds. All of ours\n"
	"end. Brackets show the share of our total that was reached, if it is not all. (Without\n"
	"fairness, where a task that yields lets others run, the total counts the states up to that\n"
	"depth.)\n"
	"\n"
	"*dfs* uses the reductions `hb,sleep,yield`, as CHESS's has sleep sets (docs/proofs.md). Where\n"
	"that does not end within %llu runs (with fairness %llu) it is dfs by states instead, and °\n"
	"marks the figure. *states* has dfs by states in each column. Unlike the paper's, that is not\n"
	"a stateless search: the model reports its state at each decision. A run is not followed from\n"
	"a state in which another run was, with the same state of fairness and at the same depth. A\n"
	"program under the kernel does not report its state. So ° shows which states are reachable,\n"
	"and that they are, not what a search that knows only orders would reach.\n"
	"\n"
	"`hb,sleep,yield` loses no state without a bound on preemptions. The hash of a prefix's\n"
	"happens-before order determines the state, and the state of fairness is hashed with it, so\n"
	"of all prefixes that lead to both, one is followed. Sleep sets leave out branches, not\n"
	"states: of the orders of independent steps that lead to a state the first is kept (Godefroid,\n"
	"LNCS 1032, on sleep sets alone; persistent sets, in contrast, only keep deadlocks). Rows cb\n"
	"are without reductions: with a bound a reduction keeps the orders of whole runs, and may\n"
	"leave out a state between two steps. At yields fairness lets others run for free, which is a\n"
	"preemption without fairness. So a bounded search has states that are beyond its bound in\n"
	"*total*, as the paper's has (171 of 167).\n"
	"\n"
	"The paper does not say what it counts as the state of a program, nor how much its work queue\n"
	"is used, so totals differ; the comparison is of the share of the total that is reached. The\n"
	"philosophers are the paper's figure 1 line by line, with T0 one of them (its table 1 has\n"
	"three threads). The end of a thread is not a point; the fact that a thread has begun is one\n"
	"here. In the queue, one thief steals twice, two thieves once each; T0 pushes two items and\n"
	"pops as often, or one with *one item*. The lock is a variable. With two thieves and two items\n"
	"a task tries four times before it yields, as in CHESS's test, else once. The paper's search\n"
	"continues runs that reach the depth with a random walk, whose states count too; here such\n"
	"runs end.\n";

static const char *const names[SEARCHES] = { "cb=1", "cb=2", "cb=3", "dfs", "states" };

struct cell {
	bool by_states;
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

/* Of dfs by orders; the others end by themselves. */
static uint64_t limit(int column)
{
	return limit_runs * (column ? DFS_FACTOR : FAIR_FACTOR);
}

static struct search make(const struct cover *c, int search, int column, unsigned int reduce)
{
	bool all = search >= DFS;
	struct search s = {
		.program = c->program, .opts = { .enabled = SIM_CHESS },
		.explore = {
			.strategy = all ? "dfs" : "icb", .reduce = reduce,
			.bound = all ? UINT32_MAX : search + 1U,
			.max_runs = reduce == ORDERS ? limit(column) : 0,
		},
	};

	if (column) {
		s.opts.unfair = true;
		s.opts.max_points = depth(column);
		s.opts.cut_is_end = true;
	}
	search_run(&s);
	return s;
}

static void fill(const struct cover *c, int search, int column, const struct numbers *total,
		 struct cell *cell)
{
	unsigned int reduce = search == DFS ? ORDERS : search == STATES ? CHESS_REDUCE_STATE : 0;
	struct search s = make(c, search, column, reduce);

	if (!s.result.complete && reduce == ORDERS && !s.result.left_out[CHESS_LEFT_OUT_UNSOUND]) {
		search_free(&s);
		reduce = CHESS_REDUCE_STATE;
		s = make(c, search, column, reduce);
	}
	if (!s.result.complete) {
		fprintf(stderr, "%s: %s\n", c->name, s.result.why);
		exit(1);
	}
	*cell = (struct cell){
		.by_states = search == DFS && reduce == CHESS_REDUCE_STATE, .runs = s.result.runs,
		.states = s.states.n, .of_total = common(total, &s.states),
	};
	search_free(&s);
}

/* A figure of the paper; until the next call. */
static const char *paper(unsigned int states, bool stopped)
{
	static char text[16];

	if (!states)
		return "–";
	snprintf(text, sizeof(text), "%u%s", states, stopped ? "*" : "");
	return text;
}

static void print_row(const struct cover *c, int search, const struct cell *cell, size_t total)
{
	int k;

	if (search == STATES)
		printf("| %s | states | %zu |", c->name, total);
	else
		printf("| %s | %s | %s / %zu |", c->name, names[search],
		       paper(c->total[search], false), total);
	for (k = 0; k < COLUMNS; k++) {
		if (search == STATES)
			putchar(' ');
		else
			printf(" %s / ", paper(k ? c->unfair[search][k - 1] : c->fair[search],
					       c->stopped[search] >> k & 1));
		printf("%zu%s", cell[k].states, cell[k].by_states ? "°" : "");
		if (cell[k].of_total < total)
			printf(" (%zu %%)", cell[k].of_total * 100 / total);
		printf(" |");
	}
	putchar('\n');
}

static void print_columns(const char *first)
{
	const char *p;
	int k;

	printf("\n%s fair |", first);
	for (k = 1; k < COLUMNS; k++)
		printf(" db=%u |", depth(k));
	printf("\n|");
	for (p = first + 1; *p; p++)
		if (*p == '|')
			printf("---|");
	for (k = 0; k < COLUMNS; k++)
		printf("---|");
	putchar('\n');
}

static void print_number(double n)
{
	printf(n < 1e7 ? " %.0f |" : " %.2e |", n);
}

static const char *const head_runs =
	"\n"
	"## Runs with and without fairness: PLDI'08, figure 5\n"
	"\n"
	"Runs of the same searches; ° marks dfs by states. *all* is the exact number of schedules\n"
	"without a bound, even where they are too many to run. It is counted along the edges of a\n"
	"graph of states and states of fairness (`selftests/simulator/results/schedules.c`). That program\n"
	"has a second implementation of the fair scheduler, and checks that it leaves out the same\n"
	"tasks at each decision. *states*: how many of *total* that graph has with fairness.\n"
	"\n"
	"The paper shows seconds, which grow exponentially with the depth without fairness. So do\n"
	"*all* and the runs of dfs, until the depth is that of the longest run. Within a bound on\n"
	"preemptions they do not: without fairness a yield passes the token round robin here, and\n"
	"leaving that order costs a preemption, so no cycle is unrolled more often than the bound\n"
	"allows.\n"
	"\n"
	"With fairness every state of all programs is reached, also for the two stealers, where the\n"
	"paper's search timed out. By orders, the searches of three philosophers, one stealer, and\n"
	"two stealers of one item end: of 10^10 to 10^16 schedules one in a million or less is run.\n"
	"Two stealers of two items have 10^64, and no search that remembers orders and not states\n"
	"ends on these. By states it takes as many runs as there are branches out of the states that\n"
	"fairness distinguishes, without the default ones.\n";

static void print_runs(struct cell cells[][SEARCHES][COLUMNS])
{
	int search, k;
	size_t i;

	fputs(head_runs, stdout);
	print_columns("| program | search | states |");
	for (i = 0; i < n_covers; i++) {
		struct numbers fair = { 0 }, all = { 0 };

		printf("| %s | all | ", covers[i].name);
		enumerate_states(covers[i].program, -1, &all);
		for (k = 0; k < COLUMNS; k++) {
			struct numbers cut = { 0 };
			double n = count_schedules(covers[i].program, k ? depth(k) : 0,
						   k ? &cut : &fair);

			if (!k)
				printf("%zu of %zu |", common(&all, &fair), all.n);
			print_number(n);
			numbers_free(&cut);
		}
		putchar('\n');
		numbers_free(&fair);
		numbers_free(&all);
		for (search = 0; search < SEARCHES; search++) {
			printf("| %s | %s | |", covers[i].name, names[search]);
			for (k = 0; k < COLUMNS; k++)
				printf(" %llu%s |", (unsigned long long)cells[i][search][k].runs,
				       cells[i][search][k].by_states ? "°" : "");
			putchar('\n');
		}
	}
	putchar('\n');
}

void print_cover(void)
{
	static struct cell cells[8][SEARCHES][COLUMNS];
	int search, k;
	size_t i;

	printf(head, (unsigned long long)limit(1), (unsigned long long)limit(0));
	print_columns("| program | search | total |");
	for (i = 0; i < n_covers; i++)
		for (search = 0; search < SEARCHES; search++) {
			struct numbers total = { 0 };

			enumerate_states(covers[i].program, search >= DFS ? -1 : search + 1,
					 &total);
			for (k = 0; k < COLUMNS; k++)
				fill(&covers[i], search, k, &total, &cells[i][search][k]);
			print_row(&covers[i], search, cells[i][search], total.n);
			fflush(stdout);
			numbers_free(&total);
		}
	print_runs(cells);
}
