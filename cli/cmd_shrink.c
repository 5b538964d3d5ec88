// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl shrink: from the trace of a failing run to the smallest one that shows the
 * same bug. The library looks for it; this file checks first that the trace replays,
 * writes the new one and replays that, so that nobody is handed one that does not.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"
#include "changed.h"
#include "keep.h"
#include "out.h"
#include "race_pairs.h"
#include "replays.h"
#include "report/labels.h"
#include "smaller.h"
#include "where.h"

static struct {
	const char *out;
	uint64_t runs, times;
	double time;
	bool json;
	struct where where;
	struct session_opts session;
} opt = { .runs = 2000, .times = 100 };

static const struct opt options[] = {
	{ "out", OPT_STRING, &opt.out, "FILE|DIR",
	  "write the trace to FILE.trace, or a folder (" OUT_DIR_DEFAULT ")", 0, 0, 0 },
	{ "runs", OPT_U64, &opt.runs, "N", "stop looking after N runs (2000)", 1, 1e15, 0 },
	{ "time", OPT_SECONDS, &opt.time, "SEC", "stop looking after this time", 0.001, 1e9, 0 },
	{ "times", OPT_U64, &opt.times, "N", "replay the result N times (100)", 1, 1e9, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object", 0, 0, 0 },
	{ "no-bpf", OPT_FLAG, &opt.session.no_bpf, NULL,
	  "no kernel stacks, for quicker reports", 0, 0, 0 },
	{ "probe", OPT_LIST, &opt.session.probes, "FILE",
	  "BPF programs that create additional points (as recorded)", 0, 0, 0 },
	{ "run-timeout", OPT_SECONDS, &opt.session.run_timeout, "SEC",
	  "end a run after this time, with verdict timeout", 0.001, 4000000, 0 },
	PROGRESS_OPTION,
	LABEL_OPTION,
	WHERE_OPTIONS(opt.where),
};

static const struct usage usage = {
	"shrink", "TRACE [-- PROGRAM ARG...]",
	"Looks for the smallest schedule that shows the bug of TRACE: fewest preemptions, then\n"
	"fewest context switches, then fewest points. Writes a trace of it and replays it.\n"
	"Exit codes: 1 all replays showed the bug, 2 usage, 3 environment, 4 TRACE or the\n"
	"result did not replay.",
	OPERANDS_TRACE, options, sizeof(options) / sizeof(options[0]),
};

/**
 * struct target - where the trace goes
 * @dir: the folder
 * @folder: of a file that was named; malloc'ed
 * @file: that file; NULL: a free name in the folder
 */
struct target {
	struct out_dir dir;
	char *folder;
	const char *file;
};

static bool names_file(const char *path)
{
	size_t n = strlen(path);

	return n > 6 && !strcmp(path + n - 6, ".trace");
}

/* Return: CLI_PROCEED or an exit code */
static int target_open(struct target *to)
{
	struct stat st;

	if (!opt.out || !names_file(opt.out))
		return out_dir_open(&to->dir, opt.out);
	if (!stat(opt.out, &st) && !S_ISREG(st.st_mode))
		return cli_fail(CLI_USAGE,
				"shrink: '%s' is not a regular file, so no trace can go there",
				opt.out);
	to->file = opt.out;
	to->folder = cli_printf("%s", opt.out);
	to->dir.path = dirname(to->folder);
	if (faccessat(AT_FDCWD, to->dir.path, W_OK | X_OK, AT_EACCESS))
		return cli_fail(CLI_ENVIRONMENT, "no trace can be written in '%s': %s",
				to->dir.path, strerror(errno));
	return CLI_PROCEED;
}

static void target_close(struct target *to)
{
	out_dir_close(&to->dir);
	free(to->folder);
}

/* Return: path, malloc'ed, or NULL after one sentence */
static char *write_trace(const struct target *to, const struct chess_trace *t)
{
	char *path = to->file ? cli_printf("%s", to->file) :
		     out_shrunk_name(&to->dir, t->program, chess_verdict_name(t->verdict));
	int ret = path ? chess_trace_write(t, path) : -errno;

	if (!ret)
		return path;
	cli_note("the shrunk trace could not be written in '%s': %s; choose another place with --out",
		 to->dir.path, strerror(-ret));
	if (path && !to->file)
		unlink(path);
	free(path);
	return NULL;
}

static void show_progress(void *arg, const char *stage, uint64_t runs, double seconds,
			  const struct chess_shrink_size *best)
{
	char rest[96];

	snprintf(rest, sizeof(rest), "%zu preemption%s, %zu switches, %zu points",
		 best->preemptions, best->preemptions == 1 ? "" : "s", best->switches,
		 best->points);
	out_progress(arg, &(struct out_work){
		.phase = stage, .runs = runs, .seconds = seconds, .found = -1,
		.bound = best->preemptions, .rest = rest,
	});
}

/* What was looked at, and so what the numbers mean. */
static const char *tell_guarantee(const struct chess_shrink_result *res)
{
	if (res->smallest)
		return "the smallest there is: all schedules with at most as many preemptions were run";
	if (res->fewest)
		return "no schedule with fewer preemptions shows this bug; those with as many were not all run";
	if (res->one_minimal && res->selected)
		return "none of its choices can be left out, and no selection of those of the trace has fewer preemptions; a schedule with other choices may have";
	if (res->one_minimal)
		return "none of its choices can be left out; a schedule with other choices may be smaller";
	return "a smaller one may be found with more time (--runs, --time)";
}

static void print_change(const char *what, size_t before, size_t after)
{
	printf("  %-17s %6zu -> %zu\n", what, before, after);
}

static void print_size(const struct chess_shrink_result *res)
{
	printf("%s%s shrunk%s\n", out_bold(), chess_verdict_name(res->best.verdict), out_plain());
	print_change("preemptions", res->before.preemptions, res->after.preemptions);
	print_change("context switches", res->before.switches, res->after.switches);
	print_change("points", res->before.points, res->after.points);
	printf("  %s\n  %llu run%s, %.2f s, %.0f runs/s\n\n", tell_guarantee(res),
	       (unsigned long long)res->runs, res->runs == 1 ? "" : "s", res->seconds,
	       res->seconds > 0 ? res->runs / res->seconds : 0);
}

static struct json_object *json_size(const struct chess_shrink_size *size)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "preemptions", json_object_new_int64(size->preemptions));
	json_object_object_add(o, "context_switches", json_object_new_int64(size->switches));
	json_object_object_add(o, "points", json_object_new_int64(size->points));
	return o;
}

