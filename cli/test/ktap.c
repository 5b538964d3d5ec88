// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as KTAP version 1 (the kernel's Documentation/dev-tools/ktap.rst): a program is a
 * test whose cases are its subtests; what is known of a failure stands in front of its line.
 */
#include <string.h>

#include "cli.h"
#include "test.h"

void ktap_begin(FILE *to, size_t programs)
{
	fprintf(to, "KTAP version 1\n1..%zu\n", programs);
}

/* A name must not look like a directive, nor end the line. */
static void put_name(FILE *to, const char *name)
{
	for (; *name; name++)
		fputc(*name == '#' || (unsigned char)*name < ' ' ? '_' : *name, to);
}

static void put_lines(FILE *to, const char *text, unsigned int indent)
{
	const char *end;

	for (; *text; text = *end ? end + 1 : end) {
		end = strchrnul(text, '\n');
		fprintf(to, "%*s#%s%.*s\n", indent, "", end > text ? " " : "", (int)(end - text),
			text);
	}
}

static void put_known(FILE *to, struct json_object *o, unsigned int indent)
{
	const char *report = test_text(o, "report"), *replay = test_text(o, "replay");
	struct json_object *notes;
	size_t i;

	if (report && !strcmp(test_text(o, "result"), "fail"))
		put_lines(to, report, indent);
	if (replay)
		fprintf(to, "%*s# replay it with: %s\n", indent, "", replay);
	for (i = 0; json_object_object_get_ex(o, "notes", &notes) &&
	     i < json_object_array_length(notes); i++)
		put_lines(to, json_object_get_string(json_object_array_get_idx(notes, i)), indent);
}

static void put_result(FILE *to, const char *name, size_t number, const char *result,
		       const char *why, unsigned int indent)
{
	bool bad = !strcmp(result, "fail") || !strcmp(result, "error");

	fprintf(to, "%*s%s %zu ", indent, "", bad ? "not ok" : "ok", number);
	put_name(to, name);
	if (!strcmp(result, "skip"))
		fputs(" # SKIP", to);
	else if (!strcmp(result, "xfail"))
		fputs(" # XFAIL", to);
	else if (!strcmp(result, "error"))
		fputs(" # ERROR", to);
	else if (why)
		fputs(" #", to);
	if (why)
		fprintf(to, " %.*s", (int)strcspn(why, "\n"), why);
	fputc('\n', to);
	fflush(to);
}

void ktap_case(FILE *to, struct json_object *o, size_t number, unsigned int indent)
{
	put_known(to, o, indent);
	put_result(to, test_text(o, "name"), number, test_text(o, "result"), test_text(o, "why"),
		   indent);
}

void ktap_begin_program(FILE *to, struct json_object *program, size_t cases)
{
	fputs("  KTAP version 1\n  # Subtest: ", to);
	put_name(to, test_text(program, "name"));
	fprintf(to, "\n  1..%zu\n", cases);
}

void ktap_end_program(FILE *to, struct json_object *program, size_t number)
{
	struct test_counts c = { 0 };
	struct json_object *one = json_object_new_array();

	json_object_array_add(one, json_object_get(program));
	test_count(one, &c);
	json_object_put(one);
	put_result(to, test_text(program, "name"), number,
		   c.failed || c.errors ? "fail" : c.passed || c.xfailed || c.incomplete ? "pass" :
		   "skip", c.failed || c.errors || c.passed || c.xfailed || c.incomplete ? NULL :
		   "no case was run", 0);
}

void ktap_end(FILE *to, struct json_object *all)
{
	struct test_counts c = { 0 };

	test_count(all, &c);
	fprintf(to, "# Totals: pass:%u fail:%u xfail:%u xpass:0 skip:%u error:%u\n",
		c.passed + c.incomplete, c.failed, c.xfailed, c.skipped, c.errors);
	fprintf(to, "# searched in %llu runs, %.2f s; %u not to the end\n", c.runs, c.seconds,
		c.incomplete);
}

static void count_case(struct json_object *o, struct test_counts *c)
{
	const char *result = test_text(o, "result");
	struct json_object *value;

	c->passed += !strcmp(result, "pass");
	c->failed += !strcmp(result, "fail");
	c->skipped += !strcmp(result, "skip");
	c->xfailed += !strcmp(result, "xfail");
	c->errors += !strcmp(result, "error");
	c->incomplete += !strcmp(result, "incomplete");
	if (json_object_object_get_ex(o, "runs", &value))
		c->runs += json_object_get_int64(value);
	if (json_object_object_get_ex(o, "seconds", &value))
		c->seconds += json_object_get_double(value);
}

void test_count(struct json_object *all, struct test_counts *c)
{
	struct json_object *program, *cases;
	size_t i, k;

	for (i = 0; i < json_object_array_length(all); i++) {
		program = json_object_array_get_idx(all, i);
		if (!json_object_object_get_ex(program, "cases", &cases) || !cases)
			count_case(program, c);
		else
			for (k = 0; k < json_object_array_length(cases); k++)
				count_case(json_object_array_get_idx(cases, k), c);
	}
}
