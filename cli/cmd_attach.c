// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl attach: reads what was asked for, and hands over to the mode.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attach/attach.h"
#include "attach/process.h"
#include "session.h"

static struct {
	const char *record, *policy, *points;
	struct opt_perhaps perturb;
	unsigned int max_stall_ms;
	double seconds, max_slowdown;
	bool observe, tree, follow, json, explore, catch;
	const char *each, *strategy, *out;
	unsigned int bound;
	uint64_t runs;
	double run_timeout, blocked;
	const char *catch_at;
} opt = { .max_stall_ms = 1000, .strategy = "icb", .bound = 2, .run_timeout = 10 };

static const struct opt options[] = {
	{ "observe", OPT_FLAG, &opt.observe, NULL, "only watch, delay no task (default)", 0, 0, 0 },
	{ "record", OPT_STRING, &opt.record, "FILE",
	  "control round robin, and write a trace", 0, 0, 0 },
	{ "perturb", OPT_PERHAPS, &opt.perturb, "SEED",
	  "control with random decisions", 1, 1e15, 0 },
	{ "catch", OPT_FLAG, &opt.catch, NULL, "hold the tasks at a deadlock", 0, 0, 0 },
	{ "explore", OPT_FLAG, &opt.explore, NULL, "search; each run serves the command of --each",
	  0, 0, 0 },
	{ "each", OPT_STRING, &opt.each, "COMMAND",
	  "the request that each run of --explore serves", 0, 0, 0 },
	{ "tree", OPT_FLAG, &opt.tree, NULL, "include the descendants of the process", 0, 0, 0 },
	{ "follow", OPT_FLAG, &opt.follow, NULL,
	  "include children that are created later", 0, 0, 0 },
	{ "for", OPT_SECONDS, &opt.seconds, "SEC", "detach after this time", 0.001, 1e9, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object at the end", 0, 0, 0 },
	{ "policy", OPT_STRING, &opt.policy, "NAME",
	  "--perturb: decide by random (default) or pct", 0, 0, OPT_SCHEDULES },
	{ "strategy", OPT_STRING, &opt.strategy, "S",
	  "--explore: the strategy, see explore (icb)", 0, 0,
	  OPT_SCHEDULES },
	{ "bound", OPT_UINT, &opt.bound, "N", "--explore: at most N preemptions (2)", 0, 1000,
	  OPT_SCHEDULES },
	{ "runs", OPT_U64, &opt.runs, "N", "--explore: at most N runs", 1, 1e15, OPT_SCHEDULES },
	{ "out", OPT_STRING, &opt.out, "DIR", "--explore: folder for traces", 0, 0, OPT_SCHEDULES },
	{ "run-timeout", OPT_SECONDS, &opt.run_timeout, "SEC",
	  "--explore: time limit of COMMAND (10)", 0.1, 3600, OPT_END },
	{ "blocked", OPT_SECONDS, &opt.blocked, "SEC",
	  "--catch: hold also when a task waits so long for a lock", 0.001, 1e6, OPT_END },
	{ "catch-at", OPT_STRING, &opt.catch_at, "FILE:FUNC",
	  "--catch: hold also when this function is called", 0, 0, OPT_END },
	{ "points", OPT_STRING, &opt.points, "LIST",
	  "sync, syscalls, or all (default)", 0, 0, OPT_POINTS },
	{ "max-stall", OPT_UINT, &opt.max_stall_ms, "MS",
	  "release when a task was held for longer (1000)", 1, 3600000, OPT_TURNS },
	{ "max-slowdown", OPT_SECONDS, &opt.max_slowdown, "N",
	  "release when more than N tasks could run on average", 1, 10000, OPT_TURNS },
};

static const struct usage usage = {
	"attach", "PID",
	"Watches the tasks of a running process, or takes control of them.",
	OPERANDS_ANY, options, sizeof(options) / sizeof(options[0]),
};

static bool read_pid(const char *text, pid_t *pid)
{
	char *end;
	long n = strtol(text, &end, 10);

	*pid = (pid_t)n;
	return end != text && !*end && n > 0 && n == *pid;
}

/* For users who gave none. It is printed, so that it can be given the next time. */
static uint64_t new_seed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_nsec ^ (uint64_t)now.tv_sec << 20 ^ (uint64_t)getpid() << 40) % 1000000 + 1;
}

