// SPDX-License-Identifier: GPL-2.0-only
/*
 * A log for ShiViz: a task is a host, a step is an event with the vector clock of the run's
 * happens-before order (chess_record_order()). The first line is the regular expression that
 * ShiViz needs and the second, which is empty, its delimiter of executions; it takes both from
 * there. See export.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "export/export.h"

#define EXPRESSION	"(?<event>.*)\\n(?<host>T\\d+) (?<clock>{.*})"

/* What is written, and which of the steps comes next. */
struct log {
	const struct export *x;
	FILE *to;
	size_t next;
};

static int write_step(void *arg, const struct chess_order_step *s)
{
	struct log *log = arg;
	const struct export_step *step = &log->x->step[log->next++];
	char *text = export_step_text(log->x, step);
	char *where = step->op ? report_where(log->x->r, step->op) : cli_printf("%s", "");
	char *all = cli_printf("%s%s%s", text, *where ? "  " : "", where);
	char *line = export_plain(all);
	const char *comma = "";
	size_t t;

	fprintf(log->to, "%s\nT%u {", line, s->task);
	for (t = 0; t < s->tasks; t++) {
		if (!s->clock[t])
			continue;
		fprintf(log->to, "%s\"T%zu\":%u", comma, t, s->clock[t]);
		comma = ", ";
	}
	fputs("}\n", log->to);
	free(line);
	free(all);
	free(where);
	free(text);
	return 0;
}

int export_shiviz(const struct export *x, FILE *to)
{
	struct log log = { .x = x, .to = to };

	fprintf(to, "%s\n\n", EXPRESSION);
	return chess_record_order(x->r->record, write_step, &log);
}
