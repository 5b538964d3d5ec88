// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl step with keys: each key is one of the commands that the prompt takes, about the task
 * that is selected where it is about one. What a command prints becomes the answer. See tui.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "out.h"
#include "report/source_file.h"
#include "step/screen.h"
#include "step/tui.h"

#define TYPED_MAX	200	/* letters of a command */

/**
 * struct tui - the session
 * @here: what could run; @view: what is on the screen
 * @title, @bottom, @name: texts of @view
 * @path: of the source that is shown, NULL: none
 * @typed: a command, while it is being typed
 */
struct tui {
	struct step_talk *t;
	struct step_here here;
	struct step_view view;
	char *title, *bottom, *name, *path;
	wchar_t typed[TYPED_MAX + 1];
	size_t n_typed;
};

/**
 * struct binding - a key
 * @command: with %s for what is selected; NULL: the keys
 * @name: in the last line of the screen
 * @how: TYPED: it is the beginning of a command, which is typed to its end; OF_TASK: what is
 * selected must be a task; WHOLE: the answer gets the whole screen
 */
enum { TYPED = 1, OF_TASK = 2, WHOLE = 4 };
static const struct binding {
	wchar_t key;
	const char *command, *name;
	int how;
} bindings[] = {
	{ L'?', NULL, "? keys", WHOLE },
	{ L'q', "quit", "q quit", 0 },
	{ L'\r', "run %s", "Enter run", 0 },
	{ L'n', "next", "n next", 0 },
	{ L' ', "next", NULL, 0 },
	{ L'u', "undo", "u undo", 0 },
	{ L'b', "back", "b back", 0 },
	{ L't', "try %s", "t what if", 0 },
	{ L'T', "try", NULL, 0 },
	{ L'd', "delta", "d delta", 0 },
	{ L's', "save", "s save", 0 },
	{ L'w', "why %s", "w why", OF_TASK },
	{ L'f', "until function ", "f/o/e until", TYPED },
	{ L'o', "until object ", NULL, TYPED },
	{ L'e', "until event ", NULL, TYPED },
	{ L'B', "until %s blocks", NULL, OF_TASK },
	{ L'E', "until end", NULL, 0 },
	{ L'k', "where %s", NULL, OF_TASK },
	{ L'v', "verdict", NULL, 0 },
	{ L'r', "report", NULL, WHOLE },
	{ L':', "", ": type", TYPED },
};

static const char keys_help[] =
	"Up, Down     select a task, or another choice\n"
	"Enter        let it run here ('>' marks what 'next' takes)\n"
	"n, Space     next: take the choice marked '>'\n"
	"t            what if: how the run would end with what is selected; T: with each\n"
	"u            undo the last command that moved or chose\n"
	"b            back to the decision before this one; the run stays as it is\n"
	"f, o, e      until function, object, event: type the rest\n"
	"B            until the selected task blocks; E: until the end of the run\n"
	"w, k         why the selected task waits; its stack\n"
	"d            delta: which choices make the run fail, and which two steps\n"
	"v, r         how the run ends, in a line or as the whole report\n"
	"s            save a trace of the run\n"
	":            type a command; :help lists them\n"
	"Tab          the pane that Page Up, Page Down, Home and End scroll; the answer gets\n"
	"             the whole screen, Escape leads back\n"
	"q            quit\n";

static void set(char **to, char *text)
{
	free(*to);
	*to = text;
}

/* --- what is shown ---------------------------------------------------------- */

static void show_title(struct tui *u)
{
	const struct step_walk *w = &u->t->w;
	const char *path = w->t.program ? w->t.program : "", *slash = strrchr(path, '/');
	size_t n = w->report.run.n_preemptions;

	u->view.bad = chess_verdict_is_bug(w->res.verdict);
	set(&u->title, cli_printf("%s  event %u of %zu  by default from here on: %s, %zu preemption%s",
				  slash ? slash + 1 : path, u->here.seq,
				  chess_record_length(w->res.record),
				  chess_verdict_name(w->res.verdict), n, n == 1 ? "" : "s"));
	u->view.title = u->title;
}