/* @res: NULL where the trace did not replay, so that nothing was looked for. */
static void json_result(const struct chess_shrink_result *res, struct json_object *o)
{
	json_object_object_add(o, "before", res ? json_size(&res->before) : NULL);
	json_object_object_add(o, "after", res ? json_size(&res->after) : NULL);
	out_json_bool(o, "fewest", res && res->fewest);
	out_json_bool(o, "smallest", res && res->smallest);
	out_json_bool(o, "one_minimal", res && res->one_minimal);
	out_json_bool(o, "selected", res && res->selected);
	out_json_bool(o, "moves_done", res && res->moves_done);
	out_json_string(o, "guarantee", res ? tell_guarantee(res) : NULL);
}

/**
 * struct answer - all there is to tell
 * @in: the trace that was given
 * @res: what the library found; NULL: the trace did not replay
 * @t: trace of the result, or the one given
 * @path: where it was written, or NULL
 * @tally: its replays
 * @times: as many were wanted
 */
struct answer {
	const struct replayed *in;
	const struct chess_shrink_result *res;
	const struct chess_trace *t;
	const char *path;
	const struct replays *tally;
	uint64_t times;
};

static int code_of(const struct answer *a)
{
	return a->res && a->tally->identical == a->times ? CLI_BUG : CLI_INCOMPLETE;
}

static const char *verdict_of(const struct answer *a)
{
	if (code_of(a) == CLI_BUG)
		return chess_verdict_name(a->t->verdict);
	return chess_verdict_name(a->tally->have_other ? CHESS_VERDICT_DIVERGED :
				  CHESS_VERDICT_INCOMPLETE);
}

