// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl explore: run the program along one schedule after another until a
 * bug shows or the bound is exhausted. The search is the library's; this file
 * asks for it. bugs.c keeps what failed, explore.h names who writes what came of it.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "bugs.h"
#include "cli.h"
#include "estimate.h"
#include "explore.h"
#include "left.h"
#include "memo/remember.h"
#include "out.h"
#include "program.h"
#include "races.h"
#include "reducible.h"
#include "report/labels.h"
#include "resume.h"
#include "runs.h"
#include "scope.h"
#include "session_options.h"
#include "where.h"

/* Each has a processor to itself, or waits for one; the VM has room for so many. */
#define JOBS_MAX	64

/*
 * The bound where none is given, and so many runs of the bounded search in which it may rise: they
 * take a few seconds, in which a small program is through with more than two preemptions.
 */
#define BOUND_DEFAULT	2
#define BOUND_UNSET	UINT_MAX
#define GROW_RUNS	200
/* Whoever gives a time wants it used; schedules beyond the bound are kept for so many runs. */
#define GROW_RUNS_IN_TIME	20000

/* Of the name of a process, as the kernel keeps it. */
#define COMM_BYTES	15

static struct explore_options opt = { .bound = BOUND_UNSET, .jobs = 1 };

/* Where the search is a part of one; else NULL. */
static struct explore_part *part;

/* The library says which there are; see explore_usage(). */
static char strategy_help[160];

