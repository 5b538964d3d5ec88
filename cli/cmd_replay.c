// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl replay: run the recorded schedule again, decision by decision, and
 * compare the records bit for bit. A replay that leaves its trace is said so
 * loudly, with the first event that differs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "changed.h"
#include "cli.h"
#include "gdb.h"
#include "out.h"
#include "replays.h"
#include "report/labels.h"
#include "session_options.h"
#include "where.h"

static struct {
	uint64_t times;
	bool gdb, json;
	const char *watch, *at, *interpreter;
	struct where where;
	struct session_opts session;
} opt = { .times = 1 };

static const struct opt options[] = {
	{ "times", OPT_U64, &opt.times, "N", "replay N times", 1, 1e9, 0 },
	{ "gdb", OPT_FLAG, &opt.gdb, NULL, "run under gdb, stopped at the start", 0, 0, 0 },
	{ "at", OPT_STRING, &opt.at, "EVENT|deciding",
	  "with --gdb: stop before this event, or the last preemption", 0, 0, 0 },
	{ "interpreter", OPT_STRING, &opt.interpreter, "NAME",
	  "with --gdb: how gdb talks to what is in front: mi, mi2, mi3", 0, 0, 0 },
	{ "watch", OPT_STRING, &opt.watch, "VARIABLE|0xADDRESS[:SIZE]",
	  "run under gdb; print where the value changes", 0, 0, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object", 0, 0, 0 },
	{ "run-timeout", OPT_SECONDS, &opt.session.run_timeout, "SEC",
	  "end a run after this time, with verdict timeout", 0.001, 4000000, 0 },
	{ "points", OPT_STRING, &opt.session.points, "LIST", "what is a point (as recorded)", 0, 0,
	  OPT_POINTS },
	{ "probe", OPT_LIST, &opt.session.probes, "FILE",
	  "BPF programs that create additional points (as recorded)", 0, 0, OPT_POINTS },
	{ "quantum", OPT_UINT, &opt.session.quantum_ms, "MS",
	  "CPU time without a point before others run (as recorded)", 1, 60000,
	  OPT_TURNS },
	{ "max-events", OPT_UINT, &opt.session.max_events, "N",
	  "end a run whose record exceeds N events (131072, or twice the trace)", 16,
	  CHESS_MAX_EVENTS, OPT_END },
	FAIR_OPTIONS(opt.session),
	{ "real-time", OPT_FLAG, &opt.session.real_time, NULL,
	  "use the machine's clocks, sleeps and time-outs (as recorded)", 0, 0, OPT_TURNS },
	SURROUNDINGS_OPTIONS(opt.session),
	PROGRESS_OPTION,
	LABEL_OPTION,
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

/* What --watch says. */
static struct gdb_watchpoint watch;

static void print_json(const struct session *s, const struct replayed *in,
		       const struct replays *tally, const struct changed *changed,
		       const char *verdict, const char *path,
		       const struct report *expected, const struct report *seen)
{
	const struct chess_trace *t = in->t;
	struct json_object *o = json_object_new_object();
	char *absolute = out_absolute(path);

	out_json_string(o, "verdict", verdict);
	json_object_object_add(o, "runs", json_object_new_uint64(tally->runs));
	out_json_bool(o, "complete", tally->runs == opt.times);
	json_object_object_add(o, "bound",
			       json_object_new_int64(chess_record_preemptions(t->record)));
	json_object_object_add(o, "preemptions",
			       json_object_new_int64(chess_record_preemptions(t->record)));
	json_object_object_add(o, "tasks", json_object_new_int64(chess_record_tasks(t->record)));
	json_object_object_add(o, "points", json_object_new_int64(chess_record_points(t->record)));
	out_json_string(o, "trace", absolute);
	out_json_double(o, "seconds", tally->seconds);
	out_json_double(o, "runs_per_second",
			tally->seconds > 0 ? tally->runs / tally->seconds : 0);
	out_json_string(o, "recorded", chess_verdict_name(t->verdict));
	json_object_object_add(o, "reproduced", json_object_new_uint64(tally->same_verdict));
	json_object_object_add(o, "identical", json_object_new_uint64(tally->identical));
	out_json_bool(o, "program_changed", in->program_changed);
	json_object_object_add(o, "quantum_us",
			       json_object_new_int64(chess_runner_quantum(s->runner)));
	json_object_object_add(o, "fair_k", json_object_new_int64(session_fair(&opt.session)));
	out_json_bool(o, "yield_trylock", session_yield_trylock(&opt.session));
	out_json_string(o, "time", session_time(s->real_time));
	json_object_object_add(o, "surroundings", session_json_surroundings(s->surroundings));
	out_json_bool(o, "vm", where_inside_vm());
	json_object_object_add(o, "moved", json_object_new_uint64(tally->moved));
	changed_json(changed, o);
	replays_json_difference(tally, expected, seen, o);
	report_json(expected, o);
	free(absolute);
	out_json(o);
}

static void print_text(const struct replayed *in, const struct replays *tally, int code,
		       const struct changed *changed,
		       const char *path, const struct report *expected,
		       const struct report *seen)
{
	const struct chess_trace *t = in->t;
	const char *verdict = chess_verdict_name(t->verdict);

	if (in->program_changed)
		printf("the program has CHANGED since the trace was made: '%s'\n", t->program);
	if (code == CLI_INCOMPLETE) {
		replays_print_failed(t, tally, opt.times, expected, seen);
		changed_print(changed, stdout);
		return;
	}
	printf("%s%s reproduced%s: %llu of %llu replays, records identical %s, %.2f s\n",
	       code == CLI_BUG ? out_bad() : out_good(), verdict, out_plain(),
	       (unsigned long long)tally->identical, (unsigned long long)tally->runs,
	       tally->moved ? "except for where things are in memory" : "bit for bit",
	       tally->seconds);
	if (tally->moved)
		changed_print(changed, stdout);
	if (code == CLI_BUG || t->asked) {
		putchar('\n');
		report_print(expected, stdout, path);
	}
}

static int conclude(const struct session *s, const struct replayed *in,
		    const struct replays *tally, const char *path)
{
	const struct chess_trace *t = in->t;
	struct report expected, seen;
	struct chess_trace other, now = { 0 };
	const char *verdict = chess_verdict_name(t->verdict);
	int code = chess_verdict_is_bug(t->verdict) ? CLI_BUG : CLI_OK;
	struct changed changed = { 0 };

	if (tally->have_other) {
		code = CLI_INCOMPLETE;
		verdict = chess_verdict_name(CHESS_VERDICT_DIVERGED);
		replays_open_other(s, in, tally, &other, &seen);
		changed_find(t, &other, &changed);
	} else if (tally->runs < opt.times) {
		code = CLI_INCOMPLETE;
		verdict = chess_verdict_name(CHESS_VERDICT_INCOMPLETE);
	}
	if (tally->moved && !tally->have_other) {
		changed_note_maps(&now, tally->moved_maps);
		changed_find(t, now.maps ? &now : NULL, &changed);
	}
	report_open(&expected, t);
	if (opt.json)
		print_json(s, in, tally, &changed, verdict, path, &expected,
			   tally->have_other ? &seen : NULL);
	else
		print_text(in, tally, code, &changed, path, &expected,
			   tally->have_other ? &seen : NULL);
	report_close(&expected);
	changed_clear(&changed);
	if (tally->have_other)
		report_close(&seen);
	return code;
}

/* A plain replay goes before, for what it takes to follow the trace here. */
static int replay_gdb(struct replayed *in, uint32_t at)
{
	char *program = cli_printf("%s", in->program), *points;
	struct gdb_front front = {
		.interpreter = opt.interpreter, .kept = memfd_create("breakpoints", MFD_CLOEXEC),
	};
	struct session s = { 0 };
	int ret;

	ret = replays_session(in, opt.where.ctl, &opt.session, &s);
	if (ret == CLI_PROCEED && !in->t->asked)
		ret = replays_fit(&s, in);
	/* With the path that it was given. */
	session_close(&s);
	session_release_signals();
	if (ret == CLI_PROCEED)
		ret = replays_points(in, &opt.session, &points);
	if (ret == CLI_PROCEED) {
		do
			ret = gdb_replay(opt.where.ctl, in->t, in->argv, program, in->cwd,
					 &opt.session, points, &watch, &front, &at);
		while (at && ret != CLI_ENVIRONMENT);
		free(points);
	}
	if (front.kept >= 0)
		close(front.kept);
	free(program);
	return ret;
}

/* What --at says: the number of an event, or 0. CLI_PROCEED or an exit code */
static int read_at(const struct chess_trace *t, uint32_t *at)
{
	size_t i, n = chess_record_length(t->record);
	unsigned long seq;
	char *end;

	*at = 0;
	if (!opt.at)
		return CLI_PROCEED;
	if (!strcmp(opt.at, "deciding")) {
		for (i = n; i-- && !*at;)
			if (chess_record_is_preemption(t->record, i))
				*at = i + 1;
		return *at ? CLI_PROCEED :
		       cli_fail(CLI_USAGE, "replay: no task is preempted in this trace; give --at the number of an event");
	}
	seq = strtoul(opt.at, &end, 10);
	if (*opt.at < '0' || *opt.at > '9' || *end || !seq || seq > n)
		return cli_fail(CLI_USAGE,
				"replay: --at takes 'deciding' or the number of an event from 1 to %zu, not '%s'",
				n, opt.at);
	*at = seq;
	return CLI_PROCEED;
}

static int replay_here(struct replayed *in, const char *path)
{
	struct session s = { 0 };
	struct replays tally = { 0 };
	uint32_t at;
	int ret;

	if (opt.gdb || opt.watch) {
		ret = read_at(in->t, &at);
		return ret == CLI_PROCEED ? replay_gdb(in, at) : ret;
	}
	ret = replays_session(in, opt.where.ctl, &opt.session, &s);
	if (ret == CLI_PROCEED)
		ret = replays_run(&s, in->t, opt.times, &tally);
	if (ret == CLI_PROCEED)
		ret = conclude(&s, in, &tally, path);
	replays_clear(&tally);
	session_close(&s);
	return ret;
}

int cmd_replay(int argc, char **argv)
{
	struct operands_list operands;
	struct replayed in;
	char *points;
	int ret;

	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret == CLI_PROCEED)
		ret = out_progress_check("replay");
	if (ret == CLI_PROCEED)
		ret = report_labels_check("replay");
	if (ret != CLI_PROCEED)
		return ret;
	if ((opt.gdb || opt.watch) && (opt.json || opt.times != 1))
		return cli_fail(CLI_USAGE, "replay: --%s goes with neither --json nor --times",
				opt.gdb ? "gdb" : "watch");
	if ((opt.at || opt.interpreter) && !opt.gdb)
		return cli_fail(CLI_USAGE, "replay: --%s goes with --gdb only",
				opt.at ? "at" : "interpreter");
	if (opt.interpreter && strcmp(opt.interpreter, "mi") && strcmp(opt.interpreter, "mi2") &&
	    strcmp(opt.interpreter, "mi3"))
		return cli_fail(CLI_USAGE, "replay: --interpreter takes mi, mi2 or mi3, not '%s'",
				opt.interpreter);
	watch.alone = !opt.gdb;
	ret = opt.watch ? gdb_watchpoint_read(opt.watch, &watch) : CLI_PROCEED;
	if (ret != CLI_PROCEED)
		return ret;
	if (opt.session.points) {
		ret = session_points("replay", opt.session.points, &points);
		if (ret != CLI_PROCEED)
			return ret;
		free(points);
	}
	ret = replays_load("replay", &operands, &opt.session, &in);
	if (ret == CLI_PROCEED)
		ret = where_go(&opt.where, argc, argv);
	if (ret == CLI_PROCEED) {
		ret = replay_here(&in, operands.first[0]);
		chess_ctl_close(opt.where.ctl);
	}
	chess_trace_free(in.t);
	return ret;
}
