// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl run: the program once, under the default policy, with the terminal
 * it was started on. What the program returns, chessctl returns.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "out.h"
#include "program.h"
#include "report/report.h"
#include "session_options.h"
#include "where.h"

/* A run is as long as the program takes: no limit unless one is asked for. */
static struct {
	const char *record;
	struct where where;
	struct session_opts session;
} opt = { .session.run_timeout = 4000000 };

static const struct opt options[] = {
	{ "record", OPT_STRING, &opt.record, "TRACE", "write a trace of the run", 0, 0, 0 },
	SESSION_OPTIONS(opt.session),
	SURROUNDINGS_OPTIONS(opt.session),
	WHERE_OPTIONS(opt.where),
};

static const struct usage usage = {
	"run", "-- PROGRAM [ARG...]",
	"Runs PROGRAM once under the default policy: a task continues until it blocks, ends or\n"
	"yields. The exit code is the program's own, 128 + N if signal N killed it, 124 if\n"
	"chessctl ended it. A deadlock is reported on stderr and ended.",
	OPERANDS_PROGRAM, options, sizeof(options) / sizeof(options[0]),
};

/*
 * As timeout(1): a program that was ended has no exit code of its own, and 128 + 9 would be
 * that of one which somebody else killed.
 */
#define RUN_ENDED	124

/* One run has no other in which it could be different. */
static void tell_later(const struct chess_run_result *res)
{
	struct chess_later *later = chess_later_new(false);
	const char *path, *why;
	size_t i;

	if (later && chess_later_learn(later, res) >= 0)
		for (i = 0; (path = chess_later_bare(later, i, &why)); i++)
			cli_note("note: no traps in %s, which was opened or executed later than at the start: its sync functions were not points",
				 path);
	chess_later_free(later);
}

static int run(struct session *s)
{
	struct chess_run_result res = { 0 };
	struct chess_trace t;
	struct report report;
	int ret, code;

	ret = chess_runner_run(s->runner, NULL, 0, NULL, 0, &res);
	if (ret) {
		chess_run_result_clear(&res);
		return cli_fail(CLI_ENVIRONMENT, "the run ended: %s", chess_error());
	}
	code = WIFSIGNALED(res.status) ? 128 + WTERMSIG(res.status) : WEXITSTATUS(res.status);
	if (res.verdict == CHESS_VERDICT_INCOMPLETE)
		cli_note("the run is incomplete: %s", chess_error());
	tell_later(&res);
	session_trace(s, &res, &t);
	if (res.verdict == CHESS_VERDICT_DEADLOCK || res.verdict == CHESS_VERDICT_LIVELOCK ||
	    res.verdict == CHESS_VERDICT_TIMEOUT) {
		report_open(&report, &t);
		report_print(&report, stderr, NULL);
		report_close(&report);
	}
	if (res.ended) {
		code = RUN_ENDED;
		cli_note("the program was ended by chessctl (verdict %s): exit code %d",
			 chess_verdict_name(res.verdict), code);
	}
	if (opt.record) {
		ret = chess_trace_write(&t, opt.record);
		if (ret) {
			char *ended = report_status(res.status);

			/* An older trace of that name is as it was. */
			code = cli_fail(CLI_ENVIRONMENT,
					"the trace '%s' could not be written: %s; the program itself ended (%s, verdict %s)",
					opt.record, strerror(-ret), ended,
					chess_verdict_name(res.verdict));
			free(ended);
		}
	}
	chess_run_result_clear(&res);
	return code;
}

int cmd_run(int argc, char **argv)
{
	struct operands_list operands;
	struct session s = { 0 };
	char *path, *copy = NULL;
	struct stat st;
	int ret;

	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret != CLI_PROCEED)
		return ret;
	ret = session_points("run", opt.session.points, &s.points);
	if (ret == CLI_PROCEED && session_has_races(s.points))
		ret = cli_fail(CLI_USAGE,
			       "run: which accesses race is known only after a run; 'chessctl races' shows them, 'chessctl explore' makes them points");
	if (ret != CLI_PROCEED)
		return ret;
	ret = program_find(operands.program[0], NULL, &path);
	if (ret == CLI_PROCEED)
		ret = session_may_start(&opt.session, path, NULL);
	if (ret != CLI_PROCEED)
		return ret;
	if (opt.record && !stat(opt.record, &st) && !S_ISREG(st.st_mode)) {
		free(path);
		return cli_fail(CLI_USAGE, "run: '%s' is not a regular file, so no trace can go there",
				opt.record);
	}
	if (opt.record) {
		copy = cli_printf("%s", opt.record);
		opt.where.outbox = dirname(copy);
		if (faccessat(AT_FDCWD, opt.where.outbox, W_OK | X_OK, AT_EACCESS)) {
			ret = cli_fail(CLI_ENVIRONMENT, "no trace can be written in '%s': %s",
				       opt.where.outbox, strerror(errno));
			free(copy);
			return ret;
		}
	}
	/* Nobody asked for a record, nor for a limit. */
	opt.session.goes_on_when_full = !opt.record && !opt.session.max_events;
	ret = where_go(&opt.where, argc, argv);
	if (ret == CLI_PROCEED) {
		opt.session.maps = opt.record;
		ret = session_open(&s, opt.where.ctl, operands.program, path, NULL, &opt.session,
				   false);
		if (ret == CLI_PROCEED)
			ret = run(&s);
		session_close(&s);
		chess_ctl_close(opt.where.ctl);
	}
	free(copy);
	return ret;
}
