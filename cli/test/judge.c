// SPDX-License-Identifier: GPL-2.0-only
/*
 * What came of a case, of the facts that one.c has gathered.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "test.h"

const char *test_text(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) && value ?
	       json_object_get_string(value) : NULL;
}

bool test_has(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) && json_object_get_boolean(value);
}

void test_note(struct json_object *o, char *text)
{
	struct json_object *list;

	json_object_object_get_ex(o, "notes", &list);
	json_object_array_add(list, json_object_new_string(text));
	free(text);
}

static void set(struct json_object *o, const char *result, char *why)
{
	json_object_object_add(o, "result", json_object_new_string(result));
	out_json_string(o, "why", why);
	free(why);
}

/* A verdict that is not a bug: there is none, or the search is not over. */
static void judge_without_bug(struct json_object *o, const char *expected, const char *failed)
{
	const char *why = NULL;
	struct json_object *found, *alone;
	bool complete = test_has(o, "complete");

	if (json_object_object_get_ex(o, "search", &found))
		why = test_text(found, "why");
	if (complete && expected)
		set(o, "fail", cli_printf("no schedule had the verdict %s, which is expected",
					  expected));
	else if (failed)
		set(o, "fail", cli_printf("fails without control (%s), and in no schedule that was run",
					  failed));
	else if (!complete)
		set(o, "incomplete", cli_printf("incomplete: no bug so far; %s", why ? why :
						"the search reached a limit"));
	else if (json_object_object_get_ex(o, "alone", &alone) && test_has(alone, "xfail"))
		set(o, "xfail", cli_printf("is known to fail"));
	else
		set(o, "pass", NULL);
}

void test_judge(struct json_object *o)
{
	const char *verdict = test_text(o, "verdict"), *expected = test_text(o, "expected");
	const char *failed = NULL, *reason = NULL;
	struct json_object *alone = NULL;

	if (json_object_object_get_ex(o, "alone", &alone) && alone) {
		failed = test_text(alone, "failed");
		reason = test_text(alone, "skipped");
	}
	if (reason)
		set(o, "skip", cli_printf("%s", reason));
	else if (test_text(o, "error"))
		set(o, "error", cli_printf("%s", test_text(o, "error")));
	else if (!verdict)
		set(o, "error", cli_printf("the search printed nothing"));
	else if (!strcmp(verdict, "timeout") && alone && test_has(alone, "timed_out"))
		set(o, "incomplete",
		    cli_printf("incomplete: a run takes too long, as it does without control"));
	else if (!strcmp(verdict, "ok") || !strcmp(verdict, "incomplete"))
		judge_without_bug(o, expected, failed);
	else if (expected && !strcmp(expected, verdict))
		set(o, "pass", cli_printf("%s, as expected", verdict));
	else if (expected)
		set(o, "fail", cli_printf("%s, where %s is expected", verdict, expected));
	else
		set(o, "fail", cli_printf("%s", verdict));
	/* It would be a pass that looked at nothing. */
	reason = test_text(o, "controlled_skip");
	if (reason && strcmp(test_text(o, "result"), "fail") && strcmp(test_text(o, "result"), "error"))
		set(o, "skip", cli_printf("under control alone: %s", reason));
	if (failed && verdict && strcmp(test_text(o, "result"), "fail") == 0 && test_text(o, "trace"))
		test_note(o, cli_printf("it fails without control, too: %s", failed));
}
