// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collapsed stacks, as flame graphs are made from: a line for each task that had not ended
 * when the run did, or when the death came that ended it. The program and the task's name come
 * first, then functions from the outermost on, and its last operation. Equal tasks count
 * together. See export.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "export/export.h"

#define FRAMES_MAX	64

/* A frame ends at a semicolon, the line at a blank and a number. */
static void put_frame(const char *text, FILE *to)
{
	char *plain = export_plain(text), *c;

	for (c = plain; *c; c++)
		if (*c == ';')
			*c = ':';
	fprintf(to, "%s;", *plain ? plain : "unknown");
	free(plain);
}

/* "main() at abba.c:33" is function main. */
static void put_function(char *frame, FILE *to)
{
	char *end = strstr(frame, "() at ");

	if (end)
		*end = '\0';
	put_frame(frame, to);
}

static void put_stack(const struct export *x, const struct chess_event *e, FILE *to)
{
	char *frames[FRAMES_MAX], *where;
	size_t n = symbols_event_stack(x->r->symbols, e,
				       chess_record_stack(x->r->record, e->seq), frames,
				       FRAMES_MAX);

	if (!n) {
		where = report_where(x->r, e);
		if (*where)
			put_function(where, to);
		free(where);
	}
	while (n) {
		put_function(frames[--n], to);
		free(frames[n]);
	}
}

/* How many events there are before those that only say how the tasks died with their process. */
static size_t end_of(const struct export *x)
{
	const struct chess_record *rec = x->r->record;
	size_t i = x->r->run.bad_task >= 0 && x->r->run.died != SIZE_MAX ?
		   x->r->run.died : chess_record_length(rec);

	while (i && chess_record_event(rec, i - 1)->type == CHESS_EVENT_KILLED)
		i--;
	return i;
}

static char *line_of(const struct export *x, size_t end, uint16_t task)
{
	const struct chess_event *e = chess_record_last_point(x->r->record, end, task);
	char *text = NULL, *op = e ? report_op(x->r, e) : NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		cli_no_memory();
	put_frame(export_program(x), f);
	if (x->name[task])
		put_frame(x->name[task], f);
	if (e)
		put_stack(x, e, f);
	put_frame(op ? op : "before its first point", f);
	fclose(f);
	text[strlen(text) - 1] = '\0';
	free(op);
	return text;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int export_collapsed(const struct export *x, FILE *to)
{
	char **line = cli_alloc(x->n_tasks, sizeof(*line));
	size_t n = 0, end = end_of(x), i, count;
	uint16_t t;

	for (t = 0; t < x->n_tasks; t++) {
		enum chess_task_phase phase =
			chess_record_phase(x->r->record, end, t);

		if (phase != CHESS_PHASE_ABSENT && phase != CHESS_PHASE_ENDED)
			line[n++] = line_of(x, end, t);
	}
	qsort(line, n, sizeof(*line), by_text);
	for (i = 0; i < n; i += count) {
		for (count = 1; i + count < n && !strcmp(line[i], line[i + count]); count++)
			;
		fprintf(to, "%s %zu\n", line[i], count);
	}
	for (i = 0; i < n; i++)
		free(line[i]);
	free(line);
	return 0;
}
