// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks by name and process. See names.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/names.h"

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

char **report_task_names(const struct report *r)
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
	return names;
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
