// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tasks that wait at the end of a run, as a graph for Graphviz: boxes are tasks, ellipses
 * objects; an arrow leads from a task to the object it waits for, and from there to each task
 * that could end the wait. Tasks that wait for each other in a cycle are red. See export.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "export/export.h"

#define RED	", color=red, fontcolor=red"

/* A string of the language, in quotes. "&" would begin an entity of HTML there. */
static void put_string(const char *text, FILE *to)
{
	char *plain = export_plain(text);
	const char *c;

	fputc('"', to);
	for (c = plain; *c; c++) {
		if (*c == '&')
			fputs("&amp;", to);
		else if (*c == '"' || *c == '\\')
			fprintf(to, "\\%c", *c);
		else
			fputc(*c, to);
	}
	fputc('"', to);
	free(plain);
}

static void put_label(char *text, const char *more, FILE *to)
{
	fputs("label=", to);
	put_string(text, to);
	fprintf(to, "%s];\n", more);
	free(text);
}

/* The task of the cycle after the one with wait @i; CHESS_TASK_NONE: it is in no cycle. */
static uint32_t next_in_cycle(const struct export *x, size_t i)
{
	const struct chess_account *run = &x->r->run;
	size_t k;

	for (k = 0; k < run->n_cycle; k++)
		if (run->cycle[k] == i)
			return x->r->trace->waits[run->cycle[(k + 1) % run->n_cycle]].task;
	return CHESS_TASK_NONE;
}

static const struct chess_event *point_of(const struct export *x, const struct chess_wait *w)
{
	return w->seq ? chess_record_event(x->r->record, w->seq - 1) : NULL;
}

/* The number of the first wait for the same object. */
static size_t object_of(const struct export *x, size_t i)
{
	const struct chess_wait *waits = x->r->trace->waits;
	const struct chess_event *e = point_of(x, &waits[i]), *other;
	size_t k;

	for (k = 0; e && e->object_kind && k < i; k++) {
		other = point_of(x, &waits[k]);
		if (other && other->object_kind == e->object_kind && other->object == e->object)
			return k;
	}
	return i;
}

static char *object_label(const struct export *x, const struct chess_wait *w)
{
	const struct chess_event *e = point_of(x, w);

	return e && e->object_kind ? report_object(x->r, e) :
	       report_name_addresses(x->r, w->text ? w->text : "unknown wait");
}

static void put_task(const struct export *x, uint16_t task, FILE *to)
{
	const struct chess_trace *t = x->r->trace;
	const struct chess_wait *w = chess_wait_of(t->waits, t->n_waits, task);
	const struct chess_event *e = w ? point_of(x, w) : NULL;
	char *name = export_task_name(x, task);
	char *op = e ? report_op(x->r, e) : NULL, *where = e ? report_where(x->r, e) : NULL;

	fprintf(to, "\tT%u [shape=box, ", task);
	put_label(cli_printf("%s%s%s%s%s", name, op ? ": " : "", op ? op : "",
			     where && *where ? " in " : "", where ? where : ""),
		  w && next_in_cycle(x, w - t->waits) != CHESS_TASK_NONE ? RED : "", to);
	free(where);
	free(op);
	free(name);
}

/* Does a task that waits for object @object wait in the cycle; for @task, or for any? */
static bool is_in_cycle(const struct export *x, size_t object, uint32_t task)
{
	size_t i;

	for (i = object; i < x->r->trace->n_waits; i++) {
		uint32_t next = next_in_cycle(x, i);

		if (object_of(x, i) == object && next != CHESS_TASK_NONE &&
		    (task == CHESS_TASK_NONE || next == task))
			return true;
	}
	return false;
}

/* Was the edge from the object to @task written for an earlier wait than @i? */
static bool has_edge(const struct export *x, size_t object, size_t i, uint32_t task)
{
	size_t k;

	for (k = object; k < i; k++)
		if (object_of(x, k) == object &&
		    chess_wait_holder(&x->r->trace->waits[k], task))
			return true;
	return false;
}

static void put_wait(const struct export *x, size_t i, FILE *to)
{
	const struct chess_wait *w = &x->r->trace->waits[i];
	size_t object = object_of(x, i), k;

	if (object == i) {
		fprintf(to, "\tobject%zu [shape=ellipse, ", i);
		put_label(object_label(x, w), is_in_cycle(x, i, CHESS_TASK_NONE) ? RED : "", to);
	}
	fprintf(to, "\tT%u -> object%zu [", w->task, object);
	put_label(cli_printf("waits for"),
		  next_in_cycle(x, i) != CHESS_TASK_NONE ? RED ", penwidth=2" : "", to);
	for (k = 0; k < w->n_holders; k++) {
		uint32_t task = w->holders[k].task;

		if (has_edge(x, object, i, task))
			continue;
		fprintf(to, "\tobject%zu -> T%u [", object, task);
		put_label(cli_printf("%s", chess_hold_name(w->holders[k].how)),
			  is_in_cycle(x, object, task) ? RED ", penwidth=2" : "", to);
	}
	if (w->outside) {
		fputs("\toutside [shape=box, style=dashed, label=\"outside\"];\n", to);
		fprintf(to, "\tobject%zu -> outside [style=dashed, label=\"may end it\"];\n",
			object);
	}
}

int export_dot(const struct export *x, FILE *to)
{
	const struct chess_trace *t = x->r->trace;
	bool *shown = cli_alloc(CHESS_TASK_NONE + 1, sizeof(*shown));
	char *title = cli_printf("%s: %s", export_program(x), chess_verdict_name(t->verdict));
	size_t i, k;

	fputs("digraph waits {\n\tlabel=", to);
	put_string(title, to);
	fputs(";\n\tnode [fontname=\"sans-serif\"];\n\tedge [fontname=\"sans-serif\"];\n", to);
	if (!t->n_waits)
		fputs("\tnothing [shape=plaintext, label=\"no task waits at the end of this run\"];\n",
		      to);
	for (i = 0; i < t->n_waits; i++) {
		shown[t->waits[i].task & 0xffff] = true;
		for (k = 0; k < t->waits[i].n_holders; k++)
			shown[t->waits[i].holders[k].task & 0xffff] = true;
	}
	for (i = 0; i < CHESS_TASK_NONE; i++)
		if (shown[i])
			put_task(x, i, to);
	for (i = 0; i < t->n_waits; i++)
		put_wait(x, i, to);
	fputs("}\n", to);
	free(title);
	free(shown);
	return 0;
}
