/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace in the formats of other tools. cmd_show.c asks for one by its name; export.c has
 * the table, and each format its own file. Names and texts in a trace were chosen by the
 * program, so each format escapes them in its own way, from export_plain().
 */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include <stdio.h>

#include "report/report.h"

/**
 * struct export_step - a step of the run, see struct chess_order_step
 * @at: it; its clock is not kept
 * @op: the POINT event whose operation it carries out; NULL: none
 */
struct export_step {
	struct chess_order_step at;
	const struct chess_event *op;
};

/**
 * struct export - a trace that is written in some format
 * @r: its report
 * @path: of the trace, from the root
 * @name: report_task_names(), by task, @n_tasks
 * @process: report_processes()
 * @step: the steps in order, @n_steps
 */
struct export {
	const struct report *r;
	const char *path;
	char **name;
	uint32_t *process;
	size_t n_tasks;
	struct export_step *step;
	size_t n_steps;
};

/* One row of the table of formats. @write returns 0, or -ENOMEM with chess_error(). */
struct export_format {
	const char *name;
	int (*write)(const struct export *x, FILE *to);
};

/* NULL: there is none of that name */
const struct export_format *export_find(const char *name);
/* "perfetto, shiviz and dot", for sentences; "perfetto, shiviz or dot" with "or"; malloc'ed */
char *export_names(const char *last);
/* Return: CLI_OK, or an exit code after one sentence. */
int export_write(const struct export_format *f, const struct report *r, const char *path,
		 FILE *to);

/* names.c */
/* The end of the program's path. */
const char *export_program(const struct export *x);
/* "T1", or "T1 worker"; malloc'ed */
char *export_task_name(const struct export *x, uint16_t task);
/* "lock a", "lock a, has to wait", "begins"; malloc'ed */
char *export_step_text(const struct export *x, const struct export_step *s);
/*
 * @text as letters of UTF-8 that stay in their line: control characters are blanks, and bytes
 * that are no letters are written \xNN. malloc'ed
 */
char *export_plain(const char *text);
/* The letter of UTF-8 at @text, of what export_plain() returned; @n gets its bytes. */
uint32_t export_letter(const char *text, size_t *n);
/* "function", "file" and "line" of an event, null where they are not known */
void export_place(const struct export *x, const struct chess_event *e, struct json_object *o);

int export_perfetto(const struct export *x, FILE *to);
int export_shiviz(const struct export *x, FILE *to);
int export_sarif(const struct export *x, FILE *to);
int export_dot(const struct export *x, FILE *to);
int export_mermaid(const struct export *x, FILE *to);
int export_collapsed(const struct export *x, FILE *to);

#endif /* CLI_EXPORT_H */
