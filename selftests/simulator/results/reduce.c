// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs with and without reductions, on CHESS's regression programs and SCTBench's.
 */
#include <stdio.h>
#include <stdlib.h>

#include "results.h"

#define BOUND		3
#define LEAST_RUNS	100	/* fewer leave nothing to gain */
#define LIMIT_FACTOR	2
#define WAYS		5
#define BOTH		3	/* of the ways, on which nothing is assumed of yields */

static const struct {
	const char *name;
	unsigned int flags;
} ways[WAYS] = {
	{ "none", 0 }, { "hb", CHESS_REDUCE_HB }, { "sleep", CHESS_REDUCE_SLEEP },
	{ "hb,sleep", CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP },
	{ "hb,sleep,yield", CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP | CHESS_REDUCE_YIELD },
};

static const char *const head =
	"## Reductions\n"
	"\n"
	"Runs of icb within 3 preemptions, as under the module (a task that needs a held lock tries\n"
	"it, then blocks), without and with `--reduce`, whether or not there are bugs\n"
	"(`--keep-going`). The programs are those of CHESS's regression programs and SCTBench's that\n"
	"have at least 100 runs without reductions and end within %llu. *classes*: happens-before\n"
	"classes of the runs that are ok. *verdict*: the first one that is not ok. *same*: the first\n"
	"four end with the same verdict and the same set of classes. *gain*: runs without reductions\n"
	"divided by runs with both; medians are of programs with the same classes.\n"
	"\n"
	"With *yield* a yield does not order anything (docs/proofs.md). It is not meant for a program\n"
	"that yields while it waits for memory without points (dekker, fairness2): ! says that the\n"
	"search ended `incomplete` or with other classes.\n"
	"\n"
	"In one program classes are lost. interlockedworkstealqueue releases its lock by a plain\n"
	"store, after a point without a variable, as CHESS's program does. So operations that seem\n"
	"independent are not, which violates what reductions rest on (docs/proofs.md). With `hb` the\n"
	"search notices and is `incomplete`; sleep sets never make the two orders that would show it.\n"
	"\n"
	"The programs are in two groups. The difference is what an operation depends on. Operations\n"
	"on locks, semaphores, events and variables depend only on those on the same object. An\n"
	"operation with a time-out depends on everything: when its deadline passes depends on the\n"
	"clock, which each yield advances, so everything before it comes first. The same holds before\n"
	"a yield, because the tasks that fairness leaves out depend on which tasks took a step since;\n"
	"*yield* keeps these apart. With a wait or yield in each loop hardly any two prefixes have the\n"
	"same order, so the second group gains less. How much a program without yields gains depends\n"
	"on how often its tasks meet: a program in which each operation is on one lock has as many\n"
	"orders as schedules.\n";

struct row {
	const char *name;
	uint64_t runs[WAYS];
	size_t classes;
	enum chess_verdict verdict;
	bool same[WAYS], yields;
};

static bool fill(const struct sim_program *p, unsigned int max_points, struct row *row)
{
	struct search s[WAYS];
	bool wanted = true;
	int k, n;

	*row = (struct row){ .name = p->name };
	for (n = 0; n < WAYS && wanted; n++) {
		s[n] = (struct search){
			.program = p,
			.opts = { .enabled = SIM_KERNEL, .max_points = max_points },
			.explore = {
				.bound = BOUND, .reduce = ways[n].flags,
				.max_runs = LIMIT_FACTOR * limit_runs, .keep_going = true,
			},
		};
		search_run(&s[n]);
		row->runs[n] = s[n].result.runs;
		row->same[n] = s[n].result.verdict == s[0].result.verdict &&
			       numbers_same(&s[0].classes, &s[n].classes);
		wanted = s[0].result.runs < LIMIT_FACTOR * limit_runs &&
			 s[0].result.runs >= LEAST_RUNS;
	}
	for (k = 1; k < n && k <= BOTH; k++)
		row->same[0] = row->same[0] && row->same[k];
	row->classes = s[0].classes.n;
	row->verdict = s[0].result.verdict;
	row->yields = s[0].yields;
	for (k = 0; k < n; k++)
		search_free(&s[k]);
	return wanted;
}

static double gain(const struct row *r, int way)
{
	return (double)r->runs[0] / r->runs[way];
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Of the rows in @groups: bit 0 those without yields, bit 1 those with. */
static double median(const struct row *row, size_t n, unsigned int groups, int way)
{
	double gains[64];
	size_t i, k = 0;

	for (i = 0; i < n; i++)
		if (groups >> row[i].yields & 1 && row[i].same[0] && row[i].same[way])
			gains[k++] = gain(&row[i], way);
	if (!k)
		return 0;
	qsort(gains, k, sizeof(*gains), by_size);
	return (gains[(k - 1) / 2] + gains[k / 2]) / 2;
}

static void print_group(const struct row *row, size_t n, bool group, const char *title)
{
	size_t i;
	int k;

	printf("\n| %s |", title);
	for (k = 0; k < WAYS; k++)
		printf(" %s |", ways[k].name);
	printf(" gain | classes | verdict | |\n|---|---|---|---|---|---|---|---|---|---|\n");
	for (i = 0; i < n; i++) {
		if (row[i].yields != group)
			continue;
		printf("| %s |", row[i].name);
		for (k = 0; k < WAYS; k++)
			printf(" %llu%s |", (unsigned long long)row[i].runs[k],
			       k && !row[i].same[k] ? "!" : "");
		printf(" %.1f | %zu | %s | %s |\n", gain(&row[i], BOTH), row[i].classes,
		       chess_verdict_name(row[i].verdict),
		       row[i].same[0] ? "same" : "classes differ");
	}
	printf("| median gain | |");
	for (k = 1; k < WAYS; k++)
		printf(" %.1f |", median(row, n, 1 << group, k));
	printf(" %.1f | | | |\n", median(row, n, 1 << group, BOTH));
}

void print_reduce(void)
{
	struct row row[64];
	size_t i, n = 0;

	printf(head, (unsigned long long)(LIMIT_FACTOR * limit_runs));
	for (i = 0; golden_at(i) && n < COUNT_OF(row); i++)
		n += fill(&golden_at(i)->program, golden_at(i)->max_points, &row[n]);
	for (i = 0; sct_at(i) && n < COUNT_OF(row); i++)
		n += fill(&sct_at(i)->program, 0, &row[n]);
	print_group(row, n, false, "without yields and time-outs");
	print_group(row, n, true, "with them");
	printf("\nMedian of all that are the same: %.1f; without yields and time-outs: %.1f; of all, with\n"
	       "*yield*: %.1f.\n\n", median(row, n, 3, BOTH), median(row, n, 1, BOTH),
	       median(row, n, 3, WAYS - 1));
}
