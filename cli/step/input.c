// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines from standard input, see input.h. libedit and not readline, whose licence does not allow
 * to link it with a program under GPL version 2 only.
 */
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "step/input.h"

#define REMEMBERED	500	/* lines */

struct step_input {
	EditLine *edit;		/* NULL: nobody types */
	History *history;
	FILE *to;		/* the terminal: stdout removes what would command it */
	char *line;
	size_t room;
};

static char *prompt(EditLine *edit)
{
	(void)edit;
	return (char *)"step> ";
}

struct step_input *step_input_open(void)
{
	struct step_input *in = cli_alloc(1, sizeof(*in));
	HistEvent event;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return in;
	in->to = fdopen(dup(STDOUT_FILENO), "w");
	in->edit = in->to ? el_init("chessctl", stdin, in->to, in->to) : NULL;
	in->history = history_init();
	if (!in->edit || !in->history) {
		step_input_close(in);
		return NULL;
	}
	history(in->history, &event, H_SETSIZE, REMEMBERED);
	el_set(in->edit, EL_PROMPT, prompt);
	el_set(in->edit, EL_EDITOR, "emacs");
	el_set(in->edit, EL_HIST, history, in->history);
	return in;
}

void step_input_close(struct step_input *in)
{
	if (!in)
		return;
	if (in->edit)
		el_end(in->edit);
	if (in->history)
		history_end(in->history);
	if (in->to)
		fclose(in->to);
	free(in->line);
	free(in);
}

bool step_input_typed(const struct step_input *in)
{
	return in->edit;
}

static ssize_t read_typed(struct step_input *in)
{
	int n = 0;
	const char *text = el_gets(in->edit, &n);
	HistEvent event;

	if (!text || n <= 0)
		return -1;
	if (n > 1)
		history(in->history, &event, H_ENTER, text);
	free(in->line);
	in->line = cli_printf("%s", text);
	in->room = n + 1;
	return n;
}

char *step_input_line(struct step_input *in)
{
	ssize_t n;

	fflush(stdout);
	n = in->edit ? read_typed(in) : getline(&in->line, &in->room, stdin);
	if (n <= 0)
		return NULL;
	/* A zero byte ends a command early, so it is made part of it. */
	for (; n && (in->line[n - 1] == '\n' || in->line[n - 1] == '\r'); n--)
		in->line[n - 1] = 0;
	while (strlen(in->line) < (size_t)n)
		in->line[strlen(in->line)] = '?';
	return in->line;
}
