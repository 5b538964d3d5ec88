// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a trace says of its run, as JSON without the events. See trace_json.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "out.h"
#include "session.h"
#include "trace_json.h"

struct json_object *trace_json(const struct report *r, const char *path, size_t preemptions)
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
