// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks by name, function and process. See names.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "report/labels.h"
#include "report/names.h"

#define FRAMES_MAX	32

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

/* In a line of text a name is no other line. */
static char *one_line(const char *name)
{
	char *out = cli_printf("%s", name), *c;

	for (c = out; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '?';
	return out;
}

/*
 * What each task was called last; NULL: as the program. Older traces have the texts of the calls
 * with which tasks named themselves, and no more.
 */
static char **own_names(const struct report *r)
{
	size_t tasks = chess_record_tasks(r->record), i;
	char **names = cli_alloc(tasks, sizeof(*names)), *name;

	for (i = 0; i < chess_record_length(r->record); i++) {
		const struct chess_event *e = chess_record_event(r->record, i);

		name = e->type == CHESS_EVENT_POINT && e->task < tasks ?
		       name_set(report_call_text(r, e)) : NULL;
		if (!name)
			continue;
		free(names[e->task]);
		names[e->task] = name;
	}
	for (i = 0; i < r->trace->n_names; i++) {
		const struct chess_trace_name *given = &r->trace->names[i];

		if (given->task >= tasks)
			continue;
		free(names[given->task]);
		names[given->task] = one_line(given->name);
	}
	return names;
}

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
static char *first_seen(const struct report *r, const struct chess_event *e)
{
	struct place p;
	char *name = NULL;

	if (!symbols_event_place(r->symbols, e, NULL, &p))
		return NULL;
	if (p.function && p.module && !symbols_is_system(p.module))
		name = cli_printf("%s()", p.function);
	place_clear(&p);
	return name;
}

char **report_task_functions(const struct report *r)
{
	size_t tasks = chess_record_tasks(r->record), i;
	char **name = cli_alloc(tasks, sizeof(*name));
	bool *sure = cli_alloc(tasks, sizeof(*sure));

	for (i = 0; i < chess_record_length(r->record); i++) {
		const struct chess_event *e = chess_record_event(r->record, i);
		char *text;

		if (e->type != CHESS_EVENT_POINT || e->task >= tasks || sure[e->task])
			continue;
		text = outermost(r, e);
		if (text) {
			free(name[e->task]);
			name[e->task] = text;
			sure[e->task] = true;
		} else if (!name[e->task]) {
			name[e->task] = first_seen(r, e);
		}
	}
	free(sure);
	return name;
}

char **report_task_names(const struct report *r)
{
	size_t tasks = chess_record_tasks(r->record), i;
	char **names = own_names(r), **functions, *label;

	if (!report_labels.n)
		return names;
	functions = report_task_functions(r);
	for (i = 0; i < tasks; i++) {
		label = report_label(names[i], functions[i]);
		free(functions[i]);
		if (!label)
			continue;
		free(names[i]);
		names[i] = label;
	}
	free(functions);
	return names;
}

void report_free_names(char **names, size_t n)
{
	while (n)
		free(names[--n]);
	free(names);
}

/* Where no task has a name there is nothing to print. */
void report_print_names(const struct report *r, FILE *to)
{
	size_t tasks = chess_record_tasks(r->record), i;
	char **names = report_task_names(r);
	const char *lead = "  named: ";

	for (i = 0; i < tasks; i++) {
		if (!names[i])
			continue;
		fprintf(to, "%sT%zu %s", lead, i, names[i]);
		lead = ", ";
	}
	if (*lead == ',')
		fputc('\n', to);
	report_free_names(names, tasks);
}

struct json_object *report_json_names(const struct report *r)
{
	struct json_object *list = json_object_new_array(), *o;
	size_t tasks = chess_record_tasks(r->record), i;
	char **names = report_task_names(r), **functions = report_task_functions(r);
	uint32_t *process = report_processes(r);

	for (i = 0; i < tasks; i++) {
		o = json_object_new_object();
		out_json_int(o, "task", i);
		out_json_string(o, "name", names[i]);
		out_json_string(o, "function", functions[i]);
		out_json_int(o, "process", process[i]);
		json_object_array_add(list, o);
	}
	free(process);
	report_free_names(functions, tasks);
	report_free_names(names, tasks);
	return list;
}

uint32_t *report_processes(const struct report *r)
{
	size_t tasks = chess_record_tasks(r->record), i;
	uint32_t *process = cli_alloc(tasks, sizeof(*process));

	for (i = 0; i < chess_record_length(r->record); i++) {
		const struct chess_event *e = chess_record_event(r->record, i);

		if (e->type != CHESS_EVENT_SPAWN || e->object >= tasks || e->task >= tasks)
			continue;
		process[e->object] = chess_record_makes_process(r->record, i) ? e->object :
				     process[e->task];
	}
	return process;
}
