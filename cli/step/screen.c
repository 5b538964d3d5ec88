// SPDX-License-Identifier: GPL-2.0-only
/*
 * The screen of chessctl step, see screen.h. All of it is drawn again after each key; ncurses finds
 * out what has changed. Nothing depends on colour: what can be chosen next has a mark, what cannot
 * be chosen a reason, and the selected line is inverted.
 */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wctype.h>

#include "cli.h"
#include "step/screen.h"

#define ROWS_MIN	8
#define COLUMNS_MIN	24
#define SIDE_BY_SIDE	70	/* columns from which history and source stand so */
#define COLUMN_NAME	4
#define COLUMN_OP	9
/* Where the columns of a task begin, if what stands before leaves room; on few columns and many */
#define FEW_COLUMNS	100
#define COLUMN_WHERE	(COLS < FEW_COLUMNS ? 26 : 40)
#define COLUMN_MORE	(COLS < FEW_COLUMNS ? 47 : 72)
#define WAIT_MS		500
#define ESCAPE_MS	100	/* from Escape to what else a key sends */

enum { PAIR_BAD = 1, PAIR_GOOD, PAIR_MARK };

struct step_screen {
	SCREEN *terminal;
	FILE *in, *out;
};

/* Where it is on the screen */
struct box {
	int y, x, rows, columns;
};

static bool colours;

void step_lines_set(struct step_lines *l, char *text)
{
	char *at = text, *end;

	free(l->text);
	free(l->line);
	*l = (struct step_lines){ .text = text };
	for (; at && *at; at = end) {
		l->line = cli_realloc(l->line, l->n + 1, sizeof(*l->line));
		l->line[l->n++] = at;
		end = strchr(at, '\n');
		if (end)
			*end++ = 0;
	}
}

/* exit() in the middle leaves the terminal usable, too. */
static void leave(void)
{
	if (!isendwin())
		endwin();
}

struct step_screen *step_screen_open(void)
{
	struct step_screen *s;
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	static bool registered;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb"))
		return NULL;
	s = cli_alloc(1, sizeof(*s));
	/* stdout is redirected while a command prints */
	s->out = fdopen(dup(STDOUT_FILENO), "w");
	s->in = fdopen(dup(STDIN_FILENO), "r");
	s->terminal = s->in && s->out ? newterm(NULL, s->out, s->in) : NULL;
	if (!s->terminal) {
		step_screen_close(s);
		return NULL;
	}
	if (!registered)
		atexit(leave);
	registered = true;
	set_term(s->terminal);
	colours = !(no && *no) && has_colors();
	if (colours) {
		start_color();
		use_default_colors();
		init_pair(PAIR_BAD, COLOR_RED, -1);
		init_pair(PAIR_GOOD, COLOR_GREEN, -1);
		init_pair(PAIR_MARK, COLOR_CYAN, -1);
	}
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	timeout(WAIT_MS);
	curs_set(0);
	return s;
}

void step_screen_close(struct step_screen *s)
{
	if (!s)
		return;
	if (s->terminal) {
		leave();
		delscreen(s->terminal);
	}
	if (s->in)
		fclose(s->in);
	if (s->out)
		fclose(s->out);
	free(s);
}

static int tone(int pair)
{
	return colours ? COLOR_PAIR(pair) : 0;
}

/*
 * As much of @text as there is room for, up to column @end. What is not text, or no letter in this
 * locale, is a question mark; a letter of two columns is not cut. Return: the next column
 */
static int put(int y, int x, int end, const char *text)
{
	mbstate_t state = { 0 };
	size_t n;

	for (; *text && x < end; text += n) {
		wchar_t letter[2] = { 0 };
		int width;

		n = mbrtowc(letter, text, MB_CUR_MAX, &state);
		if (n == (size_t)-1 || n == (size_t)-2) {
			state = (mbstate_t){ 0 };
			n = 1;
			*letter = L'?';
		}
		if (*letter == L'\t') {
			do
				mvaddch(y, x++, ' ');
			while (x < end && x % 8);
			continue;
		}
		width = iswprint(*letter) ? wcwidth(*letter) : -1;
		if (width < 0) {
			*letter = L'?';
			width = 1;
		}
		if (x + width > end)
			break;
		/* What combines with the letter before it goes where that is. */
		if (width)
			move(y, x);
		addnwstr(letter, 1);
		x += width;
	}
	return x;
}

