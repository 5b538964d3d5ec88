// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl replay: run the recorded schedule again, decision by decision, and
 * compare the records bit for bit. A replay that leaves its trace is said so
 * loudly, with the first event that differs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "gdb.h"
#include "out.h"
#include "program.h"
#include "report.h"
#include "session.h"
#include "tracefile.h"
#include "where.h"

static struct {
	uint64_t times;
	bool gdb, json;
	struct where where;
	struct session_opts session;
} opt = { .times = 1 };

static const struct opt options[] = {
	{ "times", OPT_U64, &opt.times, "N", "replay N times", 1, 1e9 },
	{ "gdb", OPT_FLAG, &opt.gdb, NULL, "under gdb, stopped at the first instruction", 0, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object", 0, 0 },
	{ "points", OPT_STRING, &opt.session.points, "LIST", "points (default: as recorded)", 0, 0 },
	{ "probe", OPT_LIST, &opt.session.probes, "FILE",
	  "BPF programs that make points of their own (as recorded)", 0, 0 },
	{ "quantum", OPT_UINT, &opt.session.quantum_ms, "MS",
	  "CPU time without a point after which others run (as recorded)", 1, 60000 },
	{ "max-events", OPT_UINT, &opt.session.max_events, "N",
	  "end a run whose record gets longer (131072, or twice the trace)", 16,
	  CHESS_MAX_EVENTS },
	{ "run-timeout", OPT_SECONDS, &opt.session.run_timeout, "SEC",
	  "end a run after this time, verdict timeout", 0.001, 4000000 },
	FAIR_OPTIONS(opt.session, FAIR_HELP " (as recorded)"),
	{ "real-time", OPT_FLAG, &opt.session.real_time, NULL,
	  "sleeps, time-outs and clocks are the machine's (as recorded)", 0, 0 },
	SURROUNDINGS_OPTIONS(opt.session, SURROUNDINGS_HELP " (as recorded)"),
	WHERE_OPTIONS(opt.where),
};

static const struct usage usage = {
	"replay", "TRACE [-- PROGRAM ARG...]",
	"Runs the program of TRACE (or PROGRAM) along the recorded schedule and compares what\n"
	"happens, event by event.\n"
	"Exit codes: 1 the bug was reproduced, 0 a run without bug was reproduced, 2 usage,\n"
	"3 environment, 4 the replay diverged.",
	OPERANDS_TRACE, options, sizeof(options) / sizeof(options[0]),
};

/* What N replays came to. */
struct tally {
	uint64_t runs, same_verdict, identical;
	double seconds;
	bool program_changed;
	bool have_other;		/* the first run that left the trace */
	struct chess_run_result other;
	size_t at;			/* index of the first difference */
};

/* Traces say what syscalls returned since this version (docs/trace-format.md). */
#define TRACE_HAS_RESULTS	5

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Return: -1 or an exit code */
static int replay(struct session *s, const struct chess_trace *t, struct tally *tally)
{
	struct chess_schedule *whole = chess_record_schedule(t->record);
	struct out_progress progress = { 0 };
	double start = now();
	char rest[64];
	int ret = whole ? 0 : -ENOMEM;

	while (!ret && tally->runs < opt.times && !session_interrupted()) {
		struct chess_run_result res = { 0 };
		size_t at;

		ret = chess_runner_run(s->runner, whole, chess_schedule_length(whole), NULL, 0,
				       &res);
		if (ret)
			break;
		tally->runs++;
		if (res.record && t->version < TRACE_HAS_RESULTS)
			chess_record_drop_results(res.record);
		at = chess_record_compare(t->record, res.record);
		tally->same_verdict += res.verdict == t->verdict;
		if (at == SIZE_MAX && res.verdict == t->verdict) {
			tally->identical++;
		} else if (!tally->have_other) {
			tally->have_other = true;
			tally->other = res;
			tally->at = at;
			memset(&res, 0, sizeof(res));
		}
		chess_run_result_clear(&res);
		snprintf(rest, sizeof(rest), "%llu identical",
			 (unsigned long long)tally->identical);
		out_progress(&progress, tally->runs, now() - start, rest);
	}
	out_progress_end(&progress);
	tally->seconds = now() - start;
	chess_schedule_free(whole);
	if (ret && !session_interrupted())
		return cli_fail(CLI_ENVIRONMENT, "the replay ended: %s", chess_error());
	return -1;
}

static void print_json(const struct session *s, const struct chess_trace *t,
		       const struct tally *tally, const char *verdict, const char *path,
		       const struct report *expected, const struct report *seen)
{
	struct json_object *o = json_object_new_object(), *difference = NULL;
	char *absolute = out_absolute(path);

	out_json_string(o, "verdict", verdict);
	json_object_object_add(o, "runs", json_object_new_uint64(tally->runs));
	json_object_object_add(o, "complete", json_object_new_boolean(tally->runs == opt.times));
	json_object_object_add(o, "bound",
			       json_object_new_int64(chess_record_preemptions(t->record)));
	json_object_object_add(o, "preemptions",
			       json_object_new_int64(chess_record_preemptions(t->record)));
	json_object_object_add(o, "tasks", json_object_new_int64(chess_record_tasks(t->record)));
	json_object_object_add(o, "points", json_object_new_int64(chess_record_points(t->record)));
	out_json_string(o, "trace", absolute);
	json_object_object_add(o, "seconds", json_object_new_double(tally->seconds));
	json_object_object_add(o, "runs_per_second", json_object_new_double(
				       tally->seconds > 0 ? tally->runs / tally->seconds : 0));
	out_json_string(o, "recorded", chess_verdict_name(t->verdict));
	json_object_object_add(o, "reproduced", json_object_new_uint64(tally->same_verdict));
	json_object_object_add(o, "identical", json_object_new_uint64(tally->identical));
	json_object_object_add(o, "program_changed",
			       json_object_new_boolean(tally->program_changed));
	json_object_object_add(o, "quantum_us",
			       json_object_new_int64(chess_runner_quantum(s->runner)));
	json_object_object_add(o, "fair_k", json_object_new_int64(session_fair(&opt.session)));
	out_json_string(o, "time", session_time(s->real_time));
	json_object_object_add(o, "surroundings", session_json_surroundings(s->surroundings));
	json_object_object_add(o, "vm", json_object_new_boolean(where_inside_vm()));
	if (seen && tally->at != SIZE_MAX) {
		size_t at = tally->at;

		difference = json_object_new_object();
		json_object_object_add(difference, "event", json_object_new_int64(at + 1));
		json_object_object_add(difference, "expected",
				       at < chess_record_length(expected->record) ?
				       report_json_event(expected, at) : NULL);
		json_object_object_add(difference, "seen",
				       at < chess_record_length(seen->record) ?
				       report_json_event(seen, at) : NULL);
		out_json_string(difference, "run_verdict",
				chess_verdict_name(tally->other.verdict));
	}
	json_object_object_add(o, "first_difference", difference);
	report_json(expected, o);
	free(absolute);
	out_json(o);
}

static void print_text(const struct chess_trace *t, const struct tally *tally, int code,
		       const char *path, const struct report *expected,
		       const struct report *seen)
{
	const char *verdict = chess_verdict_name(t->verdict);

	if (tally->program_changed)
		printf("the program has CHANGED since the trace was made: '%s'\n", t->program);
	if (code == CLI_INCOMPLETE) {
		if (!tally->runs)
			printf("%sincomplete%s: interrupted before the first replay ended\n",
			       out_bold(), out_plain());
		else if (!seen)
			printf("%sincomplete%s: interrupted after %llu of %llu replays, all identical\n",
			       out_bold(), out_plain(), (unsigned long long)tally->runs,
			       (unsigned long long)opt.times);
		else
			printf("%sdiverged%s: %llu of %llu replays left the trace; recorded verdict %s, seen %s\n",
			       out_bad(), out_plain(),
			       (unsigned long long)(tally->runs - tally->identical),
			       (unsigned long long)tally->runs, verdict,
			       chess_verdict_name(tally->other.verdict));
		if (seen && tally->at != SIZE_MAX)
			report_difference(expected, tally->at, seen, tally->at, stdout);
		if (seen && tally->other.diverged_at != SIZE_MAX)
			printf("  the schedule could not be followed at decision %zu\n",
			       tally->other.diverged_at + 1);
		return;
	}
	printf("%s%s reproduced%s: %llu of %llu replays, records identical bit for bit, %.2f s\n",
	       code == CLI_BUG ? out_bad() : out_good(), verdict, out_plain(),
	       (unsigned long long)tally->identical, (unsigned long long)tally->runs,
	       tally->seconds);
	if (code == CLI_BUG) {
		putchar('\n');
		report_print(expected, stdout, path);
	}
}

static int conclude(const struct session *s, const struct chess_trace *t,
		    const struct tally *tally, const char *path)
{
	struct report expected, seen;
	struct chess_trace other;
	const char *verdict = chess_verdict_name(t->verdict);
	int code = chess_verdict_is_bug(t->verdict) ? CLI_BUG : CLI_OK;

	if (tally->have_other) {
		code = CLI_INCOMPLETE;
		verdict = chess_verdict_name(CHESS_VERDICT_DIVERGED);
		session_trace(s, &tally->other, &other);
		/* Replays take no maps; the same program has the same ones. */
		if (!other.maps && !tally->program_changed)
			other.maps = t->maps;
		report_open(&seen, &other);
	} else if (tally->runs < opt.times) {
		code = CLI_INCOMPLETE;
		verdict = chess_verdict_name(CHESS_VERDICT_INCOMPLETE);
	}
	report_open(&expected, t);
	if (opt.json)
		print_json(s, t, tally, verdict, path, &expected, tally->have_other ? &seen : NULL);
	else
		print_text(t, tally, code, path, &expected, tally->have_other ? &seen : NULL);
	report_close(&expected);
	if (tally->have_other)
		report_close(&seen);
	return code;
}

/* As with the program: it may be the same for all that matters. */
static void warn_of_probes(const struct session *s, const struct chess_trace *t)
{
	size_t i;

	if (s->n_probes != t->n_probes)
		cli_note("WARNING: the trace was made with %zu probe files, not %zu; the replay may diverge",
			 t->n_probes, s->n_probes);
	for (i = 0; i < t->n_probes && i < s->n_probes; i++)
		if (strcmp(t->probes[i].hash, s->probes[i].hash))
			cli_note("WARNING: probe '%s' is not the file the trace was made with; the replay may diverge",
				 s->probes[i].path);
}

static int replay_here(const struct chess_trace *t, char **argv, char *program,
		       const char *cwd, const char *path)
{
	struct session s = { 0 };
	struct tally tally = { 0 };
	int ret;

	opt.session.recorded = t->record;
	/* It was cut where it had one more. */
	if (t->verdict == CHESS_VERDICT_LIVELOCK && !opt.session.max_points)
		opt.session.max_points = chess_record_weight(t->record) - 1;
	opt.session.recorded_us = t->quantum_us;
	opt.session.recorded_events = chess_record_length(t->record);
	opt.session.real_time |= !t->virtual_time;
	ret = session_points("replay", opt.session.points ? opt.session.points : t->points,
			     &s.points);
	if (ret != -1)
		return ret;
	if (opt.gdb) {
		ret = gdb_replay(opt.where.ctl, t, argv, program, cwd, &opt.session,
				 s.points);
		free(s.points);
		return ret;
	}
	ret = session_open(&s, opt.where.ctl, argv, program, cwd, &opt.session, true);
	if (ret == -1) {
		tally.program_changed = t->program_hash && s.hash &&
					strcmp(t->program_hash, s.hash);
		if (tally.program_changed)
			cli_note("WARNING: '%s' is not the program the trace was made with; the replay may diverge",
				 program);
		warn_of_probes(&s, t);
		ret = replay(&s, t, &tally);
	}
	if (ret == -1)
		ret = conclude(&s, t, &tally, path);
	chess_run_result_clear(&tally.other);
	session_close(&s);
	return ret;
}

/* Can this trace be replayed at all? Return: -1, or an exit code after a sentence. */
static int check_trace(const struct chess_trace *t, const char *path)
{
	char *points;
	int ret;

	if (!t->record || !t->argv[0])
		return cli_fail(CLI_USAGE, "trace '%s' holds no %s, so it cannot be replayed", path,
				t->record ? "program" : "schedule");
	if (opt.session.points)
		return -1;
	ret = session_points("replay", t->points, &points);
	if (ret == -1)
		free(points);
	return ret;
}

int cmd_replay(int argc, char **argv)
{
	struct operands_list operands;
	struct chess_trace *t;
	char **program_argv, *program, *points;
	const char *cwd, *missing;
	int ret;

	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret != -1)
		return ret;
	if (opt.gdb && (opt.json || opt.times != 1))
		return cli_fail(CLI_USAGE, "replay: --gdb goes with neither --json nor --times");
	if (opt.session.points) {
		ret = session_points("replay", opt.session.points, &points);
		if (ret != -1)
			return ret;
		free(points);
	}
	t = tracefile_open(operands.first[0]);
	if (!t)
		return CLI_USAGE;
	ret = check_trace(t, operands.first[0]);
	if (ret != -1) {
		chess_trace_free(t);
		return ret;
	}
	/* The program of the trace runs where it ran; one given here runs here. */
	program_argv = operands.program ? operands.program : t->argv;
	cwd = operands.program ? NULL : t->cwd;
	session_same_surroundings(&opt.session, t);
	missing = session_same_probes(&opt.session, t);
	if (missing) {
		ret = cli_fail(CLI_USAGE,
			       "trace '%s' was made with probe '%s', which is not there any more; give it with --probe",
			       operands.first[0], missing);
		chess_trace_free(t);
		return ret;
	}
	ret = program_find(program_argv[0], cwd, &program);
	if (ret == -1)
		ret = session_may_start(&opt.session, program, cwd);
	if (ret == -1)
		ret = where_go(&opt.where, argc, argv);
	if (ret == -1) {
		ret = replay_here(t, program_argv, program, cwd, operands.first[0]);
		chess_ctl_close(opt.where.ctl);
	}
	chess_trace_free(t);
	return ret;
}
