/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks by name, function and process, for reports, pages and exports.
 */
#ifndef CLI_REPORT_NAMES_H
#define CLI_REPORT_NAMES_H

#include "report/report.h"

/*
 * The label of each task (labels.h). Without one what it was called last, by itself, another task
 * or the execve(2) of another program; NULL where that is the name of the program, and where it is
 * not known. All malloc'ed
 */
char **report_task_names(const struct report *r);

/* @n of them, and the array */
void report_free_names(char **names, size_t n);

/* Of each task the function it began in, as far as its events show it: "worker()". All malloc'ed */
char **report_task_functions(const struct report *r);

/* For each task the first task of its process; malloc'ed */
uint32_t *report_processes(const struct report *r);

/* A line with the tasks that have a name; nothing where none has. */
void report_print_names(const struct report *r, FILE *to);
/* Of each task name, function and process */
struct json_object *report_json_names(const struct report *r);

#endif /* CLI_REPORT_NAMES_H */