static const struct opt options[] = {
	{ "bound", OPT_UINT, &opt.bound, "N",
	  "at most N preemptions, or delays (2, or more in a short search)", 0, 1000, 0 },
	{ "strategy", OPT_STRING, &opt.strategy, "S",
	  strategy_help, 0, 0, 0 },
	{ "runs", OPT_U64, &opt.runs, "N", "stop after N runs", 1, 1e15, 0 },
	{ "time", OPT_SECONDS, &opt.time, "SEC", "stop after this time", 0.001, 1e9, 0 },
	{ "jobs", OPT_UINT, &opt.jobs, "N", "make N runs at a time (1)", 1, JOBS_MAX, 0 },
	{ "keep-going", OPT_FLAG, &opt.keep_going, NULL,
	  "continue after a bug, write up to 32 traces", 0, 0, 0 },
	{ "out", OPT_STRING, &opt.out, "DIR", "folder for traces (" OUT_DIR_DEFAULT ")", 0, 0, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object", 0, 0, 0 },
	{ "html", OPT_STRING, &opt.html, "DIR",
	  "write pages for a browser: of the search, and of each trace", 0, 0, OPT_AROUND },
	{ "depth", OPT_UINT, &opt.depth, "D",
	  "pct: depth of the bugs to look for (3)", 1, CHESS_MAX_CHANGES + 1, OPT_SCHEDULES },
	{ "window", OPT_UINT, &opt.window, "N",
	  "maple: points between two accesses of an idiom (30)", 1, 1e6, OPT_SCHEDULES },
	{ "seed", OPT_U64, &opt.seed, "N",
	  "seed for strategies that use chance (0)", 0, 1e18, OPT_SCHEDULES },
	{ "preempt-in", OPT_STRING, &opt.in, "LIST",
	  "preempt only in BINARY:FUNCTION,..", 0, 0, OPT_SCHEDULES },
	{ "no-preempt-in", OPT_STRING, &opt.not_in, "LIST",
	  "do not preempt in BINARY:FUNCTION,..", 0, 0, OPT_SCHEDULES },
	{ "reduce", OPT_STRING, &opt.reduce, "LIST",
	  "leave out equivalent schedules: dpor, or hb,sleep,yield", 0, 0, OPT_SCHEDULES },
	{ "explain", OPT_FLAG, &opt.explains, NULL,
	  "say where the search has its branches", 0, 0, 0 },
	{ "no-predict", OPT_FLAG, &opt.no_predict, NULL,
	  "make all runs, also where it is known what they would do", 0, 0, OPT_SCHEDULES },
	{ "memo", OPT_STRING, &opt.memo, "FILE",
	  "remember what runs expose; maple, rff and auto do not try it again", 0, 0, OPT_SCHEDULES },
	{ "skip-ordered", OPT_FLAG, &opt.skip_ordered, NULL,
	  "no preemption at objects that no tasks race for", 0, 0, OPT_SCHEDULES },
	{ "no-early", OPT_FLAG, &opt.session.no_early, NULL,
	  "time-outs happen only when no other task can run", 0, 0, OPT_TURNS },
	{ "early-max", OPT_SECONDS, &opt.session.early_max, "SEC",
	  "longer time-outs happen at their time, and not before", 0.001, 4e6, OPT_TURNS },
	{ "watchdog", OPT_LIST, &opt.session.watchdog, "PROC",
	  "nor do time-outs of the program of this name happen before", 0, 0, OPT_TURNS },
	{ "watchdogs", OPT_STRING, &opt.session.watchdogs, "WHEN",
	  "time limits for children pass late (default), early or never", 0, 0, OPT_TURNS },
	{ "wake", OPT_STRING, &opt.session.wake, "WHO",
	  "which waiter is woken: fifo (default) or any", 0, 0, OPT_TURNS },
	{ "spurious", OPT_FLAG, &opt.session.spurious, NULL,
	  "waits may end without a wake-up", 0, 0, OPT_TURNS },
	{ "no-bpf", OPT_FLAG, &opt.session.no_bpf, NULL,
	  "no kernel stacks, for quicker reports", 0, 0, OPT_AROUND },
	{ "continue", OPT_INSTEAD, &opt.resume, "DIR", NULL, 0, 0, 0 },
	CODE_OPTIONS(opt.session),
	SESSION_CODE_OPTIONS(opt.session),
	SURROUNDINGS_OPTIONS(opt.session),
	PROGRESS_OPTION,
	LABEL_OPTION,
	WHERE_OPTIONS(opt.where),
};

static const struct usage usage = {
	"explore", "-- PROGRAM [ARG...] | --continue DIR",
	"Searches the interleavings of PROGRAM. A bug leaves a trace.\n"
	"Exit codes: 0 no bug within the bound, 1 bug, 2 usage, 3 environment, 4 incomplete.",
	OPERANDS_PROGRAM, options, sizeof(options) / sizeof(options[0]),
};

const struct usage *explore_usage(void)
{
	snprintf(strategy_help, sizeof(strategy_help), "turns unless given; one of: %s",
		 chess_strategies());
	return &usage;
}

/* What may be given again for a search that is resumed; all else is in its journal. */
static struct {
	const char *dir;
	uint64_t runs;
	double time;
	unsigned int jobs;
	bool json, no_bpf;
	struct where where;
} more;

static const struct opt more_options[] = {
	{ "continue", OPT_STRING, &more.dir, "DIR", NULL, 0, 0, 0 },
	{ "runs", OPT_U64, &more.runs, "N", NULL, 1, 1e15, 0 },
	{ "time", OPT_SECONDS, &more.time, "SEC", NULL, 0.001, 1e9, 0 },
	{ "jobs", OPT_UINT, &more.jobs, "N", NULL, 1, JOBS_MAX, 0 },
	{ "json", OPT_FLAG, &more.json, NULL, NULL, 0, 0, 0 },
	{ "no-bpf", OPT_FLAG, &more.no_bpf, NULL, NULL, 0, 0, 0 },
	PROGRESS_OPTION,
	WHERE_OPTIONS(more.where),
};

static const struct usage more_usage = {
	"explore", "--continue DIR", "", OPERANDS_NONE, more_options,
	sizeof(more_options) / sizeof(more_options[0]),
};

static void write_progress(struct out_progress *progress, const struct chess_explore_progress *p)
{
	char rest[96], all[48];

	estimate_text(p->estimate, all, sizeof(all));
	if (chess_strategy_counts(opt.strategy))
		snprintf(rest, sizeof(rest), "%sbound %u, %u found", all, p->bound, p->found);
	else
		snprintf(rest, sizeof(rest), "%s%u found", all, p->found);
	out_progress(progress, &(struct out_work){
		.phase = "search", .runs = p->runs, .seconds = p->seconds,
		.estimate = p->estimate, .found = p->found,
		.bound = chess_strategy_counts(opt.strategy) ? (int64_t)p->bound : -1,
		.rest = rest,
	});
}

static bool show_progress(void *arg, const struct chess_explore_progress *p)
{
	struct bugs *bugs = arg;

	if (out_progress_due(bugs->progress, p->seconds))
		write_progress(bugs->progress, p);
	if (opt.curve)
		html_curve_add(opt.curve, &(struct html_sample){
			.runs = p->runs, .classes = p->classes, .seconds = p->seconds,
			.found = p->found,
		});
	bugs->bound = p->bound;
	session_limit_run(opt.time, p->seconds);
	return !session_interrupted();
}

/* What --reduce lists. Return: CLI_PROCEED, or an exit code after one sentence. */
static int read_reductions(void)
{
	const char *at = opt.reduce, *end;

	for (; at; at = *end ? end + 1 : NULL) {
		end = strchrnul(at, ',');
		if (end - at == 2 && !strncmp(at, "hb", 2))
			opt.reductions |= CHESS_REDUCE_HB;
		else if (end - at == 5 && !strncmp(at, "sleep", 5))
			opt.reductions |= CHESS_REDUCE_SLEEP;
		else if (end - at == 5 && !strncmp(at, "yield", 5))
			opt.reductions |= CHESS_REDUCE_YIELD;
		else if (end - at == 4 && !strncmp(at, "dpor", 4))
			opt.reductions |= CHESS_REDUCE_DPOR;
		else if (end - at == 5 && !strncmp(at, "state", 5))
			return cli_fail(CLI_USAGE,
					"explore: states of a real program cannot be compared, so 'state' is only for models; --reduce hb compares the order of its ops instead");
		else
			return cli_fail(CLI_USAGE,
					"explore: --reduce takes 'dpor', 'hb', 'sleep' and 'yield', not '%.*s'",
					(int)(end - at), at);
	}
	return CLI_PROCEED;
}

static struct chess_explore_opts wanted(void)
{
	return (struct chess_explore_opts){
		.sz = sizeof(struct chess_explore_opts), .bound = opt.bound,
		.strategy = opt.strategy, .max_runs = opt.runs, .max_seconds = opt.time,
		.seed = opt.seed, .keep_going = opt.keep_going, .depth = opt.depth,
		.iroot_window = opt.window,
		.in_scope = opt.in || opt.not_in ? scope_has : NULL, .scope_arg = opt.scope,
		.skip_ordered = opt.skip_ordered, .count_classes = true,
		.reduce = opt.reductions, .racing = opt.racing, .no_early = opt.session.no_early,
		.check_predicted = opt.no_predict, .memo = remember_memo(opt.remember),
		.grow_runs = !opt.grows ? 0 : opt.time ? GROW_RUNS_IN_TIME : GROW_RUNS,
	};
}

static void keep_classes(void *arg, const uint64_t *number, size_t n)
{
	struct explore_part *p = arg;

	free(p->classes);
	p->classes = cli_alloc(n + 1, sizeof(*number));
	memcpy(p->classes, number, n * sizeof(*number));
	p->n_classes = n;
}

struct chess_explore_opts explore_part_opts(const struct explore_part *p)
{
	struct chess_explore_opts eo = wanted();

	eo.from = p->from;
	eo.rest = p->rest;
	eo.enough = p->enough;
	eo.enough_runs = p->enough_runs;
	eo.levels = p->levels;
	eo.each_class = keep_classes;
	eo.class_arg = (void *)p;
	return eo;
}

static double seconds_of(void *arg)
{
	return chess_journal_seconds(((struct resume *)arg)->j);
}

/*
 * The reduction that goes by itself. Few of its runs differ in the order of independent ops alone,
 * by which a wrong guess about what is independent shows; the runs by chance do (turns).
 */
#define DEFAULT_REDUCE	CHESS_REDUCE_DPOR

/* The search begins again, so it has gone through nothing. */
static void forget_bound(const struct runs *runs)
{
	((struct bugs *)runs->arg)->bound = 0;
	explain_reset(opt.explain);
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Accesses that race; and those in loops in which tasks only wait, from the first run on: a task
 * waits there as it does at a synchronization function.
 */
static int set_points(void *arg, const uint32_t *sites, size_t n)
{
	const struct session *s = ((struct runs *)arg)->s;
	const struct chess_site_table *table = chess_runner_sites(s->runner);
	size_t all = chess_sites_total(table), k = 0, i;
	uint32_t *points, id;
	int ret;

	forget_bound(arg);
	if (!opt.has_races)
		return 0;
	points = cli_alloc(n + all + 1, sizeof(*points));
	for (i = 0; i < n; i++)
		points[k++] = sites[i];
	for (id = 1; id <= all; id++)
		if (chess_site_awaits(table, id))
			points[k++] = id;
	qsort(points, k, sizeof(*points), by_number);
	for (i = 0, n = 0; i < k; i++)
		if (!n || points[n - 1] != points[i])
			points[n++] = points[i];
	ret = runs_set_points(arg, points, n);
	free(points);
	return ret;
}

static int set_later(void *arg, const char *const *files)
{
	forget_bound(arg);
	return runs_set_later(arg, files);
}

static int set_long_rows(void *arg)
{
	forget_bound(arg);
	return runs_set_long_rows(arg);
}

/* Nothing begins again by that. */
static int set_quantum(void *arg, unsigned int times)
{
	return runs_set_quantum(arg, times);
}

/* Examined again each time: there may be more files by now. */
static enum chess_may_reduce may_reduce(void *arg)
{
	const struct session *s = ((struct bugs *)((struct runs *)arg)->arg)->s;

	free(opt.unreduced);
	opt.unreduced = reducible_why_not(s);
	return opt.unreduced ? CHESS_REDUCE_FIRST : CHESS_REDUCE_ONLY;
}

static void tell_flawed(void *arg, uint64_t runs, const char *flaw)
{
	(void)arg;
	free(opt.unreduced);
	opt.unreduced = cli_printf("%s", flaw);
	if (!opt.json)
		cli_note("run %llu showed that reductions may leave out too much: the search begins again without",
			 (unsigned long long)runs);
}

static void tell_came(void *arg, uint64_t runs, size_t n)
{
	(void)arg;
	cli_note("run %llu executed code of %zu file%s that had no traps: they are set, the search begins again",
		 (unsigned long long)runs, n, n == 1 ? "" : "s");
}

static void tell_rows(void *arg, uint64_t runs)
{
	(void)arg;
	cli_note("in run %llu a task took many points in a row that concern no other task: it may take 100000 now, the search begins again",
		 (unsigned long long)runs);
}

static void tell_quantum(void *arg, uint64_t runs)
{
	const struct session *s = ((struct bugs *)((struct runs *)arg)->arg)->s;

	cli_note("in run %llu a task computed for longer than a quantum: that is %u ms from there on",
		 (unsigned long long)runs, chess_runner_quantum(s->runner) / 1000);
}

static void tell_grown(void *arg, uint64_t runs, size_t n)
{
	(void)arg;
	cli_note("run %llu showed accesses that race or are atomic: %zu are points now, the search begins again",
		 (unsigned long long)runs, n);
}

static int make_search(const struct chess_executor *x, const struct chess_explore_opts *eo,
		       struct runs *runs, struct chess_race_search_result *races)
{
	const struct chess_race_search_opts ro = {
		.sz = sizeof(ro), .set_points = set_points, .arg = runs,
		.prelude = opt.has_races, .sparing = opt.chosen_points,
		.grown = opt.json ? NULL : tell_grown,
		.later = opt.later, .set_later = set_later, .came = opt.json ? NULL : tell_came,
		.set_long_rows = part && runs->s->long_rows ? NULL : set_long_rows,
		.rows_grew = opt.json ? NULL : tell_rows,
		.set_quantum = opt.session.quantum_ms || eo->from ? NULL : set_quantum,
		.quantum_grew = opt.json ? NULL : tell_quantum,
		.may_reduce = opt.chosen_reduce ? may_reduce : NULL, .flawed = tell_flawed,
	};

	return chess_explore_races(x, eo, &ro, races);
}

/* Does the search take schedules by their number of preemptions? */
static bool is_in_order(void)
{
	const char *counts = chess_strategy_counts(opt.strategy);

	return counts && !strcmp(counts, "preemption") && !opt.in && !opt.not_in &&
	       !opt.skip_ordered && !opt.reduce;
}

/* @over: nothing is left to run. */
static int search(struct session *s, struct runs *runs, struct out_dir *dir,
		  struct resume *resume, bool *over)
{
	struct out_progress progress = { 0 };
	struct chess_executor executor = runs_executor(runs);
	struct chess_explore_opts eo = part ? explore_part_opts(part) : wanted();
	struct chess_race_search_result races = { 0 };
	struct chess_explore_result res;
	struct bugs bugs = {
		.s = s, .dir = dir, .resume = resume, .progress = &progress,
		.in_order = is_in_order() && !part, .is_first = &races.is_first,
		.keeps_going = opt.keep_going,
	};
	const struct race_facts facts = { .s = s, .racing = opt.racing, .result = &races };
	struct left left = { .s = s, .dir = dir, .progress = &progress };
	struct explore_outcome x = {
		.asked = &opt, .s = s, .res = &res, .bugs = &bugs, .left = &left,
		.accesses = opt.has_races ? &facts : NULL,
	};
	struct explore_account account;
	struct chess_trace t;
	struct report report;
	bool bug;
	int ret, code;

	eo.progress = show_progress;
	eo.progress_arg = &bugs;
	eo.found = bugs_keep;
	eo.found_arg = &bugs;
	clock_gettime(CLOCK_REALTIME, &left.began);
	eo.left = left_keep;
	eo.left_arg = &left;
	eo.seconds = resume->j ? seconds_of : NULL;
	eo.seconds_arg = resume;
	eo.branch = opt.explain ? explain_branch : NULL;
	eo.branch_arg = opt.explain;
	runs->j = resume->j;
	runs->wanted = bugs_wants;
	runs->arg = &bugs;
	session_limit_run(opt.time, 0);
	ret = make_search(&executor, &eo, runs, &races);
	session_limit_run(0, 0);
	if (session_is_late())
		cli_note("note: the time was over while a run was in progress, and some seconds later the run was ended; it does not count");
	res = races.all;
	out_progress_done(&progress, &(struct out_work){
		.phase = "search", .runs = res.runs, .seconds = res.seconds,
		.estimate = res.estimate, .found = res.bugs,
		.bound = chess_strategy_counts(opt.strategy) ? (int64_t)res.bound : -1,
	});
	if (ret && ret != -EINTR) {
		bugs_clear(&bugs);
		left_clear(&left);
		return cli_fail(CLI_ENVIRONMENT, "the search ended: %s", chess_error());
	}
	if (session_interrupted() && !res.bad.record) {
		res.complete = false;
		res.verdict = CHESS_VERDICT_INCOMPLETE;
	}

	bug = res.bad.record && chess_verdict_is_bug(res.verdict);
	if (bug) {
		bugs_trace(&bugs, &res.bad, &t);
		report_open(&report, &t);
	}
	x.report = bug ? &report : NULL;
	explore_account_of(&x, &account);
	remember_end(opt.remember, &res, account.path);
	code = bug ? CLI_BUG : account.c.covered.ok ? CLI_OK : CLI_INCOMPLETE;
	if (part) {
		part->strict = runs->strict;
		code = part->end(part, &x, &account, code);
	} else if (opt.json) {
		explore_print_json(&x, &account);
	} else {
		explore_print(&x, &account);
	}
	if (opt.html)
		code = explore_pages_write(&x, &account, code);
	explore_account_clear(&account);
	if (bug)
		report_close(&report);
	bugs_clear(&bugs);
	left_clear(&left);
	*over = part ? part->written : !explore_may_go_on(&opt, &res);
	chess_explore_result_clear(&res);
	return code;
}

/* The command line of the search that goes on takes the place of ours. */
static int take_up(struct resume *r, int argc, char **argv, struct operands_list *operands)
{
	const struct where where = opt.where;
	int ret = opts_parse(&more_usage, argc, argv, operands);

	if (ret == CLI_PROCEED)
		ret = resume_find(r, more.dir);
	opt.json = opt.session.no_bpf = false;
	opt.runs = opt.time = 0;
	opt.jobs = 1;
	if (ret == CLI_PROCEED)
		ret = opts_parse(&usage, r->argc, r->argv, operands);
	if (ret != CLI_PROCEED)
		return ret;
	opt.where = where;
	opt.runs = more.runs ? more.runs : opt.runs;
	opt.time = more.time > 0 ? more.time : opt.time;
	opt.jobs = more.jobs ? more.jobs : opt.jobs;
	opt.json |= more.json;
	opt.session.no_bpf |= more.no_bpf;
	return CLI_PROCEED;
}

/* In the VM as here, but there nobody knows where we were when we began. */
static int go_where(const struct resume *r, const struct out_dir *dir, int argc, char **argv)
{
	char *pages = explore_pages_send(&opt, dir->path);
	char **all = cli_alloc(argc + 1, sizeof(*all));
	int i, ret;

	for (i = 0; i < argc; i++)
		all[i] = r->argv && argv[i] == more.dir ? r->path : argv[i];
	for (i = 0; i < argc; i++)
		if (r->argv && !strncmp(argv[i], "--continue=", 11))
			all[i] = cli_printf("--continue=%s", r->path);
	if (!r->argv && r->path)
		setenv("CHESS_JOURNAL", r->path, 1);
	ret = where_go(&opt.where, argc, all);
	unsetenv("CHESS_JOURNAL");
	free(all);
	return explore_pages_fetch(&opt, pages, ret);
}

/* With the module at hand. */
static int run_here(struct resume *resume, struct session *s, char **program, char *path,
		    struct out_dir *dir, bool *over)
{
	struct runs runs = { .racing = opt.has_races ? opt.racing : NULL };
	int ret;

	/* What we start must not keep it open. */
	resume_leave(resume);
	ret = runs_open(&runs, s, opt.jobs, program, path, &opt.session);
	if (ret == CLI_PROCEED)
		ret = session_open(s, opt.where.ctl, program, path, NULL, &opt.session, true);
	opt.has_races = opt.has_races && (ret != CLI_PROCEED || session_has_races(s->points));
	if (opt.chosen_reduce && !opt.has_races) {
		opt.chosen_reduce = false;
		opt.reductions = 0;
	}
	opt.later = chess_later_new(opt.has_races);
	if (ret == CLI_PROCEED && !opt.later)
		ret = cli_fail(CLI_ENVIRONMENT, "explore: %s", chess_error());
	if (ret == CLI_PROCEED && opt.memo)
		ret = remember_open(&opt.remember, opt.memo, s, path, opt.seed);
	if (ret == CLI_PROCEED)
		ret = resume_open(resume);
	if (ret == CLI_PROCEED && opt.has_races)
		ret = resume_check_code(resume, chess_runner_sites(s->runner));
	if (ret == CLI_PROCEED && part && part->choose_reduce && opt.has_races) {
		opt.unreduced = reducible_why_not(s);
		opt.reductions = opt.unreduced ? 0 : CHESS_REDUCE_HB;
	}
	if (ret == CLI_PROCEED && part && part->begin)
		ret = part->begin(part, s, &runs);
	if (ret == CLI_PROCEED)
		ret = search(s, &runs, dir, resume, over);
	remember_close(opt.remember);
	runs_close(&runs);
	session_close(s);
	chess_ctl_close(opt.where.ctl);
	return ret;
}

/*
 * The names that --watchdog gives, as the kernel has them: without folders, and cut. Return:
 * CLI_PROCEED, or an exit code after one sentence.
 */
static int read_watchdog(void)
{
	char *to = opt.session.late_programs;
	const char *name, *slash;
	size_t i, len, n = 0;

	for (i = 0; i < opt.session.watchdog.n; i++) {
		name = opt.session.watchdog.v[i];
		slash = strrchr(name, '/');
		name = slash ? slash + 1 : name;
		if (!*name || strchr(name, ','))
			return cli_fail(CLI_USAGE,
					"explore: --watchdog takes the name of a program, without a comma, not '%s'; give the option again for another one",
					opt.session.watchdog.v[i]);
		len = strnlen(name, COMM_BYTES);
		if (n + len + !!n > CHESS_LATE_PROGRAMS)
			return cli_fail(CLI_USAGE,
					"explore: the names given with --watchdog are longer than %d bytes together; leave out some",
					CHESS_LATE_PROGRAMS);
		n += sprintf(to + n, "%s%.*s", n ? "," : "", (int)len, name);
	}
	if ((n || opt.session.early_max > 0) && (opt.session.no_early || opt.session.real_time))
		return cli_fail(CLI_USAGE,
				"explore: with %s no time-out happens early; leave out that or %s",
				opt.session.no_early ? "--no-early" : "--real-time",
				n ? "--watchdog" : "--early-max");
	return CLI_PROCEED;
}

/* Options that are words. Return: CLI_PROCEED, or an exit code after one sentence. */
static int check_words(void)
{
	const char *dogs = opt.session.watchdogs, *wake = opt.session.wake;

	if (dogs && strcmp(dogs, "early") && strcmp(dogs, "late") && strcmp(dogs, "never"))
		return cli_fail(CLI_USAGE,
				"explore: --watchdogs takes 'early', 'late' and 'never', not '%s'",
				dogs);
	if (wake && strcmp(wake, "any") && strcmp(wake, "fifo"))
		return cli_fail(CLI_USAGE, "explore: --wake takes 'any' and 'fifo', not '%s'", wake);
	if (wake && !strcmp(wake, "any") && opt.reductions)
		return cli_fail(CLI_USAGE,
				"explore: --reduce depends on the order of ops, and not on which task waits in which queue; leave out --wake any or --reduce");
	if (opt.session.spurious && opt.reductions)
		return cli_fail(CLI_USAGE,
				"explore: --reduce does not cover waits that end without a wake-up; leave out --spurious or --reduce");
	if (opt.session.spurious && (opt.session.no_early || opt.session.real_time))
		return cli_fail(CLI_USAGE,
				"explore: with %s no wait ends before its time; leave out that or --spurious",
				opt.session.no_early ? "--no-early" : "--real-time");
	return read_watchdog();
}

int explore_check(void)
{
	struct chess_explore_opts eo;
	int ret = read_reductions();

	if (ret == CLI_PROCEED)
		ret = check_words();
	if (ret != CLI_PROCEED)
		return ret;
	eo = wanted();
	if (!eo.strategy)
		eo.strategy = "turns";
	return chess_explore_check(&eo) ? cli_fail(CLI_USAGE, "explore: %s", chess_error()) :
	       CLI_PROCEED;
}

/*
 * With a memo there is no journal: a search that is begun again makes no run twice either. Where
 * the memo cannot be used that is said here, before a VM is started.
 */
static int check_memo(void)
{
	struct memo *memo;
	int ret;

	if (!opt.memo)
		return CLI_PROCEED;
	if (!opt.has_races)
		return cli_fail(CLI_USAGE,
				"explore: a memo is of accesses that race, and of calls; make those points: --points sync,races");
	if (opt.jobs > 1)
		return cli_fail(CLI_USAGE,
				"explore: a memo learns of one run at a time, so --memo does not go with --jobs; leave out --jobs");
	opt.where.memo = opt.memo;
	if (memo_is_remote())
		return CLI_PROCEED;
	ret = memo_open(&memo, opt.memo, MEMO_WRITE);
	if (ret == CLI_PROCEED)
		memo_close(memo);
	return ret;
}

/*
 * What was not asked for is chosen. What was is taken as said, so an option that only the
 * bounded search has chooses that. Return: CLI_PROCEED, or an exit code after one sentence.
 */
static int choose(struct session *s)
{
	const char *points = opt.session.points;
	int ret;

	opt.chosen_points = !points;
	opt.chosen_strategy = !opt.strategy;
	/* Programs of the user's may sit on the very instructions that would get traps. */
	if (!points)
		points = opt.session.probes.n ? "all" : "all,races";
	if (!opt.strategy)
		opt.strategy = opt.in || opt.not_in || opt.skip_ordered || opt.reduce ? "icb" : "turns";
	if (opt.bound == BOUND_UNSET) {
		opt.grows = opt.chosen_strategy && !strcmp(opt.strategy, "turns");
		opt.bound = BOUND_DEFAULT;
	}
	ret = session_points("explore", points, &s->points);
	if (ret != CLI_PROCEED)
		return ret;
	opt.has_races = session_has_races(s->points);
	opt.chosen_reduce = opt.chosen_strategy && opt.chosen_points && opt.has_races &&
			    !strcmp(opt.strategy, "turns") && !session_wake_any(&opt.session) &&
			    !opt.session.spurious;
	if (opt.chosen_reduce)
		opt.reductions = DEFAULT_REDUCE;
	opt.session.record = opt.has_races;
	opt.session.may_drop_code = opt.chosen_points;
	opt.racing = chess_racing_new();
	return opt.racing ? CLI_PROCEED : cli_fail(CLI_ENVIRONMENT, "explore: %s", chess_error());
}

int explore_choose(struct session *s)
{
	int ret = read_reductions();

	if (ret == CLI_PROCEED)
		ret = check_words();
	return ret == CLI_PROCEED ? choose(s) : ret;
}

/* A part brings its own journal. */
static int begin_journal(struct resume *resume, const struct out_dir *dir, int n_options,
			 char **argv, const char *path)
{
	if (!part)
		return resume->argv || opt.memo ? CLI_PROCEED :
		       resume_begin(resume, dir, n_options, argv, path);
	if (!part->journal)
		return CLI_PROCEED;
	resume->path = cli_printf("%s", part->journal);
	return where_inside_vm() ? CLI_PROCEED : resume_lock(resume);
}

/* The options are known. */
static int explore(struct resume *resume, int argc, char **argv, char **program)
{
	struct chess_explore_opts eo;
	struct session s = { 0 };
	bool over = false;
	struct out_dir dir;
	char *path;
	int ret;

	explore_pages_begin(&opt);
	/* All of what was asked is judged here: a VM takes seconds to say the same. */
	ret = explore_choose(&s);
	if (ret != CLI_PROCEED)
		goto out;
	eo = part ? explore_part_opts(part) : wanted();
	if (chess_explore_check(&eo)) {
		ret = cli_fail(CLI_USAGE, "explore: %s", chess_error());
		goto out;
	}
	if (opt.explains && !(opt.reductions & CHESS_REDUCE_DPOR)) {
		ret = cli_fail(CLI_USAGE,
			       "explore: --explain is about the branches that --reduce dpor takes; leave out --strategy, or give both");
		goto out;
	}
	opt.explain = opt.explains ? explain_new() : NULL;
	ret = program_find(program[0], NULL, &path);
	if (ret == CLI_PROCEED)
		ret = check_memo();
	if (ret == CLI_PROCEED)
		ret = resume_check(resume, path);
	if (ret == CLI_PROCEED)
		ret = session_may_start(&opt.session, path, NULL);
	if (ret == CLI_PROCEED)
		ret = session_check_code(&opt.session, program, path);
	if (ret == CLI_PROCEED)
		ret = scope_open(&opt.scope, opt.in, opt.not_in, path);
	if (ret == CLI_PROCEED)
		ret = out_dir_open(&dir, opt.out);
	if (ret != CLI_PROCEED)
		goto out;
	opt.session.maps = opt.scope || opt.has_races || opt.explains;
	opt.where.outbox = dir.path;
	opt.where.cpus = opt.jobs > 2 ? opt.jobs : 0;
	ret = begin_journal(resume, &dir, program - argv, argv, path);
	if (ret == CLI_PROCEED)
		ret = go_where(resume, &dir, argc, argv);
	if (ret == CLI_PROCEED)
		ret = run_here(resume, &s, program, path, &dir, &over);
	resume_close(resume, over, ret == CLI_ENVIRONMENT || ret == CLI_USAGE);
	out_dir_close(&dir);
	scope_close(opt.scope);
	chess_racing_free(opt.racing);
	chess_later_free(opt.later);
	explain_free(opt.explain);
	free(opt.curve);
	return ret;
out:
	resume_close(resume, false, false);
	return ret;
}

int explore_part(struct explore_part *p, int argc, char **argv, char **program)
{
	struct resume resume = { 0 };

	part = p;
	return explore(&resume, argc, argv, program);
}

struct explore_options *explore_asked(void)
{
	return &opt;
}

void explore_forget(void)
{
	opt = (struct explore_options){
		.bound = BOUND_UNSET, .jobs = 1, .where = opt.where,
	};
}

int cmd_explore(int argc, char **argv)
{
	struct operands_list operands;
	struct resume resume = { 0 };
	int ret;

	ret = opts_parse(explore_usage(), argc, argv, &operands);
	if (ret == CLI_PROCEED && opt.resume)
		ret = take_up(&resume, argc, argv, &operands);
	if (ret == CLI_PROCEED)
		ret = out_progress_check("explore");
	if (ret == CLI_PROCEED)
		ret = report_labels_check("explore");
	if (ret != CLI_PROCEED) {
		resume_close(&resume, false, false);
		return ret;
	}
	return explore(&resume, argc, argv, operands.program);
}