static void show_keys(struct tui *u)
{
	char *text = cli_printf("%s", "");
	size_t i;

	for (i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++)
		if (bindings[i].name)
			set(&text, cli_printf("%s%s%s", text, *text ? "  " : "", bindings[i].name));
	set(&u->bottom, text);
	u->view.bottom = u->bottom;
}

/* Of the selected task, where it is about to do something. */
static void show_source(struct tui *u)
{
	const struct place *p = u->here.n ? &u->here.line[u->view.selected].place : NULL;
	struct step_lines *source = &u->view.text[STEP_SOURCE];
	struct timespec built = { 0 };
	bool newer = false;
	struct stat st;
	char *path;

	u->view.line = 0;
	u->view.up[STEP_SOURCE] = 0;
	if (!p || !p->file) {
		set(&u->path, NULL);
		step_lines_set(source, NULL);
		set(&u->name, cli_printf("no source line is known"));
		u->view.name = u->name;
		return;
	}
	path = source_file_path(p);
	if (!u->path || strcmp(path, u->path)) {
		if (p->module && !stat(p->module, &st))
			built = st.st_mtim;
		step_lines_set(source, source_file_read(path, u->t->w.t.cwd, &built, &newer));
		set(&u->name, cli_printf("%s%s", p->file, newer ? " (changed since the program was built)" :
					 source->text ? "" : " (cannot be read)"));
		set(&u->path, path);
	} else {
		free(path);
	}
	u->view.name = u->name;
	u->view.line = source->text ? p->line : 0;
}

/* The position is another one: what is next is selected. */
static void show_here(struct tui *u)
{
	size_t i;

	step_here_clear(&u->here);
	step_here_read(&u->here, &u->t->w);
	u->view.here = &u->here;
	u->view.selected = 0;
	for (i = 0; i < u->here.n; i++)
		if (u->here.line[i].next)
			u->view.selected = i;
	step_lines_set(&u->view.text[STEP_HISTORY], step_history(&u->t->w));
	u->view.up[STEP_HISTORY] = 0;
	show_title(u);
	show_source(u);
}

/* --- what keys do ------------------------------------------------------------ */

struct said {
	struct step_talk *t;
	char *line;
	bool moved;
};

static void obey(void *arg)
{
	struct said *said = arg;

	said->moved = step_obey(said->t, said->line);
}

static void answer(struct tui *u, char *text)
{
	step_lines_set(&u->view.text[STEP_ANSWER], text);
	u->view.up[STEP_ANSWER] = 0;
	if (u->view.focus == STEP_ANSWER)
		u->view.focus = STEP_HISTORY;
}

/* @line is freed. */
static void command(struct tui *u, char *line)
{
	struct said said = { .t = u->t, .line = line };

	/* Some make runs, which take a while. */
	set(&u->bottom, cli_printf("%s ...", line));
	u->view.bottom = u->bottom;
	step_screen_draw(&u->view);
	answer(u, out_captured_all(obey, &said));
	free(line);
	show_keys(u);
	if (said.moved && !session_interrupted())
		show_here(u);
}

static void begin_typing(struct tui *u, const char *text)
{
	u->n_typed = mbstowcs(u->typed, text, TYPED_MAX);
	u->typed[u->n_typed] = 0;
	u->view.typed = u->typed;
}

/* A letter that the locale has no bytes for ends it; no command has one. */
static char *typed_text(const struct tui *u)
{
	char *text = cli_alloc(u->n_typed * MB_CUR_MAX + 1, 1);

	if (wcstombs(text, u->typed, u->n_typed * MB_CUR_MAX) == (size_t)-1)
		*text = 0;
	return text;
}

