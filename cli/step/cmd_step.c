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
#include "session_options.h"
#include "step/input.h"
#include "step/step.h"
#include "where.h"

static struct {
	const char *out;
	struct where where;
	struct session_opts session;
} opt;

static const struct opt options[] = {
	{ "out", OPT_STRING, &opt.out, "DIR",
	  "folder for what 'save' writes (" OUT_DIR_DEFAULT ")", 0, 0, 0 },
	{ "no-bpf", OPT_FLAG, &opt.session.no_bpf, NULL,
	  "no kernel stacks of blocked tasks", 0, 0, 0 },
	SESSION_OPTIONS_WITH(opt.session, "sync, syscalls, or both (default; of a trace: as recorded)"),
	SURROUNDINGS_OPTIONS(opt.session),
	WHERE_OPTIONS(opt.where),
};

static const struct usage usage = {
	"step", "TRACE [-- PROGRAM ARG...] | -- PROGRAM ARG...",
	"Lets you choose at each decision which task runs next, go back, and see how the run ends.\n"
	"Reads commands from the terminal or from a pipe; 'help' lists them. With TRACE the run\n"
	"begins as the recorded one.\n"
	"Exit codes: 1 the run fails as it is at the end, 0 it does not, 2 usage, or a command of a\n"
	"script was refused, 3 environment, 4 interrupted, or TRACE cannot be followed.",
	OPERANDS_EITHER, options, sizeof(options) / sizeof(options[0]),
};

/**
 * struct talk - one session at the prompt
 * @w: the run
 * @dir: where traces go
 * @refused: a command was
 * @over: 'quit' came
 */
struct talk {
	struct step_walk w;
	const struct out_dir *dir;
	bool refused, over;
};

static bool at_end(const struct step_walk *w)
{
	if (step_walk_ended(w))
		cli_note("this is the end of the run; 'undo' and 'back' lead back");
	return step_walk_ended(w);
}

/* To the next decision at which there is something to choose. */
static void advance(struct step_walk *w)
{
	w->at = step_walk_choice_from(w, w->at + 1);
}

static bool next(struct step_walk *w, uint64_t times)
{
	if (at_end(w))
		return false;
	step_walk_remember(w);
	while (times-- && !step_walk_ended(w))
		advance(w);
	return true;
}

/* Can it be chosen here? Else says why not. */
static bool may_choose(const struct step_walk *w, const struct step_words *words)
{
	const struct chess_event *e;
	bool is_wait;
	char *text;

	if (at_end(w))
		return false;
	e = chess_record_event(w->res.record, w->event[w->at]);
	is_wait = e->type == CHESS_EVENT_SPURIOUS;
	if (is_wait != (words->way == STEP_WAIT_ENDS)) {
		cli_note(is_wait ? "the choice here is how the wait ends: 'run late' or 'run spurious'" :
			 "the choice here is not how a wait ends; choose a task");
		return false;
	}
	if (step_walk_may(w, w->at, words->value))
		return true;
	text = step_way_text(w, w->at, words->value);
	if (words->way == STEP_TASK && words->value >= chess_record_tasks(w->res.record))
		cli_note("this run has no %s; it has %zu tasks", text,
			 chess_record_tasks(w->res.record));
	else
		cli_note("%s cannot run at event %u%s", text, e->seq,
			 words->way == STEP_TASK ? "; 'why' says what a task waits for" : "");
	free(text);
	return false;
}

static bool run(struct step_walk *w, const struct step_words *words)
{
	struct chess_run_result res;
	uint16_t was;
	uint32_t seq;
	char *chosen, *other;

	if (words->way == STEP_NO_WAY)
		return next(w, 1);
	if (!may_choose(w, words))
		return false;
	was = chess_record_event(w->res.record, w->event[w->at])->chosen;
	if (was == words->value)
		return next(w, 1);
	chosen = step_way_text(w, w->at, words->value);
	other = step_way_text(w, w->at, was);
	seq = step_walk_event(w) + 1;
	if (step_walk_try(w, words->value, &res)) {
		free(chosen);
		free(other);
		return false;
	}
	step_walk_remember(w);
	step_walk_take(w, &res);
	printf("event %u: %s in place of %s; by default from here on ", seq, chosen, other);
	step_show_verdict(w);
	advance(w);
	free(chosen);
	free(other);
	return true;
}

