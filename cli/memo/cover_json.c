// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results of chessctl cover as one JSON object, see cover.h.
 */
#include "cli.h"
#include "memo/cover.h"
#include "out.h"

static struct json_object *input_json(const struct cover_result *r)
{
	static const char *const same[] = { "program", "verdict", "trace", "memo" };
	struct json_object *o = json_object_new_object(), *value;
	size_t i;

	out_json_string(o, "command", r->command);
	out_json_int(o, "exit_code", r->code);
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		json_object_object_add(o, same[i], r->found &&
				       json_object_object_get_ex(r->found, same[i], &value) ?
				       json_object_get(value) : NULL);
	out_json_uint(o, "runs", r->runs);
	out_json_uint(o, "tries", r->tries);
	out_json_uint(o, "exposed", r->exposed);
	out_json_uint(o, "new", r->fresh);
	out_json_double(o, "seconds", r->seconds);
	out_json_bool(o, "finished", r->finished);
	return o;
}

void cover_print_json(const struct cover *c, int code)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	size_t i;

	for (i = 0; i < c->n; i++)
		json_object_array_add(list, input_json(&c->result[i]));
	out_json_string(o, "memo", c->memo);
	out_json_int(o, "exit_code", code);
	out_json_uint(o, "inputs", c->inputs);
	out_json_uint(o, "runs", c->runs);
	out_json_uint(o, "new", c->fresh);
	out_json_uint(o, "bugs", c->bugs);
	out_json_uint(o, "failed", c->failed);
	json_object_object_add(o, "results", list);
	out_json(o);
}