static void head(const struct box *b, const char *name, bool focus)
{
	mvhline_set(b->y, b->x, WACS_HLINE, b->columns);
	attrset(focus ? A_REVERSE : A_BOLD);
	mvaddch(b->y, b->x + 1, ' ');
	mvaddch(b->y, put(b->y, b->x + 2, b->x + b->columns - 2, name), ' ');
	attrset(A_NORMAL);
}

/* The next column with room before it, from @x on */
static int column(int x, int wanted)
{
	return x + 2 > wanted ? x + 2 : wanted;
}

static void draw_task(int y, const struct box *b, const struct step_line *line, int name_width,
		      bool selected)
{
	int end = b->x + b->columns, x = b->x + COLUMN_NAME;

	attrset(selected ? A_REVERSE : line->next ? A_BOLD | tone(PAIR_MARK) : A_NORMAL);
	if (selected)
		mvhline(y, b->x, ' ', b->columns);
	put(y, b->x + 2, end, line->next ? ">" : " ");
	put(y, x, end, line->name);
	x = put(y, column(x + name_width - 1, b->x + COLUMN_OP), end, line->op);
	if (*line->where)
		x = put(y, column(x, b->x + COLUMN_WHERE), end, line->where);
	if (*line->more)
		put(y, column(x, b->x + (*line->where ? COLUMN_MORE : COLUMN_WHERE)), end,
		    line->more);
	attrset(A_NORMAL);
}

/* The selected one is always among those that there is room for. */
static void draw_tasks(const struct box *b, const struct step_view *v)
{
	size_t room = b->rows > 1 ? b->rows - 1 : 0, from = 0, i;

	head(b, v->here->text ? v->here->text : "the end of the run", false);
	if (v->selected >= room)
		from = v->selected + 1 - room;
	for (i = 0; i < room && from + i < v->here->n; i++)
		draw_task(b->y + 1 + i, b, &v->here->line[from + i], v->here->name_width,
			  from + i == v->selected);
}

/* The first of @n lines to show in @room, where they end with @last unless scrolled back. */
static size_t first_line(long n, long room, long last, long *up)
{
	long from = last - room + 1, top = n > room ? n - room : 0;

	if (from < 0)
		from = 0;
	if (from > top)
		from = top;
	if (*up > from)
		*up = from;
	if (*up < from - top)
		*up = from - top;
	return from - *up;
}

static void draw_lines(const struct box *b, struct step_view *v, enum step_pane pane,
		       const char *name)
{
	const struct step_lines *l = &v->text[pane];
	int room = b->rows - 1, i;
	long last = pane == STEP_HISTORY ? (long)l->n - 1 : pane == STEP_SOURCE && v->line ?
		    v->line - 1 + room / 2 : 0;
	size_t from;
	char number[32];

	if (b->rows < 1)
		return;
	head(b, name, v->focus == pane);
	from = first_line(l->n, room, last, &v->up[pane]);
	for (i = 0; i < room && from + i < l->n; i++) {
		int x = b->x, y = b->y + 1 + i;
		bool here = pane == STEP_SOURCE && from + i + 1 == (size_t)v->line;

		if (here)
			attrset(A_BOLD | tone(PAIR_MARK));
		if (pane == STEP_SOURCE) {
			snprintf(number, sizeof(number), "%c%5zu ", here ? '>' : ' ', from + i + 1);
			x = put(y, x, b->x + b->columns, number);
		}
		put(y, x, b->x + b->columns, l->line[from + i]);
		attrset(A_NORMAL);
	}
}