/* Return: false after a sentence */
static bool try_one(struct step_walk *w, uint16_t way)
{
	const struct chess_event *e = chess_record_event(w->res.record, w->event[w->at]);
	bool as_is = way == e->chosen;
	char *text = step_way_text(w, w->at, way);
	enum chess_verdict verdict = w->res.verdict;
	struct chess_run_result res = { 0 };
	bool good = as_is || !step_walk_try(w, way, &res);

	if (good && !as_is)
		verdict = res.verdict;
	if (good)
		printf("  %s %s: %s\n", as_is ? ">" : " ", text, chess_verdict_name(verdict));
	chess_run_result_clear(&res);
	free(text);
	return good;
}

static bool try(struct step_walk *w, const struct step_words *words)
{
	const struct chess_event *e;
	size_t n, way;
	bool good = true;

	if (words->way != STEP_NO_WAY)
		return may_choose(w, words) && try_one(w, words->value);
	if (at_end(w))
		return false;
	e = chess_record_event(w->res.record, w->event[w->at]);
	n = e->type == CHESS_EVENT_SPURIOUS ? CHESS_ENDS_FOR_NOTHING + 1 :
	    chess_record_tasks(w->res.record);
	for (way = 0; way < n && good && !session_interrupted(); way++)
		if (step_walk_may(w, w->at, way))
			good = try_one(w, way);
	if (good && !session_interrupted() && step_walk_may(w, w->at, CHESS_TASK_TIMER))
		good = try_one(w, CHESS_TASK_TIMER);
	return good;
}

static bool back(struct step_walk *w, uint64_t times)
{
	size_t at = w->at, k;

	for (k = w->at; k-- && times;) {
		if (!step_walk_is_choice(w, k))
			continue;
		at = k;
		times--;
	}
	if (at == w->at) {
		cli_note("there is no decision before this one");
		return false;
	}
	step_walk_remember(w);
	w->at = at;
	return true;
}

/* Did it move? Then the new place is shown. Refused: *@good is false. */
static bool moves(struct talk *t, const struct step_words *words, bool *good)
{
	switch (words->verb) {
	case STEP_RUN:
		*good = run(&t->w, words);
		return *good;
	case STEP_NEXT:
		*good = next(&t->w, words->number);
		return *good;
	case STEP_UNTIL:
		*good = step_until(&t->w, words);
		return *good;
	case STEP_UNDO:
		*good = !step_walk_undo(&t->w, words->number);
		return *good;
	case STEP_BACK:
		*good = back(&t->w, words->number);
		return *good;
	case STEP_DELTA:
		*good = step_delta(&t->w);
		return *good;
	default:
		return false;
	}
}

static bool look(struct talk *t, const struct step_words *words)
{
	switch (words->verb) {
	case STEP_TRY:
		return try(&t->w, words);
	case STEP_WHERE:
		return step_show_where(&t->w, words->way == STEP_TASK ? words->value :
				       CHESS_TASK_NONE);
	case STEP_WHY:
		return step_show_why(&t->w, words->value);
	case STEP_LIST:
		step_show_list(&t->w);
		return true;
	case STEP_SAVE:
		return step_save(&t->w, t->dir, words->text);
	case STEP_VERDICT:
		step_show_verdict(&t->w);
		return true;
	case STEP_REPORT:
		step_walk_explain(&t->w);
		report_print(&t->w.report, stdout, NULL);
		return true;
	case STEP_HELP:
		fputs(step_words_help(), stdout);
		return true;
	case STEP_QUIT:
		t->over = true;
		return true;
	default:
		return true;
	}
}

static void obey(struct talk *t, char *line)
{
	struct step_words words;
	bool good = step_words_read(line, &words);

	if (!good)
		cli_note("%s", words.error);
	else if (moves(t, &words, &good))
		step_show(&t->w);
	else if (good)
		good = look(t, &words);
	t->refused |= !good;
}

/* Return: the exit code */
static int talk(struct talk *t)
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
		obey(t, line);
	}
	/* The end of typed input is in the line of the prompt. */
	if (typed && !line && !t->over)
		putchar('\n');
	step_input_close(in);
	if (session_interrupted())
		return cli_fail(CLI_INCOMPLETE, "interrupted");
	if (t->refused && !typed)
		return CLI_USAGE;
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
	struct talk t = { .dir = dir };
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
