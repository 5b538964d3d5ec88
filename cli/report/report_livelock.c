// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a livelock repeats, of the report. See report_parts.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "out.h"
#include "report/report_parts.h"

static bool is_cycle_step(const struct chess_event *e)
{
	return CHESS_EVENT_IS_DECISION(e->type) || e->type == CHESS_EVENT_TIMEOUT;
}

/* What kind of livelock it is, and whose fault or loss. */
static void print_kind(const struct report *r, FILE *to)
{
	const struct chess_cycle *cycle = &r->run.livelock;
	const struct chess_event *e = r->run.starved;
	char *op, *where;

	if (cycle->selfish >= 0)
		fprintf(to, "good samaritan violation: T%d never yields in them, although other tasks could run at each of its points\n",
			cycle->selfish);
	if (cycle->starved >= 0)
		fprintf(to, "starvation: T%d could run in each round and makes no progress\n",
			cycle->starved);
	if (!e)
		return;
	op = report_op(r, e);
	where = report_where(r, e);
	fprintf(to, "  T%-3u ", e->task);
	report_print_columns(to, op, where, "starves");
	report_print_callers(r, e, to);
	free(op);
	free(where);
}

void report_print_livelock(const struct report *r, FILE *to)
{
	const struct chess_cycle *cycle = &r->run.livelock;
	size_t i, shown = 0, steps = 0;

	if (!r->run.repeats)
		return;
	for (i = cycle->first; i < cycle->end; i++)
		steps += is_cycle_step(chess_record_event(r->record, i));
	if (cycle->separate)
		fprintf(to, "\neach task repeats its steps, at least %zu times at the end, in an order that changes\n",
			cycle->rounds);
	else if (steps == 1)
		fprintf(to, "\nthis step is repeated, %zu times at the end\n", cycle->rounds);
	else
		fprintf(to, "\nthese %zu steps are repeated, %zu times at the end\n", steps,
			cycle->rounds);
	print_kind(r, to);
	for (i = cycle->first; i < cycle->end && shown < CYCLE_SHOWN; i++) {
		const struct chess_event *e = chess_record_event(r->record, i);
		char *op, *where;

		if (!is_cycle_step(e))
			continue;
		shown++;
		op = e->type == CHESS_EVENT_POINT ? report_op(r, e) :
		     cli_printf("%s", chess_event_type_name(e->type));
		where = report_where(r, e);
		fprintf(to, "  T%-3u ", e->task);
		report_print_columns(to, op, where, e->flags & CHESS_OPF_YIELD ? "yields" : "");
		if (e->task == cycle->selfish)
			report_print_callers(r, e, to);
		free(op);
		free(where);
	}
	if (steps > shown)
		fprintf(to, "  ... and %zu more\n", steps - shown);
}

struct json_object *report_json_livelock(const struct report *r)
{
	struct json_object *o, *steps;
	const struct chess_event *at;
	const struct chess_cycle *cycle = &r->run.livelock;
	size_t i;

	if (!r->run.repeats)
		return NULL;
	o = json_object_new_object();
	steps = json_object_new_array();
	out_json_string(o, "kind", chess_cycle_kind(cycle));
	json_object_object_add(o, "rounds", json_object_new_int64(cycle->rounds));
	if (cycle->separate)
		json_object_object_add(o, "separate", json_object_new_boolean(true));
	json_object_object_add(o, "selfish", cycle->selfish < 0 ? NULL :
			       json_object_new_int(cycle->selfish));
	json_object_object_add(o, "starved", cycle->starved < 0 ? NULL :
			       json_object_new_int(cycle->starved));
	at = r->run.starved;
	json_object_object_add(o, "starved_at", at ? report_json_event(r, at->seq - 1) : NULL);
	for (i = cycle->first; i < cycle->end; i++)
		if (is_cycle_step(chess_record_event(r->record, i)))
			json_object_array_add(steps, report_json_event(r, i));
	json_object_object_add(o, "steps", steps);
	return o;
}
