/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.c: a line that somebody typed to chessctl step, as a command. Knows the words and
 * nothing of runs, so that it is tested without any (selftests/unit/step_words_test.c).
 */
#ifndef CLI_STEP_WORDS_H
#define CLI_STEP_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STEP_LINE_MAX	4096	/* of a command; a longer line is refused */

enum step_verb {
	STEP_NOTHING,		/* an empty line, or a comment */
	STEP_RUN, STEP_TRY, STEP_NEXT, STEP_UNTIL, STEP_UNDO, STEP_BACK, STEP_WHERE, STEP_LIST,
	STEP_WHY, STEP_DELTA, STEP_SAVE, STEP_VERDICT, STEP_REPORT, STEP_HELP, STEP_QUIT,
};

/* Where "until" stops. */
enum step_stop { STEP_AT_EVENT, STEP_AT_FUNCTION, STEP_AT_OBJECT, STEP_AT_BLOCK, STEP_AT_END };

/* What a decision can choose. */
enum step_way {
	STEP_NO_WAY,		/* none was named */
	STEP_TASK,
	STEP_TIMER,		/* timers go off first */
	STEP_WAIT_ENDS,		/* in what way a wait ends: CHESS_ENDS_* */
};

/**
 * struct step_words - a command
 * @verb: what to do
 * @stop: of STEP_UNTIL
 * @way: of STEP_RUN and STEP_TRY; STEP_TASK also of those that are about a task
 * @value: the task, or how the wait ends
 * @number: of an event, or how often; 1 where none was given
 * @text: a name, in the line that was read; NULL: none was given
 * @error: why it is no command: one sentence
 */
struct step_words {
	enum step_verb verb;
	enum step_stop stop;
	enum step_way way;
	uint16_t value;
	uint64_t number;
	const char *text;
	char error[256];
};

/* @line is changed, and @out points into it. False: see out->error. */
bool step_words_read(char *line, struct step_words *out);

/* What "help" prints. */
const char *step_words_help(void);

#endif /* CLI_STEP_WORDS_H */
