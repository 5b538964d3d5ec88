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
	"States visited by a stateless search within 1, 2 and 3 preemptions (cb) and without\n"
	"bound, with fairness and without; without, runs are cut at a depth (db). *total* is a\n"
	"search that remembers states, `selftests/simulator/results/enumerate.c`. Each cell is the\n"
	"paper's figure / ours; * marks a search of theirs that was stopped, after 5000 seconds. Ours\n"
	"all end. In brackets how much of our total was reached, where it is not all: there are so\n"
	"many states up to that depth, without fairness, where who yields lets others go on.\n"
	"\n"
	"*dfs* is with the reductions `hb,sleep,yield`, as CHESS's has sleep sets (docs/proofs.md). Where\n"
	"that does not end within %llu runs (with fairness %llu) it is dfs by states instead, and ° marks the figure.\n"
	"*states* has dfs by states in each column. That is no stateless search as the paper's is: the model tells its state at each decision,\n"
	"and a run is not followed from a state, with what fairness knows and at the depth at which it is, where another one was. A program under the kernel tells none.\n"
	"So ° says which states there are to be reached, and that they are, not what a search that knows orders alone\n"
	"would get to. `hb,sleep,yield` loses\n"
	"no state without a bound on preemptions. The hash of a prefix's happens-before order\n"
	"determines the state, and what fairness knows is hashed with it, so of all prefixes that lead to\n"
	"both one is followed. Sleep sets leave\n"
	"out ways, not states: of the orders of independent steps that lead to a state the\n"
	"first is kept (Godefroid, LNCS 1032, on sleep sets alone; it is persistent sets that keep\n"
	"deadlocks only). Rows cb are without reductions: with a bound what is kept is the orders of whole\n"
	"runs, and a state between two steps may be left out.\n"
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
	"Runs of the same searches; ° says that it is dfs by states. *all* is how many schedules there are\n"
	"without bound, exactly, whether or not anybody can run them: counted along the edges of a graph of\n"
	"states and what fairness knows (`selftests/simulator/results/schedules.c`), which has\n"
	"the fair scheduler a second time and sees it leave out the same tasks at each decision. *states*:\n"
	"how many of *total* that graph has with fairness.\n"
	"\n"
	"The paper shows seconds, which grow exponentially with the depth without fairness. So do *all*\n"
	"and the runs of dfs, until the depth is that of the longest run. Within a bound on preemptions they do\n"
	"not: without fairness a yield passes the token on round robin here, and to leave that\n"
	"order costs a preemption, so that no cycle is unrolled more often than the bound allows.\n"
	"\n"
	"With fairness every state of all programs is reached, also of the two stealers, where the paper's search timed out. By orders\n"
	"three philosophers, one stealer, and two of one item end: of 10^10 to 10^16 schedules one in a million or less is run. Two\n"
	"stealers of two items have 10^64, and no search that remembers orders and not states ends on these; by states\n"
	"it takes as many runs as there are ways out of the states that fairness makes different, less those that are the default's.\n";

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
