// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl doctor --json -- PROGRAM: what doctor.c prints, as one object for tools.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "doctor.h"
#include "hints.h"
#include "out.h"
#include "where.h"

/* As many lines of output that differ as are of use to anybody. */
#define LINES_MAX	100

static void put_text(struct json_object *o, const char *key, const char *text, size_t len)
{
	json_object_object_add(o, key, text ? json_object_new_string_len(text, len) : NULL);
}

static struct json_object *json_event(const struct report *r, size_t at)
{
	return at < chess_record_length(r->record) ? report_json_event(r, at) : NULL;
}

static struct json_object *json_differences(const struct doctor *d)
{
	struct json_object *list = json_object_new_array(), *one;
	struct chess_trace a, b;
	struct report first, other;
	size_t i, at;

	for (i = 0; i < d->n_diff; i++) {
		at = d->diff[i].at;
		doctor_open_report(d, 0, &a, &first);
		doctor_open_report(d, d->diff[i].run, &b, &other);
		one = json_object_new_object();
		out_json_int(one, "event", at + 1);
		out_json_int(one, "run", d->diff[i].run + 1);
		json_object_object_add(one, "expected", json_event(&first, at));
		json_object_object_add(one, "seen", json_event(&other, at));
		out_json_string(one, "cause", hints_cause(chess_record_event(first.record, at),
							  chess_record_event(other.record, at)));
		json_object_array_add(list, one);
		report_close(&first);
		report_close(&other);
	}
	return list;
}

static void add_output(struct json_object *list, const struct doctor *d, bool err)
{
	unsigned int i = doctor_other_output(d, err), shown = 0;
	struct hints_line line = { 0 };
	struct json_object *one;

	if (i >= d->n)
		return;
	while (shown++ < LINES_MAX && hints_next_line(err ? d->run[0].err : d->run[0].out,
						      err ? d->run[i].err : d->run[i].out, &line)) {
		one = json_object_new_object();
		out_json_string(one, "stream", err ? "stderr" : "stdout");
		out_json_int(one, "line", line.number);
		out_json_int(one, "run", i + 1);
		put_text(one, "expected", line.a, line.a_len);
		put_text(one, "seen", line.b, line.b_len);
		json_object_array_add(list, one);
	}
}

static struct json_object *json_ends(const struct doctor *d)
{
	struct json_object *list = json_object_new_array(), *one;
	unsigned int i;

	for (i = 0; i < d->n; i++) {
		char *end = report_status(d->run[i].status);

		one = json_object_new_object();
		out_json_string(one, "verdict", chess_verdict_name(d->run[i].verdict));
		out_json_string(one, "end", end);
		json_object_array_add(list, one);
		free(end);
	}
	return list;
}

static void put_record_hints(struct json_object *o, const struct doctor *d)
{
	struct hints_record h;

	hints_find(d->run[0].record, &h);
	out_json_int(o, "outside_wakes", h.wakes);
	out_json_int(o, "quanta", h.quanta);
	out_json_int(o, "stalls", h.stalls);
	out_json_int(o, "left", h.left);
}

static struct json_object *json_instructions(const struct doctor *d)
{
	struct json_object *list = json_object_new_array(), *one;
	char **files = chess_symbols_files(d->s->path), **f;

	for (f = files; f && *f; f++) {
		struct chess_code_site *v;
		int n = doctor_scan(*f, &v), i;

		for (i = 0; i < n; i++) {
			size_t count = doctor_count(v, n, i);

			if (!count)
				continue;
			one = json_object_new_object();
			out_json_string(one, "file", *f);
			out_json_string(one, "instruction", v[i].instruction);
			out_json_int(one, "times", count);
			out_json_int(one, "address", v[i].address);
			out_json_string(one, "function", v[i].function);
			json_object_array_add(list, one);
		}
		if (n > 0)
			chess_code_sites_free(v, n);
		free(*f);
	}
	free(files);
	return list;
}

void doctor_json(const struct doctor *d)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	size_t i;

	out_json_bool(o, "deterministic", d->n == d->wanted && d->same == d->n);
	out_json_bool(o, "complete", d->n == d->wanted);
	out_json_int(o, "runs", d->n);
	out_json_int(o, "identical", d->same);
	out_json_strings(o, "program", d->s->argv);
	out_json_string(o, "time", session_time(d->s->real_time));
	json_object_object_add(o, "surroundings", session_json_surroundings(d->s->surroundings));
	out_json_bool(o, "vm", where_inside_vm());
	json_object_object_add(o, "differences", json_differences(d));
	if (d->n) {
		add_output(list, d, false);
		add_output(list, d, true);
	}
	json_object_object_add(o, "output", list);
	json_object_object_add(o, "ends", json_ends(d));
	if (d->n)
		put_record_hints(o, d);
	list = json_object_new_array();
	for (i = 0; i < d->sources.n; i++)
		json_object_array_add(list, json_object_new_string(d->sources.text[i]));
	json_object_object_add(o, "inputs", list);
	json_object_object_add(o, "instructions", json_instructions(d));
	out_json(o);
}
