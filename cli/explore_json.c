// SPDX-License-Identifier: GPL-2.0-only
/*
 * What came of a search, as one JSON object. See explore.h.
 */
#include "cli.h"
#include "estimate.h"
#include "explore.h"
#include "left.h"
#include "out.h"

static struct json_object *json_runs(const struct chess_explore_result *res)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < res->n_runs_at; i++)
		json_object_array_add(list, json_object_new_uint64(res->runs_at[i]));
	return list;
}

void explore_print_json(const struct explore_outcome *x, const struct explore_account *a)
{
	const struct chess_explore_result *res = x->res;
	const struct chess_trace *t = x->report ? x->report->trace : NULL;
	const struct explore_options *asked = x->asked;
	const struct session *s = x->s;
	struct json_object *o = json_object_new_object();
	const struct chess_record *rec = t ? t->record : NULL;

	certificate_counts_json(o, res, rec);
	out_json_string(o, "trace", a->path);
	json_object_object_add(o, "traces", bugs_json(x->bugs));
	out_json_double(o, "seconds", res->seconds);
	out_json_double(o, "runs_per_second", a->c.covered.rate);
	out_json_string(o, "strategy", asked->strategy);
	json_object_object_add(o, "jobs", json_object_new_int64(asked->jobs));
	json_object_object_add(o, "seed", json_object_new_uint64(asked->seed));
	json_object_object_add(o, "estimate", estimate_json(res->estimate));
	out_json_strings(o, "program", s->argv);
	json_object_object_add(o, "bugs", json_object_new_int64(res->bugs));
	json_object_object_add(o, "diverged", json_object_new_uint64(res->diverged));
	json_object_object_add(o, "runs_by_preemptions", json_runs(res));
	json_object_object_add(o, "expected_deaths",
			       json_object_new_uint64(res->expected_runs));
	json_object_object_add(o, "retries", json_object_new_uint64(res->retries));
	json_object_object_add(o, "left", left_json(x->left));
	out_json_string(o, "why", res->why);
	out_json_string(o, "continue", a->goes_on);
	json_object_object_add(o, "quantum_us",
			       json_object_new_int64(a->c.quantum_us));
	json_object_object_add(o, "fair_k", json_object_new_int64(a->c.fair_k));
	out_json_bool(o, "yield_trylock", session_yield_trylock(&asked->session));
	out_json_string(o, "time", session_time(s->real_time));
	json_object_object_add(o, "surroundings", session_json_surroundings(s->surroundings));
	out_json_bool(o, "vm", where_inside_vm());
	out_json_string(o, "replay", a->replay);
	json_object_object_add(o, "certificate", certificate_json(&a->c));
	json_object_object_add(o, "memo", remember_json(asked->remember));
	json_object_object_add(o, "explain", asked->explain ? explain_json(asked->explain) : NULL);
	if (t) {
		out_json_string(o, "stderr", t->err);
		out_json_string(o, "minimal", chess_minimal_name(t->minimal));
		report_json(x->report, o);
	}
	out_json(o);
}
