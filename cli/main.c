// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl: the table of commands and nothing else. Each command is one
 * cmd_*.c; what they share is in opts.c, out.c, session.c, where.c.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "plain.h"

static const struct command commands[] = {
	{ "explore", cmd_explore, "search the interleavings of a program for a bug" },
	{ "test", cmd_test, "search each case of a program with tests" },
	{ "replay", cmd_replay, "run a recorded schedule again" },
	{ "step", cmd_step, "choose a schedule by hand, decision by decision" },
	{ "shrink", cmd_shrink, "make a failing schedule as small as possible" },
	{ "run", cmd_run, "run a program once, under control" },
	{ "show", cmd_show, "print the contents of a trace" },
	{ "races", cmd_races, "run a program a few times and print its data races" },
	{ "cover", cmd_cover, "search a program with several inputs, each iRoot once" },
	{ "coverage", cmd_coverage, "print what searches with a memo have covered" },
	{ "shard", cmd_shard, "cut a search into files, run one, put results together" },
	{ "attach", cmd_attach, "watch a running process, or take control of it" },
	{ "detach", cmd_detach, "release a process from control" },
	{ "status", cmd_status, "list the groups under control on this machine" },
	{ "vm", cmd_vm, "keep a VM ready for the next command" },
	{ "doctor", cmd_doctor, "check what this machine can do, and say what to install" },
	{ "version", cmd_version, "print versions" },
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(FILE *to)
{
	size_t i;

	fprintf(to, "usage: chessctl COMMAND [OPTION...]\n\n"
		"Finds, records and replays the interleavings that break a program.\n\n"
		"commands:\n");
	for (i = 0; i < N_COMMANDS; i++)
		if (commands[i].summary)
			fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
	fprintf(to, "\nchessctl COMMAND --help prints the options. Start with:\n"
		"  chessctl explore -- ./program\n");
}

int main(int argc, char **argv)
{
	size_t i;

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");	/* numbers are for scripts, too */
	plain_streams();
	if (argc < 2) {
		help(stderr);
		return CLI_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		help(stdout);
		return out_finish(CLI_OK);
	}
	if (!strcmp(argv[1], "--version"))
		argv[1] = (char *)"version";
	for (i = 0; i < N_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return out_finish(commands[i].main(argc - 1, argv + 1));
	return cli_fail(CLI_USAGE, "unknown command '%s'; chessctl --help lists the commands",
			argv[1]);
}
