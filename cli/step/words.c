// SPDX-License-Identifier: GPL-2.0-only
/*
 * The commands of chessctl step, see words.h. Each has one spelling, as options have.
 */
#include <chessctl/chessctl.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step/words.h"

#define WORDS_MAX	5	/* of a command, and one that is too many */
#define SHOWN		40	/* of a word in a sentence */

/* What may follow the name of a command. */
enum form { FORM_ALONE, FORM_WAY, FORM_MAY_WAY, FORM_TASK, FORM_MAY_TASK, FORM_TIMES, FORM_FILE,
	    FORM_STOP };

static const struct {
	const char *name;
	enum step_verb verb;
	enum form form;
} verbs[] = {
	{ "run", STEP_RUN, FORM_MAY_WAY },
	{ "try", STEP_TRY, FORM_MAY_WAY },
	{ "next", STEP_NEXT, FORM_TIMES },
	{ "until", STEP_UNTIL, FORM_STOP },
	{ "undo", STEP_UNDO, FORM_TIMES },
	{ "back", STEP_BACK, FORM_TIMES },
	{ "where", STEP_WHERE, FORM_MAY_TASK },
	{ "stack", STEP_WHERE, FORM_MAY_TASK },
	{ "list", STEP_LIST, FORM_ALONE },
	{ "why", STEP_WHY, FORM_TASK },
	{ "delta", STEP_DELTA, FORM_ALONE },
	{ "save", STEP_SAVE, FORM_FILE },
	{ "verdict", STEP_VERDICT, FORM_ALONE },
	{ "report", STEP_REPORT, FORM_ALONE },
	{ "help", STEP_HELP, FORM_ALONE },
	{ "quit", STEP_QUIT, FORM_ALONE },
};

const char *step_words_help(void)
{
	return
	"Choose what runs next\n"
	"  next [N]             take the choice after 'next:', N times\n"
	"  run TASK, or TASK    let this task (T0, T1, ...) run here\n"
	"  run timer            let the timers that are due first go off here\n"
	"  run late|spurious    how the wait ends, where that is the choice\n"
	"  try [TASK]           how the run would end with this choice, or with each\n"
	"Go forward along the run as it is shown\n"
	"  until event N        to event N, or the first decision after it\n"
	"  until function NAME  until a task is about to do something in this function\n"
	"  until object NAME    until a task is about to do something to this object\n"
	"  until TASK blocks    until this task blocks\n"
	"  until end            to the end of the run\n"
	"Go back\n"
	"  undo [N]             take back the last command that moved or chose, or the last N\n"
	"  back [N]             go back to the decision before this one; the run stays as it is\n"
	"Look\n"
	"  where [TASK]         the stack of each task, or of one ('stack' is the same)\n"
	"  why TASK             what this task waits for, and which task could end the wait\n"
	"  list                 the steps up to here\n"
	"  verdict              how the run ends\n"
	"  report               the whole report of the run\n"
	"  delta                which choices make the run fail, and the order of which two steps\n"
	"Other\n"
	"  save [FILE]          write a trace of the run, for chessctl replay\n"
	"  help, quit\n";
}

static bool refuse(struct step_words *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static bool refuse(struct step_words *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(out->error, sizeof(out->error), fmt, ap);
	va_end(ap);
	return false;
}

/* A number and nothing else. */
static bool read_number(const char *text, uint64_t max, uint64_t *out)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return !errno && !*end && *out <= max;
}

/* "T3" */
static bool read_task(const char *text, uint16_t *out)
{
	uint64_t id;

	if (*text != 'T' || !read_number(text + 1, CHESS_MAX_TASKS - 1, &id))
		return false;
	*out = id;
	return true;
}

static bool read_way(const char *text, struct step_words *out)
{
	if (read_task(text, &out->value)) {
		out->way = STEP_TASK;
	} else if (!strcmp(text, "timer")) {
		out->way = STEP_TIMER;
		out->value = CHESS_TASK_TIMER;
	} else if (!strcmp(text, "late") || !strcmp(text, "spurious")) {
		out->way = STEP_WAIT_ENDS;
		out->value = *text == 'l' ? CHESS_ENDS_LATE : CHESS_ENDS_FOR_NOTHING;
	} else {
		return refuse(out, "'%.*s' is not the name of a task; tasks are T0, T1 and so on",
			      SHOWN, text);
	}
	return true;
}