static void draw_bottom(const struct step_view *v)
{
	int x = 0;
	size_t n = v->typed ? wcslen(v->typed) : 0, from = 0;
	int width = v->typed ? wcswidth(v->typed, n) : 0;

	if (!v->typed) {
		attrset(A_REVERSE);
		mvhline(LINES - 1, 0, ' ', COLS);
		put(LINES - 1, 1, COLS, v->bottom);
		attrset(A_NORMAL);
		curs_set(0);
		return;
	}
	/* The end of it is what is being typed. */
	while (width + 3 > COLS && from < n)
		width -= wcwidth(v->typed[from++]);
	mvaddch(LINES - 1, x++, ':');
	mvaddnwstr(LINES - 1, x, v->typed + from, -1);
	move(LINES - 1, x + width);
	curs_set(1);
}

static void draw_title(const struct step_view *v)
{
	attrset(A_REVERSE | (v->bad ? A_BOLD | tone(PAIR_BAD) : 0));
	mvhline(0, 0, ' ', COLS);
	put(0, 1, COLS, v->title);
	attrset(A_NORMAL);
}

/* How many of @room rows go to @n lines and a head; at most a @share of them */
static int part(size_t n, int room, int share)
{
	int most = room / share < 3 ? 3 : room / share;

	return n + 1 < (size_t)most ? (int)n + 1 : most;
}

static void draw_panes(struct step_view *v)
{
	int room = LINES - 2;
	bool has_answer = v->text[STEP_ANSWER].n;
	struct box tasks = { 1, 0, part(v->here->n, room, 3), COLS };
	struct box answer = { 0, 0, has_answer ? part(v->text[STEP_ANSWER].n, room, 4) : 0, COLS };
	struct box history, source;

	if (v->focus == STEP_ANSWER) {
		answer = (struct box){ 1, 0, room, COLS };
		draw_lines(&answer, v, STEP_ANSWER, "answer (Escape: back)");
		return;
	}
	answer.y = LINES - 1 - answer.rows;
	history = (struct box){ 1 + tasks.rows, 0, room - tasks.rows - answer.rows, COLS };
	source = history;
	if (COLS >= SIDE_BY_SIDE) {
		history.columns = COLS * 2 / 5;
		source.x = history.columns + 1;
		source.columns = COLS - source.x;
	} else {
		history.rows /= 2;
		source.y += history.rows;
		source.rows -= history.rows;
	}
	draw_tasks(&tasks, v);
	draw_lines(&history, v, STEP_HISTORY, "history");
	draw_lines(&source, v, STEP_SOURCE, v->name);
	draw_lines(&answer, v, STEP_ANSWER, "answer");
}

void step_screen_draw(struct step_view *v)
{
	erase();
	if (LINES < ROWS_MIN || COLS < COLUMNS_MIN) {
		put(0, 0, COLS, "this window is too small");
	} else {
		draw_title(v);
		draw_panes(v);
		draw_bottom(v);
	}
	refresh();
}

/* Is nobody there any more? Then reading returns at once. */
static bool is_closed(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR | POLLNVAL);
}

enum step_key step_screen_key(wchar_t *letter)
{
	wint_t got;
	int ret = get_wch(&got);

	if (ret == ERR)
		return is_closed() ? STEP_KEY_CLOSED : STEP_KEY_NONE;
	if (ret == OK) {
		*letter = got;
		return got == L'\r' || got == L'\n' ? STEP_KEY_ENTER : got == 27 ? STEP_KEY_ESCAPE :
		       got == 127 || got == 8 ? STEP_KEY_RUBOUT : STEP_KEY_LETTER;
	}
	switch (got) {
	case KEY_UP:
		return STEP_KEY_UP;
	case KEY_DOWN:
		return STEP_KEY_DOWN;
	case KEY_PPAGE:
		return STEP_KEY_PAGE_UP;
	case KEY_NPAGE:
		return STEP_KEY_PAGE_DOWN;
	case KEY_HOME:
		return STEP_KEY_HOME;
	case KEY_END:
		return STEP_KEY_END;
	case KEY_BACKSPACE:
		return STEP_KEY_RUBOUT;
	case KEY_ENTER:
		return STEP_KEY_ENTER;
	default:
		return STEP_KEY_NONE;
	}
}

int step_screen_page(void)
{
	return LINES / 2;
}
