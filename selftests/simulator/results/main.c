// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints docs/results.md: published figures beside ours. "make results" writes it.
 *
 *	results [goldens] [cover] [reduce] [genmc] [sct]	all without a name
 *
 * LIMIT: runs of one search of those that may not end; default 50000.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

uint64_t limit_runs = 50000;

static const char *const head =
	"# Results\n"
	"\n"
	"This page compares published figures with those of this search engine, on programs that are\n"
	"modelled in user space (`selftests/simulator/sim.h`), without a kernel. `make results` writes this\n"
	"file. Sources: the golden files of CHESS's Win32 tests; M. Musuvathi, S. Qadeer, *Fair\n"
	"Stateless Model Checking* (PLDI'08); the bug and schedule counts of SCTBench by Maple (*Maple:\n"
	"A Coverage-Driven Testing Tool for Multithreaded Programs*, OOPSLA'12), PERIOD and SURW; the\n"
	"numbers of executions in GenMC's regression suite.\n"
	"\n";

static bool wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

static const char *const speed =
	"## Speed and memory\n"
	"\n"
	"`build/selftests/simulator/sim_bench` with these arguments: searches of a million runs, on the\n"
	"machine that wrote this file. *slowest* is the slowest 100,000 runs, by processor time. The\n"
	"aims are a million points a second and less than 200 MB. Only these figures differ from one\n"
	"writing of this file to the next.\n"
	"\n";

int main(int argc, char **argv)
{
	const char *runs = getenv("LIMIT");

	if (runs && atoll(runs) > 0)
		limit_runs = atoll(runs);
	fputs(head, stdout);
	if (wanted("goldens", argc, argv))
		print_goldens();
	if (wanted("cover", argc, argv))
		print_cover();
	if (wanted("reduce", argc, argv))
		print_reduce();
	if (wanted("genmc", argc, argv))
		print_genmc();
	if (wanted("sct", argc, argv))
		print_sct();
	/* Its figures come from another program, see the Makefile. */
	if (argc < 2)
		fputs(speed, stdout);
	return 0;
}