static bool read_stop(char *const *word, size_t n, struct step_words *out)
{
	static const char usage[] =
		"until takes 'event N', 'function NAME', 'object NAME', 'TASK blocks' or 'end'";

	if (n == 2 && !strcmp(word[1], "end")) {
		out->stop = STEP_AT_END;
		return true;
	}
	/* "inode 3" */
	if (n == 4 && !strcmp(word[1], "object")) {
		size_t length = strlen(word[2]);

		word[2][length] = ' ';
		memmove(word[2] + length + 1, word[3], strlen(word[3]) + 1);
		n = 3;
	}
	if (n != 3)
		return refuse(out, "%s", usage);
	if (!strcmp(word[1], "event")) {
		out->stop = STEP_AT_EVENT;
		if (!read_number(word[2], CHESS_MAX_EVENTS, &out->number) || !out->number)
			return refuse(out, "an event has a number from 1 on, not '%.*s'", SHOWN,
				      word[2]);
		return true;
	}
	out->text = word[2];
	if (!strcmp(word[1], "function")) {
		out->stop = STEP_AT_FUNCTION;
	} else if (!strcmp(word[1], "object")) {
		out->stop = STEP_AT_OBJECT;
	} else if (!strcmp(word[2], "blocks")) {
		out->stop = STEP_AT_BLOCK;
		return read_way(word[1], out) && (out->way == STEP_TASK ||
		       refuse(out, "only tasks block; tasks are T0, T1 and so on"));
	} else {
		return refuse(out, "%s", usage);
	}
	return true;
}

static bool read_form(enum form form, char *const *word, size_t n, struct step_words *out)
{
	if (form == FORM_STOP)
		return read_stop(word, n, out);
	if (n > 2 || (n > 1 && form == FORM_ALONE))
		return refuse(out, "'%s' takes %s; 'help' lists the commands", word[0],
			      form == FORM_ALONE ? "nothing" : "one word");
	if (n == 1 && form == FORM_TASK)
		return refuse(out, "'%s' takes a task: T0, T1 and so on", word[0]);
	if (n == 1)
		return true;
	switch (form) {
	case FORM_TIMES:
		if (!read_number(word[1], CHESS_MAX_EVENTS, &out->number) || !out->number)
			return refuse(out, "'%s' takes a number from 1 on, not '%.*s'", word[0],
				      SHOWN, word[1]);
		return true;
	case FORM_FILE:
		out->text = word[1];
		return true;
	case FORM_TASK:
	case FORM_MAY_TASK:
		return read_way(word[1], out) && (out->way == STEP_TASK ||
		       refuse(out, "'%s' takes a task: T0, T1 and so on", word[0]));
	default:
		return read_way(word[1], out);
	}
}

bool step_words_read(char *line, struct step_words *out)
{
	char *word[WORDS_MAX], *save = NULL, *at;
	size_t n = 0, i;

	*out = (struct step_words){ .number = 1 };
	if (strlen(line) >= STEP_LINE_MAX)
		return refuse(out, "a command has at most %d characters, this one has %zu",
			      STEP_LINE_MAX - 1, strlen(line));
	for (at = strtok_r(line, " \t\r\n", &save); at && n < WORDS_MAX;
	     at = strtok_r(NULL, " \t\r\n", &save))
		word[n++] = at;
	if (!n || *word[0] == '#')
		return true;
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(word[0], verbs[i].name))
			continue;
		out->verb = verbs[i].verb;
		return read_form(verbs[i].form, word, n, out);
	}
	if (n == 1 && read_task(word[0], &out->value)) {
		out->verb = STEP_RUN;
		out->way = STEP_TASK;
		return true;
	}
	return refuse(out, "'%.*s' is not a command; 'help' lists the commands", SHOWN, word[0]);
}
