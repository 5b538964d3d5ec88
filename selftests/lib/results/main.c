// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints docs/results.md: published figures beside ours. "make results" writes it.
 *
 *	results [goldens] [cover] [sct]		all without a name
 *
 * LIMIT: seconds for one search of those that may not end; default 5.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

double limit_seconds = 5;

static const char *const head =
	"# Results\n"
	"\n"
	"Figures that others published, beside those of this search engine, on programs that are\n"
	"modelled in user space (`selftests/lib/sim.h`); no kernel takes part. `make results`\n"
	"writes this file. Sources: the golden files of CHESS's Win32 tests; M. Musuvathi, S.\n"
	"Qadeer, *Fair Stateless Model Checking* (PLDI'08); the bug and schedule counts of\n"
	"SCTBench by Maple (*Maple: A Coverage-Driven Testing Tool for Multithreaded Programs*,\n"
	"OOPSLA'12), PERIOD and SURW.\n"
	"\n";

static bool wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	const char *seconds = getenv("LIMIT");

	if (seconds && atof(seconds) > 0)
		limit_seconds = atof(seconds);
	fputs(head, stdout);
	if (wanted("goldens", argc, argv))
		print_goldens();
	if (wanted("cover", argc, argv))
		print_cover();
	if (wanted("sct", argc, argv))
		print_sct();
	return 0;
}
