// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of a run as columns of numbers, the form in which 200,000 of them are a few
 * megabytes. Number i of a column is about event i + 1. See html_parts.h.
 */
#include <stdio.h>

#include "cli.h"
#include "html/html_parts.h"
#include "out.h"

/* The page has these names as well, so their order may change. */
static const char *const kinds[] = {
	"preemption", "write", "release", "yield", "alone", "early", "spurious", "forced", NULL,
};

enum bit {
	PREEMPTION = 1, WRITE = 2, RELEASE = 4, YIELD = 8, ALONE = 16, EARLY = 32, SPURIOUS = 64,
	FORCED = 128,
};

static int bits_of(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);
	int bits = 0;

	if (e->type == CHESS_EVENT_POINT) {
		bits |= e->flags & CHESS_OPF_WRITE ? WRITE : 0;
		bits |= e->flags & CHESS_OPF_RELEASE ? RELEASE : 0;
		bits |= e->flags & CHESS_OPF_YIELD ? YIELD : 0;
		bits |= e->flags & CHESS_OPF_ALONE ? ALONE : 0;
	}
	if (CHESS_EVENT_IS_DECISION(e->type)) {
		bits |= chess_record_is_preemption(r, i) ? PREEMPTION : 0;
		bits |= e->flags & CHESS_OPF_EARLY ? EARLY : 0;
	}
	if (e->type == CHESS_EVENT_TIMEOUT && chess_record_is_spurious(r, i))
		bits |= SPURIOUS;
	/* It could continue, and had to let others go first. */
	if (e->type == CHESS_EVENT_POINT && e->chosen != e->task &&
	    chess_record_enabled(r, i, e->task) && !chess_record_allowed(r, i, e->task))
		bits |= FORCED;
	return bits;
}

/* -1: no task; -2: timers */
static int task_or_none(uint64_t task)
{
	return task == CHESS_TASK_NONE ? -1 : task == CHESS_TASK_TIMER ? -2 : (int)task;
}

/* The second task of an event: the one that woke it, that it made, that stood first. */
static int other_of(const struct chess_event *e)
{
	switch (e->type) {
	case CHESS_EVENT_WAKE:
	case CHESS_EVENT_SPAWN:
	case CHESS_EVENT_DIVERGENCE:
	case CHESS_EVENT_QUEUE:
		return task_or_none(e->object);
	default:
		return -1;
	}
}

static int enabled_of(struct html_names *n, const struct chess_event *e)
{
	char hex[20];

	if (!CHESS_EVENT_IS_DECISION(e->type))
		return 0;
	snprintf(hex, sizeof(hex), "%llx", (unsigned long long)e->enabled);
	return html_string(n, hex);
}

static void add(struct json_object *o, const char *key, struct json_object *column)
{
	json_object_object_add(o, key, column);
}

void html_columns(struct html_names *n, struct json_object *o)
{
	const struct chess_record *r = n->r->record;
	size_t i, length = chess_record_length(r);
	struct json_object *type = json_object_new_array_ext(length);
	struct json_object *task = json_object_new_array_ext(length);
	struct json_object *chosen = json_object_new_array_ext(length);
	struct json_object *what = json_object_new_array_ext(length);
	struct json_object *where = json_object_new_array_ext(length);
	struct json_object *bits = json_object_new_array_ext(length);
	struct json_object *enabled = json_object_new_array_ext(length);
	struct json_object *other = json_object_new_array_ext(length);
	struct json_object *columns = json_object_new_object();
	struct json_object *types = json_object_new_array();
	const struct chess_event *e;

	for (i = 0; i < length; i++) {
		e = chess_record_event(r, i);
		json_object_array_add(type, json_object_new_int(e->type));
		json_object_array_add(task, json_object_new_int(e->task));
		json_object_array_add(chosen, json_object_new_int(
				      CHESS_EVENT_IS_DECISION(e->type) ?
				      task_or_none(e->chosen) : -1));
		json_object_array_add(what, json_object_new_int(html_op(n, e)));
		json_object_array_add(where, json_object_new_int(html_event_place(n, e)));
		json_object_array_add(bits, json_object_new_int(bits_of(r, i)));
		json_object_array_add(enabled, json_object_new_int(enabled_of(n, e)));
		json_object_array_add(other, json_object_new_int(other_of(e)));
	}
	json_object_array_add(types, json_object_new_string(""));
	for (i = 1; i <= CHESS_EVENT_SPURIOUS; i++)
		json_object_array_add(types, json_object_new_string(chess_event_type_name(i)));
	add(columns, "type", type);
	add(columns, "task", task);
	add(columns, "chosen", chosen);
	add(columns, "what", what);
	add(columns, "where", where);
	add(columns, "bits", bits);
	add(columns, "enabled", enabled);
	add(columns, "other", other);
	json_object_object_add(o, "types", types);
	out_json_strings(o, "kinds", (char *const *)kinds);
	json_object_object_add(o, "columns", columns);
}