static void print_json(const struct session *s, const struct answer *a,
		       const struct report *expected, const struct report *seen)
{
	struct json_object *o = json_object_new_object();
	char *path = a->path ? out_absolute(a->path) : NULL;
	char *replay = path ? cli_printf("chessctl replay %s", path) : NULL;
	uint64_t runs = a->res ? a->res->runs : a->tally->runs;
	double seconds = a->res ? a->res->seconds : a->tally->seconds;

	out_json_string(o, "verdict", verdict_of(a));
	json_object_object_add(o, "runs", json_object_new_uint64(runs));
	out_json_bool(o, "complete", a->res && a->res->smallest);
	json_object_object_add(o, "preemptions", json_object_new_int64(
				       chess_record_preemptions(a->t->record)));
	json_object_object_add(o, "bound", json_object_new_int64(
				       chess_record_preemptions(a->in->t->record)));
	json_object_object_add(o, "tasks",
			       json_object_new_int64(chess_record_tasks(a->t->record)));
	json_object_object_add(o, "points",
			       json_object_new_int64(chess_record_points(a->t->record)));
	out_json_string(o, "trace", path);
	out_json_double(o, "seconds", seconds);
	out_json_double(o, "runs_per_second", seconds > 0 ? runs / seconds : 0);
	out_json_string(o, "recorded", chess_verdict_name(a->in->t->verdict));
	json_object_object_add(o, "replays", json_object_new_uint64(a->tally->runs));
	json_object_object_add(o, "identical", json_object_new_uint64(a->tally->identical));
	out_json_bool(o, "program_changed", a->in->program_changed);
	json_object_object_add(o, "quantum_us",
			       json_object_new_int64(chess_runner_quantum(s->runner)));
	out_json_string(o, "time", session_time(s->real_time));
	json_object_object_add(o, "surroundings", session_json_surroundings(s->surroundings));
	out_json_bool(o, "vm", where_inside_vm());
	out_json_string(o, "replay", replay);
	out_json_strings(o, "program", s->argv);
	json_result(a->res, o);
	replays_json_difference(a->tally, expected, seen, o);
	report_json(expected, o);
	free(replay);
	free(path);
	out_json(o);
}

static void print_text(const struct answer *a, const struct report *expected,
		       const struct report *seen)
{
	if (a->in->program_changed)
		printf("the program has CHANGED since the trace was made: '%s'\n",
		       a->in->t->program);
	if (a->res) {
		print_size(a->res);
		report_print(expected, stdout, a->path);
	}
	if (code_of(a) == CLI_BUG)
		printf("%llu of %llu replays of it identical, bit for bit\n",
		       (unsigned long long)a->tally->identical, (unsigned long long)a->times);
	else
		replays_print_failed(a->t, a->tally, a->times, expected, seen);
}

static int conclude(const struct session *s, const struct answer *a)
{
	struct report expected, seen;
	struct chess_trace other;

	report_open(&expected, a->t);
	if (a->tally->have_other)
		replays_open_other(s, a->in, a->tally, &other, &seen);
	if (opt.json)
		print_json(s, a, &expected, a->tally->have_other ? &seen : NULL);
	else
		print_text(a, &expected, a->tally->have_other ? &seen : NULL);
	if (a->tally->have_other)
		report_close(&seen);
	report_close(&expected);
	return code_of(a);
}

/* The smallest run once more for its stacks. Return: is @again to be used in its place? */
static bool run_again(struct session *s, const struct chess_run_result *best,
		      const struct chess_trace_race *races, size_t n,
		      struct chess_run_result *again)
{
	if (session_interrupted())
		return false;
	return races ? keep_races_again(s, best, races, n, again) :
		       keep_run_again(s, best, again);
}

