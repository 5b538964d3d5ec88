/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks by name, function and process, for reports, pages and exports.
 */
#ifndef CLI_REPORT_NAMES_H
#define CLI_REPORT_NAMES_H

#include "report/report.h"

/*
 * The label of each task (labels.h). Without one what it last called itself with
 * prctl(PR_SET_NAME), which pthread_setname_np() does for its caller; NULL where the trace has the
 * text of no such call. All malloc'ed
 */
char **report_task_names(const struct report *r);

/* Of each task the function it began in, as far as its events show it: "worker()". All malloc'ed */
char **report_task_functions(const struct report *r);

/* For each task the first task of its process; malloc'ed */
uint32_t *report_processes(const struct report *r);

/* A line with the tasks that have a name; nothing where none has. */
void report_print_names(const struct report *r, FILE *to);
/* Of each task name, function and process */
struct json_object *report_json_names(const struct report *r);

#endif /* CLI_REPORT_NAMES_H */
