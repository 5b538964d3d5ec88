// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl shard: a search in pieces. Its command line; split.c, run.c and merge.c do the rest.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "shard/internal.h"
#include "shard/submit.h"

static struct shard_asked asked;

static const struct opt own_options[] = {
	{ "shards", OPT_UINT, &asked.shards, "N", "split: make N shards; submit: run N at a time (4)", 1, 1000000, 0 },
	{ "from", OPT_LIST, &asked.from, "FILE",
	  "split: what shards have left over; may be given again", 0, 0, 0 },
	{ "image", OPT_STRING, &asked.image, "NAME",
	  "split: what the program's files are in (as installed)", 0, 0, 0 },
};

#define N_OWN	(sizeof(own_options) / sizeof(own_options[0]))

static const char *const without[] = {
	"explain", "no-predict", "memo", "skip-ordered", "html", NULL,
};

/* What may be said to run a shard, or to merge: all else is in the files. */
static const char *const for_run[] = {
	"bound", "runs", "time", "jobs", "out", "json", "no-bpf", "progress", "vm", "host", "kernel",
	NULL,
};

static const char *const for_merge[] = { "out", "json", "progress", NULL };

static bool is_in(const char *word, const char *const *list)
{
	size_t n = strcspn(word + 2, "=");

	for (; *list; list++)
		if (strlen(*list) == n && !strncmp(*list, word + 2, n))
			return true;
	return false;
}

/* Only these options are for the command. */
static int check_given(const char *command, char *const *given, const char *const *list)
{
	const char *other = submit_option_given();

	if (other)
		return cli_fail(CLI_USAGE, "shard %s: --%s is for 'shard submit'", command, other);
	if (asked.shards || asked.from.n || asked.image)
		return cli_fail(CLI_USAGE, "shard %s: --shards, --from and --image are for 'shard split'",
				command);
	if (asked.program)
		return cli_fail(CLI_USAGE, "shard %s: the files say which program it is; leave it out",
				command);
	for (; *given; given++)
		if (!strncmp(*given, "--", 2) && !is_in(*given, list))
			return cli_fail(CLI_USAGE, "shard %s: '%s' is for 'shard split'; the files have it",
					command, *given);
	return CLI_PROCEED;
}

bool shard_option_has_value(const char *option)
{
	const struct usage *u = explore_usage();
	size_t i;

	for (i = 0; i < u->n; i++)
		if (!strcmp(u->opts[i].name, option + 2))
			return u->opts[i].kind != OPT_FLAG && u->opts[i].kind != OPT_PERHAPS;
	return false;
}

static int dispatch(void)
{
	const char *command = asked.n_files ? asked.files[0] : "";
	int code;

	asked.files++;
	asked.n_files--;
	if (!strcmp(command, "submit"))
		return shard_submit(&asked);
	if (!strcmp(command, "split") && submit_option_given())
		return cli_fail(CLI_USAGE, "shard split: --%s is for 'shard submit'",
				submit_option_given());
	if (!strcmp(command, "split"))
		return shard_split(&asked);
	if (!strcmp(command, "run")) {
		code = check_given(command, asked.given, for_run);
		return code == CLI_PROCEED ? shard_run(&asked) : code;
	}
	if (!strcmp(command, "merge")) {
		code = check_given(command, asked.given, for_merge);
		return code == CLI_PROCEED ? shard_merge(&asked) : code;
	}
	return cli_fail(CLI_USAGE, "shard: say what is to be done: split, run, merge or submit, and not '%s'; see chessctl shard --help",
			command);
}

int cmd_shard(int argc, char **argv)
{
	struct operands_list operands;
	struct usage usage = {
		"shard", "split|submit -- PROGRAM [ARG...] | run FILE | merge FILE...",
		"split cuts a search into shards, files that other machines run; run runs one, and\n"
		"hands back what it did not get to as another shard; merge puts results together.\n"
		"submit does all of that, with a batch engine that runs the shards.\n"
		"Exit codes of run, merge and submit: 0 no bug within the bound, 1 bug, 2 usage,\n"
		"3 environment, 4 incomplete.",
		OPERANDS_MIXED, NULL, 0,
	};
	struct opt own[N_OWN + SUBMIT_OPTIONS], *options;
	char **end;
	int code;

	memcpy(own, own_options, sizeof(own_options));
	memcpy(own + N_OWN, submit_options, SUBMIT_OPTIONS * sizeof(*own));
	options = explore_options_with(own, N_OWN + SUBMIT_OPTIONS, without, &usage.n);

	for (end = argv + 1; *end && strcmp(*end, "--"); end++)
		;
	usage.opts = options;
	asked.argc = argc;
	asked.argv = cli_alloc(argc + 1, sizeof(*argv));
	memcpy(asked.argv, argv, argc * sizeof(*argv));
	/* Before it is read, as that takes what stands in front of "--" into another order. */
	asked.given = explore_options_given(options, usage.n, N_OWN + SUBMIT_OPTIONS, argv, end);
	code = opts_parse(&usage, argc, argv, &operands);
	if (code == CLI_PROCEED)
		code = out_progress_check("shard");
	if (code == CLI_PROCEED) {
		asked.files = operands.first;
		asked.n_files = operands.n_first;
		asked.program = operands.program;
		code = dispatch();
	}
	free(asked.given);
	free(asked.argv);
	free(options);
	return code;
}
