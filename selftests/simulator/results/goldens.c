// SPDX-License-Identifier: GPL-2.0-only
/*
 * CHESS's regression programs: its published figures, those of its rule on our model,
 * and those of our search.
 */
#include <stdio.h>

#include "chess_rule.h"
#include "results.h"

static const char *const head =
	"## CHESS's regression programs\n"
	"\n"
	"The table compares what CHESS's own tests expect (\"golden\" files of its Win32 suite) with\n"
	"the figures here, at 1 / 2 / 3 preemptions. *rule* is `selftests/simulator/chess_rule.c`: the\n"
	"search that CHESS does, on our model of the program. It shows that the models correspond to\n"
	"CHESS's programs. *icb* is `chess_explore()` on the same model. *classes* are distinct\n"
	"happens-before orders, for icb by `libchessctl/record/hb.c`. Searches end with the first bug. The\n"
	"run that shows it counts, except for CHESS when an assertion fails.\n"
	"\n"
	"CHESS's rule, which gives its figures: a point is each operation on a lock, event,\n"
	"semaphore or interlocked variable, each yield and join, and the beginning and the end of a\n"
	"thread; creation is two. A run may be left before any of them except creation and end.\n"
	"Leaving a thread that could run is a preemption, also after a yield, unless the priorities\n"
	"of yields forbid the thread to run. A prefix whose happens-before order was seen with fewer\n"
	"preemptions is run, but nothing is derived from it.\n"
	"\n"
	"One golden file, interlockedworkstealqueue's, is from an older CHESS (its trace has an\n"
	"operation that newer ones name differently, and another exit code). In that version a yield\n"
	"is a step of the order, and the step that a prefix ends with is not looked up, only those\n"
	"after it. With this rule all six figures match. With the newer one there are 3142 runs and\n"
	"889 classes with 3 preemptions, and the other figures are unchanged. The first 100 runs are\n"
	"the same by both, and so is the failing run in the file.\n"
	"\n"
	"icb therefore makes more runs where CHESS prunes (icb runs without reductions here), and\n"
	"where there are several creations or ends, before which it may switch as well. At a yield\n"
	"each task that fairness allows may run for free; for CHESS it is a preemption to leave a\n"
	"thread that yielded and may continue. So icb has more runs and classes at the same bound if\n"
	"a program yields. *incomplete*: stopped after %llu runs.\n";

static const char *const head_table =
	"\n"
	"| program | CHESS: runs | rule | icb | CHESS: classes | rule | icb | verdict | |\n"
	"|---|---|---|---|---|---|---|---|---|\n";

static void print_three(const unsigned int *n)
{
	int i;

	for (i = 0; i < GOLDEN_BOUNDS; i++)
		if (n[i])
			printf("%s%u", i ? " / " : " ", n[i]);
		else
			printf("%s–", i ? " / " : " ");
	printf(" |");
}

static bool same(const unsigned int *a, const unsigned int *b)
{
	int i;

	for (i = 0; i < GOLDEN_BOUNDS; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static void by_rule(const struct golden *g, unsigned int bound, struct chess_rule_count *out)
{
	struct sim_opts o = {
		.enabled = SIM_CHESS, .unfair = true, .max_points = g->max_points,
	};
	struct sim *sim = sim_new(&g->program, &o);
	struct chess_executor x = sim_executor(sim);

	chess_rule_search(&x, g->version, bound, out);
	sim_free(sim);
}

static void print_golden(const struct golden *g)
{
	unsigned int runs[2][GOLDEN_BOUNDS], classes[2][GOLDEN_BOUNDS], i;
	enum chess_verdict verdict = CHESS_VERDICT_OK;

	for (i = 0; i < GOLDEN_BOUNDS; i++) {
		struct search s = {
			.program = &g->program,
			.opts = { .enabled = SIM_CHESS, .max_points = g->max_points },
			.explore = { .bound = i + 1, .max_runs = limit_runs },
		};
		struct chess_rule_count c;

		by_rule(g, i + 1, &c);
		runs[0][i] = g->runs[i] ? c.runs : 0;
		classes[0][i] = g->classes[i] ? c.classes : 0;
		search_run(&s);
		runs[1][i] = s.result.runs;
		classes[1][i] = s.classes.n;
		verdict = s.result.verdict;
		search_free(&s);
	}
	printf("| %s |", g->program.name);
	print_three(g->runs);
	print_three(runs[0]);
	print_three(runs[1]);
	print_three(g->classes);
	print_three(classes[0]);
	print_three(classes[1]);
	printf(" %s", chess_verdict_name(g->verdict));
	if (verdict != g->verdict)
		printf(", icb %s", chess_verdict_name(verdict));
	if (g->verdict_from)
		printf(", from %u on", g->verdict_from);
	printf(" | %s |\n", g->differs ? g->differs :
	       !same(runs[0], g->runs) || !same(classes[0], g->classes) ? "not explained" :
	       g->version == CHESS_RULE_OLDER ? "=, rule of an older CHESS" : "=");
}

void print_goldens(void)
{
	size_t i;

	printf(head, (unsigned long long)limit_runs);
	fputs(head_table, stdout);
	for (i = 0; golden_at(i); i++) {
		print_golden(golden_at(i));
		fflush(stdout);
	}
	putchar('\n');
}
