/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of cli/html share; its users see html.h only.
 *
 * html.c		the page of a run; html_search.c, html_curve.c: of a search
 * html_file.c		a page from its template, its parts and its data
 * html_data.c		the data as one JSON object
 * html_columns.c	the events in it, as columns
 * html_names.c		texts and places that events refer to by number
 * html_source.c	the lines of source files around those places
 * html_locks.c		from when to when which task has which lock
 * html_tasks.c		the tasks by name
 */
#ifndef CLI_HTML_PARTS_H
#define CLI_HTML_PARTS_H

#include <json-c/json.h>

#include "report/report.h"

/**
 * struct html_names - texts and places, each once
 * @strings: array of strings; number 0 is ""
 * @places: array of [number of the text, number of the file or -1, line]; number 0 is unknown
 * @sources: the files; see html_source.c
 * @by_text: number of a string
 * @by_place: number of a place by its text, file and line
 * @by_address: number of a place by the addresses of an event
 * @by_op: number of a string by what an op is and what it is about
 */
struct html_names {
	const struct report *r;
	struct json_object *strings, *places;
	struct html_sources *sources;
	struct json_object *by_text, *by_place, *by_address, *by_op;
};

void html_names_init(struct html_names *n, const struct report *r);
void html_names_clear(struct html_names *n);
int html_string(struct html_names *n, const char *text);
/* @text is freed */
int html_string_take(struct html_names *n, char *text);
/* what an event did, or what it is about */
int html_op(struct html_names *n, const struct chess_event *e);
int html_place(struct html_names *n, const struct place *p);
int html_event_place(struct html_names *n, const struct chess_event *e);

/* html_source.c */
struct html_sources;
struct html_sources *html_sources_new(const char *cwd);
void html_sources_free(struct html_sources *s);
/* Number of a file. A line of it will be shown, with those around. */
int html_source_line(struct html_sources *s, const struct place *p);
/* Array of files: name, path, whether it is newer than the program, and pieces of its text. */
struct json_object *html_sources_json(struct html_sources *s);

/* html_columns.c: "columns", "types", and "kinds" with the names of the bits */
void html_columns(struct html_names *n, struct json_object *o);
/* html_locks.c: columns of the time each lock was held */
struct json_object *html_locks(struct html_names *n);
/* html_tasks.c: of each task its name, whether it is a process, and which task made it when */
struct json_object *html_tasks(struct html_names *n);
/* html_data.c: all the page is made from; takes @account over */
struct json_object *html_data(const struct report *r, struct json_object *account,
			      const char *trace);

/**
 * struct html_page - what a page is made of
 * @template: with marks for the rest, as {{TITLE}}
 * @script: what it runs, and its hash as a policy has it
 * @title: of the window; it may hold anything
 * @data: for the script
 */
struct html_page {
	const char *template, *script, *script_hash;
	char *title;
	struct json_object *data;
};

/* html_file.c: CLI_OK, or an exit code after one sentence */
int html_save(const struct html_page *page, const char *file);
/* html_data.c: the command that replays @trace; malloc'ed, NULL: there is none */
char *html_replay(const struct report *r, const char *trace);
/* html.c: malloc'ed */
char *html_title(const char *verdict, const char *program);

#endif /* CLI_HTML_PARTS_H */
