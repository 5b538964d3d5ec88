// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of formats, and what all of them are written from: the tasks of the run and its
 * steps. See export.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "export/export.h"
#include "out.h"
#include "report/names.h"

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

int export_write(const struct export_format *f, const struct report *r, const char *path,
		 FILE *to)
{
	struct export x = { .r = r, .n_tasks = chess_record_tasks(r->record) };
	char *absolute = out_absolute(path);
	int ret = CLI_OK;
	size_t i;

	x.path = absolute;
	x.name = report_task_names(r);
	x.process = report_processes(r);
	x.step = cli_alloc(chess_record_length(r->record) + 1, sizeof(*x.step));
	if (chess_record_order(r->record, keep_step, &x) || f->write(&x, to))
		ret = cli_fail(CLI_ENVIRONMENT, "%s", chess_error());
	for (i = 0; i < x.n_tasks; i++)
		free(x.name[i]);
	free(x.name);
	free(x.process);
	free(x.step);
	free(absolute);
	return ret;
}
