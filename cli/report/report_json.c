// SPDX-License-Identifier: GPL-2.0-only
/*
 * The report as JSON. See report.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "out.h"
#include "report/names.h"
#include "report/race_report.h"
#include "report/report_parts.h"

void report_json_take(struct json_object *o, const char *key, char *text)
{
	out_json_string(o, key, *text ? text : NULL);
	free(text);
}

struct json_object *report_json_event(const struct report *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r->record, i);
	struct json_object *o;

	/* Traces may name events that are not in their record. */
	if (!e)
		return NULL;
	o = json_object_new_object();
	json_object_object_add(o, "seq", json_object_new_int64(e->seq));
	out_json_string(o, "type", chess_event_type_name(e->type));
	json_object_object_add(o, "task", json_object_new_int(e->task));
	if (CHESS_EVENT_IS_DECISION(e->type))
		json_object_object_add(o, "chosen", e->chosen == CHESS_TASK_NONE ||
				       e->chosen == CHESS_TASK_TIMER ? NULL :
				       json_object_new_int(e->chosen));
	if (e->type == CHESS_EVENT_POINT) {
		const struct chess_wrapper *w = chess_wrapper_of(e);
		const char *symbol = w ? w->symbol : NULL;

		out_json_string(o, "op", chess_op_name(e->op));
		out_json_string(o, "call", e->flags & CHESS_OPF_PROBE ? symbol :
				chess_syscall_name(e->nr));
		out_json_string(o, "text", report_call_text(r, e));
		out_json_bool(o, "write", e->flags & CHESS_OPF_WRITE);
		out_json_bool(o, "release", e->flags & CHESS_OPF_RELEASE);
		out_json_bool(o, "yield", e->flags & CHESS_OPF_YIELD);
		out_json_bool(o, "alone", e->flags & CHESS_OPF_ALONE);
	}
	if (e->object_kind)
		report_json_take(o, "object", report_object(r, e));
	/* Whom bit 0 of the enabled stands for. */
	if (e->type == CHESS_EVENT_FAIR)
		json_object_object_add(o, "first", json_object_new_uint64(64 * e->object));
	if (e->type == CHESS_EVENT_TIMEOUT || e->type == CHESS_EVENT_EXPIRE ||
	    e->type == CHESS_EVENT_WATCHDOG)
		json_object_object_add(o, "clock_ns", json_object_new_uint64(e->object));
	if (CHESS_EVENT_IS_DECISION(e->type)) {
		json_object_object_add(o, "timed", json_object_new_uint64(e->timed));
		out_json_bool(o, "early", e->flags & CHESS_OPF_EARLY);
		out_json_bool(o, "timer", e->flags & CHESS_OPF_TIMER);
	}
	if (CHESS_EVENT_IS_DECISION(e->type))
		out_json_bool(o, "preemption", chess_record_is_preemption(r->record, i));
	json_object_object_add(o, "enabled", json_object_new_uint64(e->enabled));
	json_object_object_add(o, "ip", json_object_new_uint64(e->ip));
	report_json_take(o, "where", report_where(r, e));
	return o;
}

void report_json_first(const struct report *r, struct json_object *o, size_t max)
{
	struct json_object *points = json_object_new_array();
	size_t i;

	report_json_end(r, o);
	report_json_waits(r, o);
	json_object_object_add(o, "races", race_report_json(r));
	json_object_object_add(o, "livelock", report_json_livelock(r));
	json_object_object_add(o, "cycle", report_json_cycle(r));
	out_json_bool(o, "partial", r->run.partial);
	json_object_object_add(o, "task_names", report_json_names(r));

	for (i = 0; i < r->run.n_preemptions && i < max; i++) {
		const struct chess_account_preemption *p = &r->run.preemptions[i];
		struct json_object *one = report_json_event(r, p->at);

		json_object_object_add(one, "instead", p->instead ?
				       report_json_event(r, p->instead->seq - 1) : NULL);
		json_object_array_add(points, one);
	}
	json_object_object_add(o, "preemption_points", points);
}

void report_json(const struct report *r, struct json_object *o)
{
	report_json_first(r, o, SIZE_MAX);
}
