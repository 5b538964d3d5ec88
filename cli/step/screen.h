/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * screen.c: chessctl step on a whole terminal, by ncurses: tasks above, history and source below
 * them, then what the last command said, and the keys. Draws what it is given and knows nothing of
 * runs. tui.c calls it.
 */
#ifndef CLI_STEP_SCREEN_H
#define CLI_STEP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "step/here.h"

enum step_pane { STEP_HISTORY, STEP_SOURCE, STEP_ANSWER, STEP_PANES };

/**
 * struct step_lines - a text by lines
 * @line: point into @text; @n of them
 */
struct step_lines {
	char *text;
	char **line;
	size_t n;
};

/* Takes @text, which is malloc'ed and may be NULL, over. */
void step_lines_set(struct step_lines *l, char *text);

/**
 * struct step_view - what is to be seen
 * @title: the first line; @bad: in the colour of a failure
 * @here: the tasks; @selected: the line of it that keys are about
 * @text: by pane
 * @name: of the source file, or why there is none
 * @line: of it, from 1; 0: none
 * @up: by pane, so many lines it is scrolled back; kept within what there is
 * @focus: the pane that is scrolled; the answer has the whole screen then
 * @bottom: the last line
 * @typed: a command that is being typed takes its place; NULL: none is
 */
struct step_view {
	const char *title;
	bool bad;
	const struct step_here *here;
	size_t selected;
	struct step_lines text[STEP_PANES];
	const char *name;
	int line;
	long up[STEP_PANES];
	enum step_pane focus;
	const char *bottom;
	const wchar_t *typed;
};

/* NULL: the terminal cannot do it, or standard input or output is none. */
struct step_screen *step_screen_open(void);
void step_screen_close(struct step_screen *s);
void step_screen_draw(struct step_view *v);

/* Keys that are not letters */
enum step_key { STEP_KEY_NONE, STEP_KEY_LETTER, STEP_KEY_UP, STEP_KEY_DOWN, STEP_KEY_PAGE_UP,
		STEP_KEY_PAGE_DOWN, STEP_KEY_HOME, STEP_KEY_END, STEP_KEY_RUBOUT, STEP_KEY_ENTER,
		STEP_KEY_ESCAPE, STEP_KEY_CLOSED };
/* The next key, or STEP_KEY_NONE after a while without one and when the size has changed. */
enum step_key step_screen_key(wchar_t *letter);
/* Lines that a page scrolls */
int step_screen_page(void);

#endif /* CLI_STEP_SCREEN_H */
