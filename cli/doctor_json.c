// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl doctor --json -- PROGRAM: one object for tools. See doctor.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "doctor.h"
#include "out.h"
#include "where.h"

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

	for (i = 0; i < d->account.n_diff; i++) {
		at = d->account.diff[i].at;
		doctor_open_report(d, 0, &a, &first);
		doctor_open_report(d, d->account.diff[i].run, &b, &other);
		one = json_object_new_object();
		out_json_int(one, "event", at + 1);
		out_json_int(one, "run", d->account.diff[i].run + 1);
		json_object_object_add(one, "expected", json_event(&first, at));
		json_object_object_add(one, "seen", json_event(&other, at));
		out_json_string(one, "cause", d->account.diff[i].cause);
		json_object_array_add(list, one);
		report_close(&first);
		report_close(&other);
	}
	return list;
}

static void add_output(struct json_object *list, const struct doctor_stream *s)
{
	struct json_object *one;
	size_t i;

	for (i = 0; i < s->n; i++) {
		one = json_object_new_object();
		out_json_string(one, "stream", s->name);
		out_json_int(one, "line", s->lines[i].number);
		out_json_int(one, "run", s->run + 1);
		put_text(one, "expected", s->lines[i].a, s->lines[i].a_len);
		put_text(one, "seen", s->lines[i].b, s->lines[i].b_len);
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

static void put_record_hints(struct json_object *o, const struct hints_record *h)
{
	out_json_int(o, "outside_wakes", h->wakes);
	out_json_int(o, "quanta", h->quanta);
	out_json_int(o, "stalls", h->stalls);
	out_json_int(o, "left", h->left);
}

static struct json_object *json_instructions(const struct doctor_account *a)
{
	struct json_object *list = json_object_new_array(), *one;
	size_t i, k;

	for (i = 0; i < a->n_files; i++)
		for (k = 0; k < a->files[i].n; k++) {
			const struct doctor_instruction *kind = &a->files[i].kind[k];

			one = json_object_new_object();
			out_json_string(one, "file", a->files[i].path);
			out_json_string(one, "instruction", kind->first->instruction);
			out_json_int(one, "times", kind->count);
			out_json_int(one, "address", kind->first->address);
			out_json_string(one, "function", kind->first->function);
			json_object_array_add(list, one);
		}
	return list;
}

void doctor_json(const struct doctor *d)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	const struct doctor_account *a = &d->account;
	size_t i;

	out_json_bool(o, "deterministic", a->deterministic);
	out_json_bool(o, "complete", a->complete);
	out_json_int(o, "runs", a->runs);
	out_json_int(o, "identical", a->same);
	out_json_strings(o, "program", d->s->argv);
	out_json_string(o, "time", session_time(d->s->real_time));
	json_object_object_add(o, "surroundings", session_json_surroundings(d->s->surroundings));
	out_json_bool(o, "vm", where_inside_vm());
	json_object_object_add(o, "differences", json_differences(d));
	add_output(list, &a->stream[0]);
	add_output(list, &a->stream[1]);
	json_object_object_add(o, "output", list);
	json_object_object_add(o, "ends", json_ends(d));
	if (a->runs)
		put_record_hints(o, &a->shown);
	list = json_object_new_array();
	for (i = 0; i < d->sources.n; i++)
		json_object_array_add(list, json_object_new_string(d->sources.text[i]));
	json_object_object_add(o, "inputs", list);
	json_object_object_add(o, "instructions", json_instructions(a));
	out_json(o);
}
