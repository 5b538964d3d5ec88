/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where output goes: results on stdout, progress and notes on stderr, traces in
 * a folder. Knows about terminals so that nobody else has to.
 */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define OUT_DIR_DEFAULT	"chess-traces"

/* Escape sequences, or "" where stdout is no terminal or NO_COLOR is set. */
const char *out_bold(void);
const char *out_bad(void);
const char *out_good(void);
const char *out_plain(void);

/* stdout is written out and checked: a result that got lost is an error, but
 * CLI_BUG stays CLI_BUG.
 */
int out_finish(int code);

/* What @print writes to stdout, without colours, in place of that; malloc'ed, NULL with errno */
char *out_captured(void (*print)(void *arg), void *arg);
/* The same with what goes to stderr. */
char *out_captured_all(void (*print)(void *arg), void *arg);
/* One JSON object on stdout, then it is released. */
void out_json(struct json_object *o);
/* One line of JSON on @to, in which nothing commands a terminal. */
void out_json_line(struct json_object *o, FILE *to);
/* strings that may be NULL, numbers that may be missing */
void out_json_string(struct json_object *o, const char *key, const char *value);
void out_json_int(struct json_object *o, const char *key, int64_t value);
void out_json_uint(struct json_object *o, const char *key, uint64_t value);
void out_json_bool(struct json_object *o, const char *key, bool value);
void out_json_double(struct json_object *o, const char *key, double value);
void out_json_strings(struct json_object *o, const char *key, char *const *values);

/*
 * Progress of long work, on stderr: on a terminal one line, at most once a second; in a log a
 * line now and then; with --progress json an object a line, at most once a second, and one
 * when the work has ended.
 */
struct out_progress {
	double last;		/* seconds into the work */
	bool shown;
	bool terminal;
	bool ready;
};

/**
 * struct out_work - how far it is
 * @phase: what is being done, as "search"
 * @runs: that were made
 * @seconds: since it began
 * @estimate: of runs in all, see estimate.h; 0: not known
 * @found: bugs, races or the like so far; -1: nothing is looked for
 * @bound: of preemptions; -1: none
 * @rest: the same for people, after runs and rate, as "bound 1, 0 found"
 */
struct out_work {
	const char *phase;
	uint64_t runs;
	double seconds, estimate;
	int64_t found, bound;
	const char *rest;
};

/* A row for tables of options, and whether its value is one: CLI_PROCEED, or an exit code. */
#define PROGRESS_OPTION									\
	{ "progress", OPT_STRING, &out_progress_form, "FORM",				\
	  "progress on stderr: text (default), json or none", 0, 0, OPT_AROUND }
extern const char *out_progress_form;
int out_progress_check(const char *command);

/* Would that write something, @seconds after the beginning? Text is made up only where it does. */
bool out_progress_due(struct out_progress *p, double seconds);
void out_progress(struct out_progress *p, const struct out_work *w);
/* The line of a terminal is taken away, so that something else can be written. */
void out_progress_end(struct out_progress *p);
/* The work has ended; @w is how far it got. */
void out_progress_done(struct out_progress *p, const struct out_work *w);

/**
 * struct out_dir - folder for traces
 * @path: as given; relative ones stay so, they are shown to people
 * @made: bytes of @path that name the first folder that was made for it, 0 for none; what was
 *	made is removed again if it stays empty
 */
struct out_dir {
	const char *path;
	size_t made;
};
/* exists and can be written in: CLI_PROCEED; else an exit code after one sentence */
int out_dir_open(struct out_dir *d, const char *path);
void out_dir_close(struct out_dir *d);
/*
 * free name for a trace, never one that exists; malloc'ed, NULL with errno. @announce is
 * told of it before it is taken; twice, when somebody else is quicker
 */
char *out_trace_name(const struct out_dir *d, const char *program, const char *verdict,
		     void (*announce)(void *arg, const char *path), void *arg);
/* the same for one that was shrunk, without a number if it is the first */
char *out_shrunk_name(const struct out_dir *d, const char *program, const char *verdict);
/* path from the root; malloc'ed */
char *out_absolute(const char *path);
/* argv as one line a shell reads back; malloc'ed */
char *out_quote(char *const *argv);

#endif /* CLI_OUT_H */
