// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of formats, and what all of them are written from: the tasks of the run, by
 * process, and its steps. See export.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "export/export.h"
#include "out.h"

static const struct export_format formats[] = {
	{ "perfetto", export_perfetto },
	{ "shiviz", export_shiviz },
	{ "sarif", export_sarif },
	{ "dot", export_dot },
	{ "mermaid", export_mermaid },
	{ "collapsed", export_collapsed },
};

#define FORMATS		(sizeof(formats) / sizeof(formats[0]))

const struct export_format *export_find(const char *name)
{
	size_t i;

	for (i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

char *export_names(const char *last)
{
	char *text = cli_printf("%s", formats[0].name), *longer;
	size_t i;

	for (i = 1; i < FORMATS; i++) {
		longer = i + 1 < FORMATS ? cli_printf("%s, %s", text, formats[i].name) :
					   cli_printf("%s %s %s", text, last, formats[i].name);
		free(text);
		text = longer;
	}
	return text;
}

static int keep_step(void *arg, const struct chess_order_step *s)
{
	struct export *x = arg;
	struct export_step *step;

	/* As many as there are events, and one more. */
	step = &x->step[x->n_steps++];
	step->at = *s;
	step->at.clock = NULL;
	step->op = s->point ? chess_record_event(x->r->record, s->point - 1) : NULL;
	return 0;
}

/* prctl(PR_SET_NAME, "worker") = 0, as the trace has it. NULL: it is another call. */
static char *name_set(const char *call)
{
	static const char start[] = "prctl(PR_SET_NAME, \"";
	const char *end;

	if (!call || strncmp(call, start, strlen(start)))
		return NULL;
	call += strlen(start);
	end = strstr(call, "\")");
	return end ? cli_printf("%.*s", (int)(end - call), call) : NULL;
}

static void read_tasks(struct export *x)
{
	const struct chess_record *rec = x->r->record;
	size_t i;

	for (i = 0; i < chess_record_length(rec); i++) {
		const struct chess_event *e = chess_record_event(rec, i);
		char *name;

		if (e->task >= x->n_tasks)
			continue;
		if (e->type == CHESS_EVENT_SPAWN && e->object < x->n_tasks)
			x->task[e->object].process = chess_record_makes_process(rec, i) ?
						     e->object : x->task[e->task].process;
		name = e->type == CHESS_EVENT_POINT ? name_set(report_call_text(x->r, e)) : NULL;
		if (name) {
			free(x->task[e->task].name);
			x->task[e->task].name = name;
		}
	}
}

int export_write(const struct export_format *f, const struct report *r, const char *path,
		 FILE *to)
{
	struct export x = { .r = r, .n_tasks = chess_record_tasks(r->record) };
	char *absolute = out_absolute(path);
	int ret = CLI_OK;
	size_t i;

	x.path = absolute;
	x.task = cli_alloc(x.n_tasks, sizeof(*x.task));
	x.step = cli_alloc(chess_record_length(r->record) + 1, sizeof(*x.step));
	read_tasks(&x);
	if (chess_record_order(r->record, keep_step, &x) || f->write(&x, to))
		ret = cli_fail(CLI_ENVIRONMENT, "%s", chess_error());
	for (i = 0; i < x.n_tasks; i++)
		free(x.task[i].name);
	free(x.task);
	free(x.step);
	free(absolute);
	return ret;
}
