// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl step: somebody chooses the schedule, decision by decision. Each position is a prefix
 * of a run's schedule; the program is run with it and continues by default (walk.h), so nothing
 * is kept waiting while somebody thinks.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "plain.h"
#include "program.h"
#include "replays.h"
#include "report/labels.h"
#include "session_options.h"
#include "step/input.h"
#include "step/obey.h"
#include "step/tui.h"
#include "where.h"

static struct {
	const char *out;
	bool plain;
	struct where where;
	struct session_opts session;
} opt;

static const struct opt options[] = {
	{ "out", OPT_STRING, &opt.out, "DIR",
	  "folder for what 'save' writes (" OUT_DIR_DEFAULT ")", 0, 0, 0 },
	{ "plain", OPT_FLAG, &opt.plain, NULL,
	  "a prompt, line by line, on terminals too", 0, 0, 0 },
	{ "no-bpf", OPT_FLAG, &opt.session.no_bpf, NULL,
	  "no kernel stacks of blocked tasks", 0, 0, 0 },
	SESSION_OPTIONS_WITH(opt.session, "sync, syscalls, or both (default; of a trace: as recorded)"),
	SURROUNDINGS_OPTIONS(opt.session),
	LABEL_OPTION,
	WHERE_OPTIONS(opt.where),
};

static const struct usage usage = {
	"step", "TRACE [-- PROGRAM ARG...] | -- PROGRAM ARG...",
	"Lets you choose at each decision which task runs next, go back, and see how the run ends.\n"
	"On a terminal, keys choose; '?' lists them. With --plain, or from a pipe, commands are read\n"
	"line by line; 'help' lists them. With TRACE the run begins as the recorded one.\n"
	"Exit codes: 1 the run fails as it is at the end, 0 it does not, 2 usage, or a command of a\n"
	"script was refused, 3 environment, 4 interrupted, or TRACE cannot be followed.",
	OPERANDS_EITHER, options, sizeof(options) / sizeof(options[0]),
};

/* Lines, from a terminal or a pipe. CLI_PROCEED or an exit code */
static int read_lines(struct step_talk *t)
{
	struct step_input *in = step_input_open();
	char *line = NULL;
	bool typed;

	if (!in)
		return cli_fail(CLI_ENVIRONMENT, "the terminal cannot be used");
	typed = step_input_typed(in);
	step_show(&t->w);
	while (!t->over && !session_interrupted() && (line = step_input_line(in))) {
		/* Without the echo of a terminal what comes next would not say what it is of. */
		if (!typed)
			printf("> %.200s\n", line);
		if (step_obey(t, line))
			step_show(&t->w);
	}
	/* The end of typed input is in the line of the prompt. */
	if (typed && !line && !t->over)
		putchar('\n');
	step_input_close(in);
	return t->refused && !typed ? CLI_USAGE : CLI_PROCEED;
}

/* Return: the exit code */
static int talk(struct step_talk *t)
{
	int ret = !opt.plain && step_tui(t) ? CLI_PROCEED : read_lines(t);

	if (session_interrupted())
		return cli_fail(CLI_INCOMPLETE, "interrupted");
	if (ret != CLI_PROCEED)
		return ret;
	return chess_verdict_is_bug(t->w.res.verdict) ? CLI_BUG : CLI_OK;
}

/* The trace must be what happens here. CLI_PROCEED or an exit code */
static int check_trace(struct session *s, struct replayed *in)
{
	struct replays tally = { 0 };
	struct report expected, seen;
	struct chess_trace other;
	int ret = replays_fit(s, in);

	if (ret == CLI_PROCEED)
		ret = replays_run(s, in->t, 1, &tally);
	if (ret == CLI_PROCEED && tally.have_other) {
		report_open(&expected, in->t);
		replays_open_other(s, in, &tally, &other, &seen);
		replays_print_failed(in->t, &tally, 1, &expected, &seen);
		report_close(&seen);
		report_close(&expected);
		ret = cli_fail(CLI_INCOMPLETE,
			       "step: the trace cannot be followed here; without it, step begins with the default choices");
	} else if (ret == CLI_PROCEED && !tally.identical) {
		ret = cli_fail(CLI_INCOMPLETE, "interrupted");
	}
	replays_clear(&tally);
	return ret;
}

static int step_here(struct session *s, struct replayed *in, const struct out_dir *dir)
{
	struct step_talk t = { .dir = dir };
	int ret = CLI_PROCEED;

	if (in->t)
		ret = check_trace(s, in);
	if (ret == CLI_PROCEED)
		ret = step_walk_open(&t.w, s, in->t);
	if (ret == CLI_PROCEED)
		ret = talk(&t);
	step_walk_close(&t.w);
	return ret;
}

/* A program alone, which no trace speaks of. CLI_PROCEED or an exit code */
static int load_program(const struct operands_list *operands, struct session *s,
			struct replayed *in)
{
	int ret = session_points("step", opt.session.points, &s->points);

	*in = (struct replayed){ .command = "step", .argv = operands->program };
	if (ret == CLI_PROCEED && session_has_races(s->points))
		ret = cli_fail(CLI_USAGE,
			       "step: which accesses race is known only after a search; give step a trace of 'chessctl explore', whose points it has");
	if (ret == CLI_PROCEED)
		ret = program_find(in->argv[0], NULL, &in->program);
	if (ret == CLI_PROCEED)
		ret = session_may_start(&opt.session, in->program, NULL);
	return ret;
}

static int open_session(struct session *s, struct replayed *in)
{
	if (in->t)
		return replays_session(in, opt.where.ctl, &opt.session, s);
	opt.session.maps = true;
	return session_open(s, opt.where.ctl, in->argv, in->program, NULL, &opt.session, true);
}

int cmd_step(int argc, char **argv)
{
	struct operands_list operands;
	struct session s = { 0 };
	struct out_dir dir = { 0 };
	struct replayed in;
	int ret;

	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret == CLI_PROCEED)
		ret = report_labels_check("step");
	if (ret != CLI_PROCEED)
		return ret;
	if (operands.n_first)
		ret = replays_load("step", &operands, &opt.session, &in);
	else
		ret = load_program(&operands, &s, &in);
	if (ret == CLI_PROCEED && in.t && in.t->asked)
		ret = cli_fail(CLI_USAGE,
			       "step: trace '%s' is of a run that did not follow its prefix; there is no schedule to begin with",
			       operands.first[0]);
	if (ret == CLI_PROCEED)
		ret = out_dir_open(&dir, opt.out);
	if (ret == CLI_PROCEED) {
		opt.where.outbox = dir.path;
		ret = where_go(&opt.where, argc, argv);
	}
	if (ret == CLI_PROCEED) {
		ret = open_session(&s, &in);
		if (ret == CLI_PROCEED)
			ret = step_here(&s, &in, &dir);
		session_close(&s);
		chess_ctl_close(opt.where.ctl);
	}
	out_dir_close(&dir);
	chess_trace_free(in.t);
	return ret;
}
