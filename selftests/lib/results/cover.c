// SPDX-License-Identifier: GPL-2.0-only
/*
 * PLDI'08, table 2 and figure 5: states and runs of searches with and without
 * fairness.
 */
#include <stdio.h>
#include <stdlib.h>

#include "results.h"

/* More runs for what the table is about, and where they are enough to end. */
#define FAIR_FACTOR	6
#define DFS_FACTOR	7
#define SHALLOW_FACTOR	60	/* also for dfs with fairness */
#define SHALLOW		30	/* greatest depth of those */

#define COLUMNS	(1 + COVER_DEPTHS)	/* fair, then one for each depth */
/* Those of the paper, and icb without bound. */
#define SEARCHES	(COVER_SEARCHES + 1)
#define DFS		(COVER_SEARCHES - 1)
#define ICB		COVER_SEARCHES

static const char *const head =
	"## States reached: PLDI'08, table 2\n"
	"\n"
	"States visited by a stateless search within 1, 2 and 3 preemptions (cb) and without\n"
	"bound, with fairness and without; without, runs are cut at a depth (db). *total* is a\n"
	"search that remembers states, `selftests/lib/results/enumerate.c`. Each cell is the\n"
	"paper's figure / ours; * marks a search that was stopped, theirs after 5000 seconds, ours\n"
	"after %llu runs (icb with fairness: %llu; dfs: %llu, with fairness or db=20 and 30 %llu). In\n"
	"brackets how much of our total was reached, where it is not all.\n"
	"\n"
	"*dfs* is with the reductions `hb,sleep,yield`, as CHESS's has sleep sets (docs/search.md). They lose\n"
	"no state without a bound on preemptions. The hash of a prefix's happens-before order\n"
	"determines the state, and what fairness knows is hashed with it, so of all prefixes that lead to\n"
	"both one is followed. Sleep sets leave\n"
	"out ways, not states: of the orders of independent steps that lead to a state the\n"
	"first is kept (Godefroid, LNCS 1032, on sleep sets alone; it is persistent sets that keep\n"
	"deadlocks only). Rows cb are without reductions: with a bound what is kept is the orders of whole\n"
	"runs, and a state between two steps may be left out. *icb* has no bound and no\n"
	"reductions; its tree is that of dfs, but a search that is stopped has seen more than one corner.\n"
	"At yields fairness lets others go on for free, which is a preemption without; so a bounded\n"
	"search has states that are beyond its bound in *total*, as the paper's has (171 of 167).\n"
	"\n"
	"The paper does not say what it takes for the state of a program, nor how much its work\n"
	"queue is used, so totals differ; what is compared is the part reached of the total. The philosophers\n"
	"are its figure 1 line by line, with T0 one of them (its table 1 has three threads), and the end\n"
	"of a thread is no point; that a thread has begun is one here. In the queue, one thief steals\n"
	"twice, two once each; T0 pushes two items and pops as often, with *one item* one. The lock is a variable; with two\n"
	"thieves and two items a task tries four times before it yields, as in CHESS's test, else once. It\n"
	"ends runs that reach the depth with a random walk, whose states count too; here they end.\n";

static const char *const names[SEARCHES] = { "cb=1", "cb=2", "cb=3", "dfs", "icb" };

struct cell {
	bool stopped;
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

/* 0: none, for it ends by itself. */
static uint64_t limit(int search, int column)
{
	if (search == DFS)
		return limit_runs * (!column || depth(column) <= SHALLOW ? SHALLOW_FACTOR : DFS_FACTOR);
	if (column)
		return limit_runs;
	return search == ICB ? FAIR_FACTOR * limit_runs : 0;
}

static void fill(const struct cover *c, int search, int column, const struct numbers *total,
		 struct cell *cell)
{
	bool all = search >= DFS;
	struct search s = {
		.program = c->program, .opts = { .enabled = SIM_CHESS },
		.explore = {
			.strategy = search == DFS ? "dfs" : "icb",
			.reduce = search == DFS ? CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP |
				CHESS_REDUCE_YIELD : 0,
			.bound = all ? UINT32_MAX : search + 1U,
			.max_runs = limit(search, column),
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
		.states = s.states.n, .of_total = common(total, &s.states),
	};
	if (s.result.left_out[CHESS_LEFT_OUT_UNSOUND]) {
		fprintf(stderr, "%s: %s\n", c->name, s.result.why);
		exit(1);
	}
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

	if (search == ICB)
		printf("| %s | icb | %zu |", c->name, total);
	else
		printf("| %s | %s | %s / %zu |", c->name, names[search],
		       paper(c->total[search], false), total);
	for (k = 0; k < COLUMNS; k++) {
		if (search == ICB)
			putchar(' ');
		else
			printf(" %s / ", paper(k ? c->unfair[search][k - 1] : c->fair[search],
					       c->stopped[search] >> k & 1));
		printf("%zu%s", cell[k].states, cell[k].stopped ? "*" : "");
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
	"Runs of the same searches; > says that one was stopped. *all* is how many schedules there are\n"
	"without bound, exactly, whether or not anybody can run them: counted along the edges of a graph of\n"
	"states and what fairness knows (`selftests/lib/results/schedules.c`), which has\n"
	"the fair scheduler a second time and sees it leave out the same tasks at each decision. *states*:\n"
	"how many of *total* that graph has with fairness.\n"
	"\n"
	"The paper shows seconds, which grow exponentially with the depth without fairness. So do *all*\n"
	"and the runs of dfs, until the depth is that of the longest run. Within a bound on preemptions they do\n"
	"not: without fairness a yield passes the token on round robin here, and to leave that\n"
	"order costs a preemption, so that no cycle is unrolled more often than the bound allows.\n"
	"\n"
	"So what the searches that were stopped are short of: with fairness every state of all\n"
	"programs can be reached, also of the two stealers, where the paper's search timed out. Three philosophers,\n"
	"one stealer, and two of one item end: of 10^10 to 10^16 schedules one in a million or less is run. With two\n"
	"stealers of two items there are 10^64, and no search that remembers orders and not states ends on these.\n"
	"Within bounds, all searches with fairness end.\n";

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
			if (search == ICB)
				continue;
			printf("| %s | %s | |", covers[i].name, names[search]);
			for (k = 0; k < COLUMNS; k++)
				printf(" %s%llu |", cells[i][search][k].stopped ? ">" : "",
				       (unsigned long long)cells[i][search][k].runs);
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

	printf(head, (unsigned long long)limit_runs,
	       (unsigned long long)limit(ICB, 0), (unsigned long long)limit(DFS, COLUMNS - 1),
	       (unsigned long long)limit(DFS, 0));
	print_columns("| program | search | total |");
	for (i = 0; i < n_covers; i++)
		for (search = 0; search < SEARCHES; search++) {
			struct numbers total = { 0 };

			enumerate_states(covers[i].program, search >= DFS ? -1 : search + 1, &total);
			for (k = 0; k < COLUMNS; k++)
				fill(&covers[i], search, k, &total, &cells[i][search][k]);
			print_row(&covers[i], search, cells[i][search], total.n);
			fflush(stdout);
			numbers_free(&total);
		}
	print_runs(cells);
}
