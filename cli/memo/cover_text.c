// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results of chessctl cover, see cover.h.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "memo/cover.h"
#include "out.h"
#include "report/report.h"

typedef unsigned long long ull;

static const char *text_of(struct json_object *o, const char *key)
{
	struct json_object *value;

	if (!o || !json_object_object_get_ex(o, key, &value))
		return NULL;
	return json_object_get_string(value);
}

/* As explore reports it. */
static void print_report(const char *path)
{
	struct chess_trace *t = chess_trace_read(path);
	struct report r;

	if (!t || !t->record) {
		chess_trace_free(t);
		return;
	}
	report_open(&r, t);
	report_print(&r, stdout, path);
	report_close(&r);
	chess_trace_free(t);
}

static void print_traces(const struct cover_result *r)
{
	struct json_object *list;
	size_t i;

	if (!json_object_object_get_ex(r->found, "traces", &list))
		return;
	for (i = 1; i < json_object_array_length(list); i++)
		printf("  another trace: %s\n",
		       json_object_get_string(json_object_array_get_idx(list, i)));
}

void cover_print_input(const struct cover *c, size_t at)
{
	const struct cover_result *r = &c->result[at];
	const char *trace = text_of(r->found, "trace");

	printf("%sinput %zu of %zu%s: %s\n", out_bold(), at + 1, c->inputs, out_plain(), r->command);
	if (!r->found) {
		printf("  it was not searched, exit code %d\n", r->code);
		return;
	}
	printf("  %llu runs, %llu of them to expose an iRoot, %.2f s: %llu iRoots exposed, %llu of them new%s\n",
	       (ull)r->runs, (ull)r->tries, r->seconds, (ull)r->exposed, (ull)r->fresh,
	       r->finished ? "" : "; more is left to be tried");
	if (trace) {
		print_report(trace);
		print_traces(r);
	}
	fflush(stdout);
}

void cover_print_end(const struct cover *c)
{
	uint64_t runs = 0, fresh = 0;
	size_t i;

	if (c->bugs)
		printf("%sbugs with %zu of %zu inputs%s", out_bad(), c->bugs, c->inputs, out_plain());
	else
		printf("no bug so far; cover never says that there is none");
	printf("; %llu runs, %llu iRoots exposed for the first time\n", (ull)c->runs,
	       (ull)c->fresh);
	if (c->n < c->inputs)
		printf("  %zu inputs were not searched\n", c->inputs - c->n);
	printf("  %9s %9s %9s\n", "input", "runs", "new");
	for (i = 0; i < c->n; i++) {
		runs += c->result[i].runs;
		fresh += c->result[i].fresh;
		printf("  %9zu %9llu %9llu\n", i + 1, (ull)runs, (ull)fresh);
	}
	printf("  what is covered: chessctl coverage %s\n", c->memo);
}
