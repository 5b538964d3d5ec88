// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench: schedules up to the first that shows the bug.
 */
#include <stdio.h>

#include "results.h"

#define SEEDS		20
#define RUNS_MAX	10000

static const char *const head =
	"## SCTBench: schedules to the first bug\n"
	"\n"
	"Means as published beside ours: Maple's idiom-driven search, PERIOD, SURW, PCT of depth 3\n"
	"and 10, POS and a random walk, each of the last five with 20 seeds; then our search (icb,\n"
	"which has no seed) and our random strategies, 20 seeds each, up to 10000 runs; with how\n"
	"many of 20 found it where not all did. The programs are written again from SCTBench's\n"
	"(`selftests/lib/programs/sct_*.c`), and run as under the module (a lock that is taken is\n"
	"found so, then the task blocks). *bound*: preemptions of the run that icb found.\n"
	"\n";

static const char *const published[SCT_COLUMNS] = {
	"Maple", "PERIOD", "SURW", "PCT-3", "PCT-10", "POS", "RW",
};

static const char *const ours[] = { "delay", "pct", "pos", "surw", "random" };

static void print_number(double n)
{
	if (n < 0)
		printf(" – |");
	else
		printf(" %g |", n);
}

static struct search search_for(const struct sct *p, const char *strategy, uint64_t seed)
{
	struct search s = {
		.program = &p->program, .opts = { .enabled = SIM_KERNEL },
		.explore = {
			.strategy = strategy, .seed = seed, .bound = p->bound + 2,
			.max_runs = RUNS_MAX, .max_seconds = limit_seconds,
		},
	};

	search_run(&s);
	return s;
}

static void print_mean(const struct sct *p, const char *strategy)
{
	uint64_t seed, sum = 0;
	unsigned int found = 0;

	for (seed = 1; seed <= SEEDS; seed++) {
		struct search s = search_for(p, strategy, seed);

		if (s.result.verdict == p->verdict) {
			found++;
			sum += s.result.runs;
		}
		search_free(&s);
	}
	if (found)
		printf(" %.1f", (double)sum / found);
	if (found < SEEDS)
		printf(" (%u)", found);
	printf(" |");
}

static void print_row(const struct sct *p)
{
	struct search s = search_for(p, NULL, 0);
	size_t k;

	printf("| %s |", p->program.name);
	for (k = 0; k < SCT_COLUMNS; k++)
		print_number(p->schedules[k]);
	if (s.result.verdict == p->verdict)
		printf(" %llu | %zu |", (unsigned long long)s.result.runs, s.result.n_runs_at - 1);
	else
		printf(" not in %llu | |", (unsigned long long)s.result.runs);
	search_free(&s);
	for (k = 0; k < COUNT_OF(ours); k++)
		if (have_strategy(ours[k]))
			print_mean(p, ours[k]);
	putchar('\n');
}

void print_sct(void)
{
	size_t i, k, columns = SCT_COLUMNS + 3;

	fputs(head, stdout);
	printf("| program |");
	for (k = 0; k < SCT_COLUMNS; k++)
		printf(" %s |", published[k]);
	printf(" our icb | bound |");
	for (k = 0; k < COUNT_OF(ours); k++)
		if (have_strategy(ours[k])) {
			printf(" our %s |", ours[k]);
			columns++;
		}
	printf("\n|");
	for (k = 0; k < columns; k++)
		printf("---|");
	putchar('\n');
	for (i = 0; sct_at(i); i++) {
		print_row(sct_at(i));
		fflush(stdout);
	}
	putchar('\n');
}
