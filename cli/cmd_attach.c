// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl attach: reads what was asked for, and hands over to the mode.
 */
#include <stdlib.h>

#include "attach.h"

static struct {
	const char *record;
	uint64_t seed;
	unsigned int max_stall_ms;
	double seconds;
	bool observe, tree, follow, json;
} opt = { .max_stall_ms = 1000 };

static const struct opt options[] = {
	{ "observe", OPT_FLAG, &opt.observe, NULL, "look only, no gating (default)", 0, 0 },
	{ "record", OPT_STRING, &opt.record, "FILE",
	  "control with the default policy, and keep a trace", 0, 0 },
	{ "perturb", OPT_U64, &opt.seed, "SEED", "control with random decisions", 1, 1e15 },
	{ "tree", OPT_FLAG, &opt.tree, NULL, "its descendants too", 0, 0 },
	{ "follow", OPT_FLAG, &opt.follow, NULL, "and those it will create", 0, 0 },
	{ "for", OPT_SECONDS, &opt.seconds, "SEC", "detach after this time", 0.001, 1e9 },
	{ "max-stall", OPT_UINT, &opt.max_stall_ms, "MS",
	  "hold no task longer than this (default 1000)", 1, 3600000 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object at the end", 0, 0 },
};

static const struct usage usage = {
	"attach", "PID",
	"Looks at, or takes control of, the tasks of a process that is running.",
	OPERANDS_ANY, options, sizeof(options) / sizeof(options[0]),
};

static bool read_pid(const char *text, pid_t *pid)
{
	char *end;
	long n = strtol(text, &end, 10);

	*pid = (pid_t)n;
	return end != text && !*end && n > 0 && n == *pid;
}

int cmd_attach(int argc, char **argv)
{
	struct operands_list operands;
	struct attach_options o;
	int ret = opts_parse(&usage, argc, argv, &operands);

	if (ret != -1)
		return ret;
	if (operands.n_first != 1 || !read_pid(operands.first[0], &o.pid))
		return cli_fail(CLI_USAGE,
				"attach: takes one process id; see chessctl attach --help");
	o = (struct attach_options){
		.pid = o.pid, .tree = opt.tree, .follow = opt.follow, .json = opt.json,
		.seconds = opt.seconds, .record = opt.record, .seed = opt.seed,
		.max_stall_ms = opt.max_stall_ms,
		.mode = opt.record ? ATTACH_RECORD : opt.seed ? ATTACH_PERTURB : ATTACH_OBSERVE,
	};
	if (opt.observe + !!opt.record + !!opt.seed > 1)
		return cli_fail(CLI_USAGE,
				"attach: --observe, --record and --perturb are three modes; give one");
	return o.mode == ATTACH_OBSERVE ? attach_observe(&o) : attach_control(&o);
}
