// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as JUnit's XML, in the form that Jenkins and others read: each program is a suite.
 */
#include <string.h>

#include "cli.h"
#include "test.h"

/* Bytes that XML cannot have, escaped or not, become question marks. */
static void put_escaped(FILE *to, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", to);
			break;
		case '>':
			fputs("&gt;", to);
			break;
		case '&':
			fputs("&amp;", to);
			break;
		case '"':
			fputs("&quot;", to);
			break;
		case '\n':
		case '\t':
			fprintf(to, "&#%d;", *text);
			break;
		default:
			fputc(*text < ' ' || *text > '~' ? '?' : *text, to);
		}
}

static double seconds_of(struct json_object *o)
{
	struct json_object *value;

	return json_object_object_get_ex(o, "seconds", &value) ? json_object_get_double(value) : 0;
}

static void put_element(FILE *to, const char *tag, const char *message, const char *type,
			struct json_object *o)
{
	const char *report = test_text(o, "report"), *replay = test_text(o, "replay");

	fprintf(to, "      <%s message=\"", tag);
	put_escaped(to, message ? message : "");
	fputc('"', to);
	if (type) {
		fputs(" type=\"", to);
		put_escaped(to, type);
		fputc('"', to);
	}
	if (!type || (!report && !replay)) {
		fputs("/>\n", to);
		return;
	}
	fputc('>', to);
	if (report)
		put_escaped(to, report);
	if (replay)
		fputs("replay it with: ", to);
	put_escaped(to, replay ? replay : "");
	fprintf(to, "</%s>\n", tag);
}

static void put_notes(FILE *to, struct json_object *o, const char *why)
{
	struct json_object *notes;
	size_t i, n = 0;

	if (json_object_object_get_ex(o, "notes", &notes))
		n = json_object_array_length(notes);
	if (!n && !why)
		return;
	fputs("      <system-out>", to);
	if (why)
		put_escaped(to, why);
	for (i = 0; i < n; i++) {
		fputs(i || why ? "&#10;" : "", to);
		put_escaped(to, json_object_get_string(json_object_array_get_idx(notes, i)));
	}
	fputs("</system-out>\n", to);
}

static void put_case(FILE *to, const char *class, struct json_object *o)
{
	const char *result = test_text(o, "result"), *why = test_text(o, "why");

	fputs("    <testcase classname=\"", to);
	put_escaped(to, class);
	fputs("\" name=\"", to);
	put_escaped(to, test_text(o, "name"));
	fprintf(to, "\" time=\"%.3f\">\n", seconds_of(o));
	if (!strcmp(result, "fail")) {
		put_element(to, "failure", why, test_text(o, "verdict"), o);
		why = NULL;
	} else if (!strcmp(result, "error")) {
		put_element(to, "error", why, "environment", o);
		why = NULL;
	} else if (!strcmp(result, "skip")) {
		put_element(to, "skipped", why, NULL, o);
		why = NULL;
	}
	put_notes(to, o, why);
	fputs("    </testcase>\n", to);
}

static void put_counts(FILE *to, struct json_object *programs)
{
	struct test_counts c = { 0 };

	test_count(programs, &c);
	fprintf(to, " tests=\"%u\" failures=\"%u\" errors=\"%u\"",
		c.passed + c.failed + c.skipped + c.xfailed + c.errors + c.incomplete, c.failed,
		c.errors);
}

static void put_suite(FILE *to, struct json_object *program)
{
	struct json_object *one = json_object_new_array(), *cases = NULL;
	struct test_counts c = { 0 };
	const char *name = test_text(program, "name");
	size_t i;

	json_object_array_add(one, json_object_get(program));
	test_count(one, &c);
	fputs("  <testsuite name=\"", to);
	put_escaped(to, name);
	fputc('"', to);
	put_counts(to, one);
	fprintf(to, " skipped=\"%u\" time=\"%.3f\">\n", c.skipped, c.seconds);
	json_object_object_get_ex(program, "cases", &cases);
	if (!cases)
		put_case(to, name, program);
	for (i = 0; cases && i < json_object_array_length(cases); i++)
		put_case(to, name, json_object_array_get_idx(cases, i));
	fputs("  </testsuite>\n", to);
	json_object_put(one);
}

void junit_write(FILE *to, struct json_object *all)
{
	size_t i;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"chessctl test\"", to);
	put_counts(to, all);
	fputs(">\n", to);
	for (i = 0; i < json_object_array_length(all); i++)
		put_suite(to, json_object_array_get_idx(all, i));
	fputs("</testsuites>\n", to);
}
