/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs and searches as HTML pages that need no network: for "show --html" one page of a run, in
 * one file, and for "explore --html" a directory with the page of the search and one for each
 * trace. html.c and html_search.c write them.
 */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"

/* So many are listed in full; all are marked in the lanes. */
#define HTML_PREEMPTIONS	32

/*
 * @account: what "show --format json" says of the trace, without its events; it is released.
 * @trace: path of the trace as the user gave it. An exit code, after one sentence if it is not
 * CLI_OK.
 */
int html_write(const struct report *r, struct json_object *account, const char *trace,
	       const char *file);

/* Where a search was: after so many runs. */
struct html_sample {
	uint64_t runs, classes;
	double seconds;
	unsigned int found;
};

#define HTML_SAMPLES	512

/**
 * struct html_curve - the course of a search, with as many samples as a picture can show
 * @v: @n of them
 * @every: one sample is kept of so many that were added
 * @skipped: since the last that was kept
 * @last: that was added
 * @first_found: runs with the first failing one; 0: none failed
 */
struct html_curve {
	struct html_sample v[HTML_SAMPLES];
	size_t n;
	uint64_t every, skipped;
	struct html_sample last;
	uint64_t first_found;
};

void html_curve_add(struct html_curve *c, const struct html_sample *s);

/**
 * struct html_search - a search that has ended, for its page
 * @argv: of the program
 * @verdict: of the search
 * @bug: it is one of the program
 * @bugs: failing runs
 * @text: what is said of the search, lines
 * @curve: its course
 * @traces: paths that were written, @n_traces of them
 */
struct html_search {
	char *const *argv;
	const char *verdict;
	bool bug;
	unsigned int bugs;
	const char *text;
	const struct html_curve *curve;
	char *const *traces;
	size_t n_traces;
};

/*
 * index.html and a page for each trace in @dir, which is made if it is not there. An exit code,
 * after one sentence if it is not CLI_OK.
 */
int html_search_write(const struct html_search *s, const char *dir);
/* The pages of @from, a directory that is then taken away, belong in @dir. As above */
int html_search_move(const char *from, const char *dir);

#endif /* CLI_HTML_H */
