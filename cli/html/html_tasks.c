// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tasks of a run by name, and the function that each began in. See html_parts.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "html/html_parts.h"
#include "out.h"
#include "report/names.h"

struct json_object *html_tasks(struct html_names *n)
{
	const struct chess_record *r = n->r->record;
	size_t tasks = chess_record_tasks(r), i;
	struct json_object **o = cli_alloc(tasks, sizeof(struct json_object *));
	struct json_object *list = json_object_new_array();
	uint32_t *process = report_processes(n->r);
	char **name = report_task_functions(n->r), **own = report_task_names(n->r), *both;

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