static void type(struct tui *u, enum step_key key, wchar_t letter)
{
	switch (key) {
	case STEP_KEY_ENTER:
		u->view.typed = NULL;
		command(u, typed_text(u));
		break;
	case STEP_KEY_RUBOUT:
		if (u->n_typed)
			u->typed[--u->n_typed] = 0;
		else
			u->view.typed = NULL;
		break;
	case STEP_KEY_ESCAPE:
		u->view.typed = NULL;
		break;
	case STEP_KEY_LETTER:
		/* as Ctrl-U of a terminal */
		if (letter == L'U' - L'@') {
			u->n_typed = 0;
		} else if (letter >= L' ' && u->n_typed < TYPED_MAX && wcwidth(letter) > 0) {
			u->typed[u->n_typed++] = letter;
		}
		u->typed[u->n_typed] = 0;
		break;
	default:
		break;
	}
}

static void bound(struct tui *u, wchar_t letter)
{
	const struct step_line *line = u->here.n ? &u->here.line[u->view.selected] : NULL;
	const struct binding *b = bindings;
	size_t i;

	for (i = 0; i < sizeof(bindings) / sizeof(bindings[0]) && bindings[i].key != letter; i++)
		;
	if (i == sizeof(bindings) / sizeof(bindings[0]))
		return;
	b = &bindings[i];
	if (!b->command)
		answer(u, cli_printf("%s", keys_help));
	else if (b->how & TYPED)
		begin_typing(u, b->command);
	else if (!strstr(b->command, "%s"))
		command(u, cli_printf("%s", b->command));
	else if (!line || (b->how & OF_TASK && *line->name != 'T'))
		answer(u, cli_printf("no task is selected"));
	else
		command(u, cli_printf(b->command, line->name));
	if (b->how & WHOLE)
		u->view.focus = STEP_ANSWER;
}

static void select_line(struct tui *u, int by)
{
	if (by < 0 && u->view.selected)
		u->view.selected--;
	else if (by > 0 && u->view.selected + 1 < u->here.n)
		u->view.selected++;
	show_source(u);
}

static void next_pane(struct tui *u)
{
	u->view.focus = (u->view.focus + 1) % STEP_PANES;
	if (u->view.focus == STEP_ANSWER && !u->view.text[STEP_ANSWER].n)
		u->view.focus = STEP_HISTORY;
}

static void press(struct tui *u, enum step_key key, wchar_t letter)
{
	long *up = &u->view.up[u->view.focus], far = 1L << 30;

	switch (key) {
	case STEP_KEY_UP:
	case STEP_KEY_DOWN:
		if (u->view.focus == STEP_ANSWER)
			*up += key == STEP_KEY_UP ? 1 : -1;
		else
			select_line(u, key == STEP_KEY_UP ? -1 : 1);
		break;
	case STEP_KEY_PAGE_UP:
		*up += step_screen_page();
		break;
	case STEP_KEY_PAGE_DOWN:
		*up -= step_screen_page();
		break;
	case STEP_KEY_HOME:
		*up = far;
		break;
	case STEP_KEY_END:
		*up = -far;
		break;
	case STEP_KEY_ESCAPE:
		u->view.focus = STEP_HISTORY;
		break;
	case STEP_KEY_ENTER:
		bound(u, L'\r');
		break;
	case STEP_KEY_LETTER:
		if (letter == L'\t')
			next_pane(u);
		else if (letter == L'q' && u->view.focus == STEP_ANSWER)
			u->view.focus = STEP_HISTORY;
		else
			bound(u, letter);
		break;
	default:
		break;
	}
}

bool step_tui(struct step_talk *t)
{
	struct step_screen *screen = step_screen_open();
	struct tui u = { .t = t };
	enum step_key key = STEP_KEY_NONE;
	wchar_t letter = 0;
	size_t i;

	if (!screen)
		return false;
	show_keys(&u);
	show_here(&u);
	while (!t->over && !session_interrupted() && key != STEP_KEY_CLOSED) {
		step_screen_draw(&u.view);
		key = step_screen_key(&letter);
		if (u.view.typed)
			type(&u, key, letter);
		else
			press(&u, key, letter);
	}
	step_screen_close(screen);
	for (i = 0; i < STEP_PANES; i++)
		step_lines_set(&u.view.text[i], NULL);
	step_here_clear(&u.here);
	free(u.title);
	free(u.bottom);
	free(u.name);
	free(u.path);
	return true;
}
