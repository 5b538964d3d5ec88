// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tasks of a run by name: what a task called itself, as far as the trace has that, and the
 * function it began in. See html_parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "html/html_parts.h"
#include "out.h"
#include "report/names.h"

#define FRAMES_MAX	32

/* "worker() at a.c:12" becomes "worker()"; of "worker+0x1 in prog" the first word. */
static char *function_of(const char *where)
{
	const char *end = strstr(where, " at ");

	if (!end)
		end = strpbrk(where, "+");
	return end ? cli_printf("%.*s", (int)(end - where), where) : NULL;
}

/* What called all else in the stack of @e; NULL: it has none. */
static char *outermost(const struct report *r, const struct chess_event *e)
{
	const struct chess_stack *stack = chess_record_stack(r->record, e->seq);
	char *frames[FRAMES_MAX], *name = NULL;
	size_t i, n;

	if (!stack)
		return NULL;
	n = symbols_event_stack(r->symbols, e, stack, frames, FRAMES_MAX);
	if (n && n < FRAMES_MAX)
		name = function_of(frames[n - 1]);
	for (i = 0; i < n; i++)
		free(frames[i]);
	return name;
}

/* The first function of the user's own that the task was in; NULL: it was in none. */
static char *first_seen(struct html_names *n, const struct chess_event *e)
{
	struct place p;
	char *name = NULL;

	if (!symbols_event_place(n->r->symbols, e, NULL, &p))
		return NULL;
	if (p.function && p.module && !symbols_is_system(p.module))
		name = cli_printf("%s()", p.function);
	place_clear(&p);
	return name;
}

/* Of a thread the function it began in, as far as its events show it. */
static void name_tasks(struct html_names *n, char **name, size_t tasks)
{
	const struct chess_record *r = n->r->record;
	bool *sure = cli_alloc(tasks, sizeof(*sure));
	size_t i;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);
		char *text;

		if (e->type != CHESS_EVENT_POINT || e->task >= tasks || sure[e->task])
			continue;
		text = outermost(n->r, e);
		if (text) {
			free(name[e->task]);
			name[e->task] = text;
			sure[e->task] = true;
		} else if (!name[e->task]) {
			name[e->task] = first_seen(n, e);
		}
	}
	free(sure);
}

struct json_object *html_tasks(struct html_names *n)
{
	const struct chess_record *r = n->r->record;
	size_t tasks = chess_record_tasks(r), i;
	struct json_object **o = cli_alloc(tasks, sizeof(struct json_object *));
	struct json_object *list = json_object_new_array();
	uint32_t *process = report_processes(n->r);
	char **name = cli_alloc(tasks, sizeof(*name)), **own = report_task_names(n->r), *both;

	name_tasks(n, name, tasks);
	for (i = 0; i < tasks; i++) {
		o[i] = json_object_new_object();
		both = own[i] && name[i] ? cli_printf("%s, %s", own[i], name[i]) : NULL;
		out_json_string(o[i], "name", both ? both : own[i] ? own[i] : name[i]);
		out_json_int(o[i], "process", process[i]);
		json_object_array_add(list, o[i]);
		free(both);
		free(own[i]);
		free(name[i]);
	}
	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type != CHESS_EVENT_SPAWN || e->object >= tasks)
			continue;
		out_json_int(o[e->object], "maker", e->task);
		out_json_int(o[e->object], "made", e->seq);
	}
	free(name);
	free(own);
	free(process);
	free(o);
	return list;
}
