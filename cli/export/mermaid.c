// SPDX-License-Identifier: GPL-2.0-only
/*
 * The steps that the report shows as a sequence diagram for Mermaid, which tickets and wikis
 * draw: at most as many as there, with a note where some are left out, and at the end what
 * each blocked task waits for. See export.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "export/export.h"

/* In one line: boxes grow with their texts. */
#define LETTERS_MAX	80
#define WAITS_SHOWN	8

struct diagram {
	const struct export *x;
	FILE *to;
	size_t steps;
};

/* Only letters that mean nothing to Mermaid stand for themselves, all else is an entity. */
static void put_text(const char *text, FILE *to)
{
	char *plain = export_plain(text);
	size_t i, n, letters = 0;
	uint32_t code;

	for (i = 0; plain[i] && letters < LETTERS_MAX; i += n, letters++) {
		code = export_letter(plain + i, &n);
		if (code >= 0x80 || isalnum(code) || strchr(" .,:()_/+=*[]-", code))
			fwrite(plain + i, 1, n, to);
		else
			fprintf(to, "#%u;", code);
	}
	if (plain[i])
		fputs("...", to);
	free(plain);
}

static void find_columns(void *arg, const struct report_step *step)
{
	bool *shown = arg;

	shown[step->task] = true;
}

static void put_participants(const struct export *x, FILE *to)
{
	const struct chess_trace *t = x->r->trace;
	bool *shown = cli_alloc(CHESS_TASK_NONE + 1, sizeof(*shown));
	size_t i, k;

	steps_each(x->r, find_columns, shown);
	for (i = 0; i < t->n_waits && i < WAITS_SHOWN; i++) {
		shown[t->waits[i].task & 0xffff] = true;
		for (k = 0; k < t->waits[i].n_holders && k < 1; k++)
			shown[t->waits[i].holders[k].task & 0xffff] = true;
	}
	for (i = 0; i < CHESS_TASK_NONE; i++) {
		char *name;

		if (!shown[i])
			continue;
		name = export_task_name(x, i);
		fprintf(to, "    participant T%zu as ", i);
		put_text(name, to);
		fputc('\n', to);
		free(name);
	}
	free(shown);
}

static void put_left_out(size_t n, uint16_t task, FILE *to)
{
	if (n)
		fprintf(to, "    Note over T%u: %zu step%s left out\n", task, n,
			n == 1 ? " is" : "s are");
}

static void put_step(void *arg, const struct report_step *step)
{
	struct diagram *d = arg;
	char *where = step->point ? report_where(d->x->r, step->point) : cli_printf("%s", "");
	char *line;

	put_left_out(step->left_out, step->task, d->to);
	if (step->preempted) {
		line = cli_printf("preempted before: %s", step->text + 1);
		fprintf(d->to, "    Note over T%u: ", step->task);
	} else {
		line = cli_printf("%u %s%s%s", step->seq, step->text, *where ? " in " : "", where);
		fprintf(d->to, "    T%u->>T%u: ", step->task, step->task);
	}
	put_text(line, d->to);
	fputc('\n', d->to);
	d->steps++;
	free(line);
	free(where);
}

static void put_waits(const struct export *x, FILE *to)
{
	const struct chess_trace *t = x->r->trace;
	size_t i;

	for (i = 0; i < t->n_waits && i < WAITS_SHOWN; i++) {
		const struct chess_wait *w = &t->waits[i];
		char *text = report_name_addresses(x->r, w->text ? w->text : "a call");
		char *line = cli_printf("waits in %s", text);

		if (w->n_holders)
			fprintf(to, "    T%u--xT%u: ", w->task, w->holders[0].task);
		else
			fprintf(to, "    Note over T%u: ", w->task);
		put_text(line, to);
		fputc('\n', to);
		free(line);
		free(text);
	}
	if (t->n_waits > WAITS_SHOWN)
		fprintf(to, "    Note over T%u: %zu more tasks wait\n", t->waits[0].task,
			t->n_waits - WAITS_SHOWN);
}

int export_mermaid(const struct export *x, FILE *to)
{
	struct diagram d = { .x = x, .to = to };
	char *title = cli_printf("%s: %s", export_program(x),
				 chess_verdict_name(x->r->trace->verdict));
	size_t left_out;

	fputs("sequenceDiagram\n    title ", to);
	put_text(title, to);
	fputc('\n', to);
	put_participants(x, to);
	left_out = steps_each(x->r, put_step, &d);
	if (d.steps)
		put_left_out(left_out, 0, to);
	else
		fputs("    participant T0\n    Note over T0: this run has no steps to show\n", to);
	put_waits(x, to);
	free(title);
	return 0;
}