/* What belongs to a mode that was not asked for, and what a mode needs. */
static int check_modes(void)
{
	int modes = opt.observe + !!(opt.record || opt.perturb.given) + opt.explore + opt.catch;

	if (modes > 1 && !opt.observe)
		return cli_fail(CLI_USAGE,
				"attach: --explore and --catch are modes of their own; give one of them");
	if (opt.explore && !opt.each)
		return cli_fail(CLI_USAGE,
				"attach: --explore needs a command that asks the service for something and returns; give it with --each 'COMMAND'");
	if (opt.each && !opt.explore)
		return cli_fail(CLI_USAGE, "attach: --each says what --explore repeats; give both");
	if (opt.blocked > 0 && !opt.catch)
		return cli_fail(CLI_USAGE, "attach: --blocked says when --catch stops; give both");
	if (opt.catch_at && !opt.catch)
		return cli_fail(CLI_USAGE, "attach: --catch-at says where --catch stops; give both");
	if (opt.catch_at && !attach_place_valid(opt.catch_at))
		return cli_fail(CLI_USAGE, "attach: --catch-at takes FILE:FUNCTION, or FILE:PROVIDER:NAME for a USDT probe, not '%s'",
				opt.catch_at);
	return CLI_PROCEED;
}

static int check(bool observe)
{
	if (observe && (opt.record || opt.perturb.given || opt.explore || opt.catch))
		return cli_fail(CLI_USAGE,
				"attach: --observe only looks; give it without another mode");
	if (opt.policy && !opt.perturb.given)
		return cli_fail(CLI_USAGE, "attach: --policy says how --perturb decides; give both");
	if (opt.policy && strcmp(opt.policy, "random") && strcmp(opt.policy, "pct"))
		return cli_fail(CLI_USAGE, "attach: --policy takes 'random' and 'pct', not '%s'",
				opt.policy);
	return CLI_PROCEED;
}

/* Numbers are those seen from here; seen from inside they are others. */
static void say_inside(pid_t pid)
{
	pid_t inside = process_inside(pid);

	if (inside)
		cli_note("attach: process %d is pid %d in its own pid namespace", pid, inside);
}

int cmd_attach(int argc, char **argv)
{
	struct operands_list operands;
	struct attach_options o;
	int ret = opts_parse(&usage, argc, argv, &operands);
	char *points;

	if (ret != CLI_PROCEED)
		return ret;
	if (operands.n_first != 1 || !read_pid(operands.first[0], &o.pid))
		return cli_fail(CLI_USAGE,
				"attach: takes one process id; see chessctl attach --help");
	ret = check(opt.observe);
	if (ret == CLI_PROCEED)
		ret = check_modes();
	if (ret != CLI_PROCEED)
		return ret;
	ret = session_points("attach", opt.points, &points);
	if (ret != CLI_PROCEED)
		return ret;
	if (opt.perturb.given && !opt.perturb.value)
		opt.perturb.value = new_seed();
	o = (struct attach_options){
		.pid = o.pid, .tree = opt.tree, .follow = opt.follow, .json = opt.json,
		.seconds = opt.seconds, .record = opt.record, .seed = opt.perturb.value,
		.policy = opt.policy ? opt.policy : "random", .points = points,
		.max_stall_ms = opt.max_stall_ms, .max_slowdown = opt.max_slowdown,
		.each = opt.each, .strategy = opt.strategy, .out = opt.out, .bound = opt.bound,
		.runs = opt.runs, .run_timeout = opt.run_timeout, .blocked = opt.blocked,
		.catch_at = opt.catch_at,
		.mode = opt.perturb.given ? ATTACH_PERTURB : opt.record ? ATTACH_RECORD :
			opt.explore ? ATTACH_EXPLORE : opt.catch ? ATTACH_CATCH : ATTACH_OBSERVE,
	};
	say_inside(o.pid);
	ret = o.mode == ATTACH_OBSERVE ? attach_observe(&o) :
	      o.mode == ATTACH_EXPLORE ? attach_explore(&o) :
	      o.mode == ATTACH_CATCH ? attach_catch(&o) : attach_control(&o);
	free(points);
	return ret;
}
