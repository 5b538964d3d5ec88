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
#include "report/labels.h"
#include "report/report.h"
#include "session.h"
#include "trace_json.h"
#include "tracefile.h"

static const char *format = "text", *html;
static char format_help[128];
static unsigned int at;

static const struct opt options[] = {
	{ "format", OPT_STRING, &format, "F", format_help, 0, 0, 0 },
	{ "html", OPT_STRING, &html, "FILE", "write the run as a page for a browser", 0, 0, 0 },
	{ "at", OPT_UINT, &at, "N", "print only the state of each task after event N", 1,
	  UINT32_MAX, 0 },
	LABEL_OPTION,
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

static void show_json(const struct report *r, const char *path)
{
	struct json_object *o = trace_json(r, path, SIZE_MAX), *events = json_object_new_array();
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
	if (ret == CLI_PROCEED)
		ret = report_labels_check("show");
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
		ret = html_write(&r, trace_json(&r, operands.first[0], HTML_PREEMPTIONS),
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