/* The smallest run is known: its trace is written, replayed and told of. */
static int finish(struct session *s, const struct replayed *in, const struct target *to,
		  const struct chess_shrink_result *res)
{
	struct chess_run_result again = { 0 };
	struct replays tally = { 0 };
	struct chess_trace_race *races = NULL;
	struct chess_trace t;
	size_t n = 0;
	char *path;
	bool use;
	int code = CLI_ENVIRONMENT;

	if (in->t->n_races && in->t->verdict == CHESS_VERDICT_RACE)
		races = race_pairs_of(&res->best, in->t, &n);
	use = run_again(s, &res->best, races, n, &again);
	session_trace(s, use ? &again : &res->best, &t);
	t.verdict = res->best.verdict;
	t.minimal = smaller_minimal(res);
	if (races) {
		t.races = races;
		t.n_races = n;
	}
	/* Addresses are the same in every run, so its maps serve for names. */
	if (!t.maps)
		changed_note_maps(&t, again.maps ? again.maps : in->t->maps);
	if (use)
		keep_calls(s, &t);
	path = write_trace(to, &t);
	if (path)
		code = replays_run(s, &t, opt.times, &tally);
	if (code == CLI_PROCEED) {
		struct answer a = {
			.in = in, .res = res, .t = &t, .path = path, .tally = &tally,
			.times = opt.times,
		};

		code = conclude(s, &a);
	}
	replays_clear(&tally);
	chess_run_result_clear(&again);
	calls_forget(&t);
	free(races);
	free(path);
	return code;
}

static int shrink(struct session *s, const struct replayed *in, const struct target *to)
{
	struct out_progress progress = { 0 };
	struct smaller runs = {
		.s = s, .verdict = in->t->verdict, .races_of = in->t->n_races ? in->t : NULL,
	};
	struct chess_executor x = smaller_executor(&runs);
	struct chess_shrink_opts so = {
		.sz = sizeof(so), .max_runs = opt.runs, .max_seconds = opt.time,
		.progress = show_progress, .progress_arg = &progress,
	};
	struct chess_shrink_result res;
	int ret = chess_shrink(&x, in->t->record, &so, &res), code;

	out_progress_done(&progress, &(struct out_work){
		.phase = "shrink", .runs = res.runs, .seconds = res.seconds, .found = -1,
		.bound = -1,
	});
	if (ret == -ESTALE)
		return cli_fail(CLI_INCOMPLETE, "%s", chess_error());
	if (ret == -EINTR)
		return cli_fail(CLI_INCOMPLETE, "interrupted; there is no smaller trace yet");
	if (ret)
		return cli_fail(CLI_ENVIRONMENT, "shrinking ended: %s", chess_error());
	code = finish(s, in, to, &res);
	chess_shrink_result_clear(&res);
	return code;
}

static int shrink_here(struct replayed *in, const struct target *to)
{
	struct session s = { 0 };
	struct replays first = { 0 };
	int ret = replays_session(in, opt.where.ctl, &opt.session, &s);

	if (ret == CLI_PROCEED)
		ret = replays_run(&s, in->t, 1, &first);
	if (ret == CLI_PROCEED && !first.identical) {
		struct answer a = { .in = in, .t = in->t, .tally = &first, .times = 1 };

		ret = conclude(&s, &a);
	} else if (ret == CLI_PROCEED) {
		ret = shrink(&s, in, to);
	}
	replays_clear(&first);
	session_close(&s);
	return ret;
}

int cmd_shrink(int argc, char **argv)
{
	struct operands_list operands;
	struct target to = { 0 };
	struct replayed in;
	int ret;

	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret == CLI_PROCEED)
		ret = out_progress_check("shrink");
	if (ret == CLI_PROCEED)
		ret = report_labels_check("shrink");
	if (ret != CLI_PROCEED)
		return ret;
	ret = replays_load("shrink", &operands, &opt.session, &in);
	if (ret == CLI_PROCEED && !chess_verdict_is_bug(in.t->verdict))
		ret = cli_fail(CLI_USAGE,
			       "trace '%s' is of a run with the verdict %s: there is no bug to keep",
			       operands.first[0], chess_verdict_name(in.t->verdict));
	if (ret == CLI_PROCEED)
		ret = target_open(&to);
	if (ret == CLI_PROCEED) {
		opt.where.outbox = to.dir.path;
		ret = where_go(&opt.where, argc, argv);
		if (ret == CLI_PROCEED) {
			ret = shrink_here(&in, &to);
			chess_ctl_close(opt.where.ctl);
		}
	}
	target_close(&to);
	chess_trace_free(in.t);
	return ret;
}
