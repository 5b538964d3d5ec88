// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl show: the report of a trace, all its data as JSON, or a page for a browser. Runs
 * nothing and needs no module.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "export/export.h"
#include "html/html.h"
#include "out.h"
#include "report/report.h"
#include "session.h"
#include "tracefile.h"

static const char *format = "text", *html;
static char format_help[128];
static unsigned int at;

static const struct opt options[] = {
	{ "format", OPT_STRING, &format, "F", format_help, 0, 0, 0 },
	{ "html", OPT_STRING, &html, "FILE", "write the run as a page for a browser", 0, 0, 0 },
	{ "at", OPT_UINT, &at, "N", "print only the state of each task after event N", 1,
	  UINT32_MAX, 0 },
};

static const struct usage usage = {
	"show", "TRACE",
	"Prints what TRACE holds: the failure report, or with --format json every event. With --html\n"
	"it is written to FILE as one page that needs no network.",
	OPERANDS_TRACE, options, sizeof(options) / sizeof(options[0]),
};

static void write_help(void)
{
	char *names = export_names("or");

	snprintf(format_help, sizeof(format_help), "text, json, %s", names);
	free(names);
}

/* CLI_PROCEED, or an exit code after one sentence */
static int check_format(void)
{
	const struct export_format *f = export_find(format);
	char *names;

	if (f && at)
		return cli_fail(CLI_USAGE, "show: --at goes with the formats text and json, not with '%s'",
				format);
	if (f || !strcmp(format, "text") || !strcmp(format, "json"))
		return CLI_PROCEED;
	names = export_names("and");
	cli_note("show: --format takes text, json, %s, not '%s'", names, format);
	free(names);
	return CLI_USAGE;
}

/* All but the events; of preemptions the first ones in full. */
static struct json_object *account(const struct report *r, const char *path, size_t preemptions)
{
	const struct chess_trace *t = r->trace;
	struct json_object *o = json_object_new_object();
	struct chess_schedule *s = chess_record_schedule(t->record);
	char *schedule = s ? chess_schedule_encode(s) : NULL;
	char *absolute = out_absolute(path);
	char hash[20];

	snprintf(hash, sizeof(hash), "%016llx",
		 (unsigned long long)chess_record_hash(t->record));
	out_json_string(o, "verdict", chess_verdict_name(t->verdict));
	out_json_string(o, "trace", absolute);
	json_object_object_add(o, "version", json_object_new_int(t->version));
	out_json_strings(o, "program", t->argv);
	out_json_string(o, "path", t->program);
	out_json_string(o, "program_hash", t->program_hash);
	out_json_string(o, "cwd", t->cwd);
	out_json_string(o, "kernel", t->kernel);
	json_object_object_add(o, "status", json_object_new_int(t->status));
	json_object_object_add(o, "tasks",
			       json_object_new_int64(chess_record_tasks(t->record)));
	json_object_object_add(o, "points",
			       json_object_new_int64(chess_record_points(t->record)));
	json_object_object_add(o, "preemptions",
			       json_object_new_int64(chess_record_preemptions(t->record)));
	out_json_string(o, "point_sources", t->points);
	json_object_object_add(o, "quantum_us",
			       t->quantum_us ? json_object_new_int64(t->quantum_us) : NULL);
	json_object_object_add(o, "fair_k",
			       t->record ? json_object_new_int64(chess_record_fair(t->record)) :
			       NULL);
	out_json_bool(o, "yield_trylock", t->record && chess_record_yield_trylock(t->record));
	out_json_string(o, "time", session_time(!t->virtual_time));
	json_object_object_add(o, "surroundings", session_json_surroundings(t->surroundings));
	out_json_string(o, "record_hash", hash);
	out_json_string(o, "schedule", schedule);
	report_json_first(r, o, preemptions);
	out_json_string(o, "stderr", t->err);
	free(absolute);
	free(schedule);
	chess_schedule_free(s);
	return o;
}

static void show_json(const struct report *r, const char *path)
{
	struct json_object *o = account(r, path, SIZE_MAX), *events = json_object_new_array();
	size_t i;

	for (i = 0; i < chess_record_length(r->record); i++)
		json_object_array_add(events, report_json_event(r, i));
	json_object_object_add(o, "events", events);
	out_json_string(o, "maps", r->trace->maps);
	out_json(o);
}

int cmd_show(int argc, char **argv)
{
	struct operands_list operands;
	struct chess_trace *t;
	struct report r;
	int ret;

	write_help();
	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret != CLI_PROCEED)
		return ret;
	if (operands.program)
		return cli_fail(CLI_USAGE, "show: takes no program; see chessctl show --help");
	if (html && (at || strcmp(format, "text")))
		return cli_fail(CLI_USAGE, "show: --html is about the whole run and has a form of its own; leave out --at and --format");
	ret = check_format();
	if (ret != CLI_PROCEED)
		return ret;
	t = tracefile_open(operands.first[0]);
	if (!t)
		return CLI_USAGE;
	if (!t->record) {
		chess_trace_free(t);
		return cli_fail(CLI_USAGE, "trace '%s' holds no record, so there is nothing to show",
				operands.first[0]);
	}
	if (at > chess_record_length(t->record)) {
		ret = cli_fail(CLI_USAGE, "show: --at %u asks for more than the %zu events of '%s'",
			       at, chess_record_length(t->record), operands.first[0]);
		chess_trace_free(t);
		return ret;
	}
	report_open(&r, t);
	ret = CLI_OK;
	if (html)
		ret = html_write(&r, account(&r, operands.first[0], HTML_PREEMPTIONS),
				 operands.first[0], html);
	else if (export_find(format))
		ret = export_write(export_find(format), &r, operands.first[0], stdout);
	else if (at && !strcmp(format, "json"))
		out_json(tasks_json(&r, at));
	else if (at)
		tasks_print(&r, at);
	else if (!strcmp(format, "json"))
		show_json(&r, operands.first[0]);
	else
		report_print(&r, stdout, operands.first[0]);
	report_close(&r);
	chess_trace_free(t);
	return ret;
}
