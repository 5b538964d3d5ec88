// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a memo says of its programs, as one JSON object. See coverage.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "memo/coverage.h"
#include "memo/internal.h"
#include "out.h"

static struct json_object *counts_json(const struct coverage_count *by_idiom)
{
	struct json_object *list = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < CHESS_IDIOMS; i++) {
		const struct coverage_count *n = &by_idiom[i];

		o = json_object_new_object();
		out_json_uint(o, "idiom", i + 1);
		out_json_uint(o, "known", n->known);
		out_json_uint(o, "predicted", n->predicted);
		out_json_uint(o, "exposed", n->exposed);
		out_json_uint(o, "given_up", n->given_up);
		out_json_uint(o, "tried", n->tried);
		out_json_uint(o, "exposed_by_try", n->tried_exposed);
		out_json_uint(o, "attempts", n->attempts);
		out_json_uint(o, "successes", n->successes);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *functions_json(const struct coverage *c)
{
	struct json_object *list = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < c->n_functions; i++) {
		o = json_object_new_object();
		out_json_string(o, "file", c->function[i].path);
		out_json_string(o, "build_id", c->function[i].file);
		out_json_string(o, "function", *c->function[i].function ? c->function[i].function :
				NULL);
		json_object_object_add(o, "idioms", counts_json(c->function[i].idiom));
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *curve_json(const struct coverage_session *s)
{
	struct json_object *list = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < s->n; i++) {
		o = json_object_new_object();
		out_json_uint(o, "run", s->point[i].run);
		json_object_object_add(o, "idiom", s->point[i].idiom ?
				       json_object_new_int(s->point[i].idiom) : NULL);
		out_json_uint(o, "known", s->point[i].known);
		out_json_uint(o, "exposed", s->point[i].exposed);
		out_json_uint(o, "new", s->point[i].fresh);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *sessions_json(const struct coverage *c)
{
	struct json_object *list = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < c->n_sessions; i++) {
		const struct coverage_session *s = &c->session[i];

		o = json_object_new_object();
		out_json_uint(o, "id", s->id);
		out_json_string(o, "program", s->program);
		out_json_string(o, "build_id", s->build_id);
		out_json_string(o, "command", s->command);
		out_json_string(o, "directory", s->cwd);
		out_json_double(o, "started", s->started);
		out_json_double(o, "seconds", s->seconds);
		out_json_string(o, "verdict", s->verdict);
		out_json_string(o, "trace", s->trace);
		out_json_uint(o, "runs", s->n);
		json_object_object_add(o, "curve", curve_json(s));
		json_object_array_add(list, o);
	}
	return list;
}

static void add_text(struct json_object *o, const char *key, sqlite3_stmt *s, int column)
{
	out_json_string(o, key, (const char *)sqlite3_column_text(s, column));
}

static void add_number_or_null(struct json_object *o, const char *key, sqlite3_stmt *s, int column)
{
	json_object_object_add(o, key, sqlite3_column_type(s, column) == SQLITE_NULL ? NULL :
			       json_object_new_int64(sqlite3_column_int64(s, column)));
}

/* By number, NULL: it has none. */
static struct json_object *places_json(sqlite3_stmt *root, sqlite3_stmt *place)
{
	struct json_object *list = json_object_new_array(), *o;
	int i;

	for (i = 0; i < CHESS_MEMO_PLACES; i++) {
		sqlite3_reset(place);
		sqlite3_bind_int64(place, 1, sqlite3_column_int64(root, 2 + i));
		o = NULL;
		if (sqlite3_step(place) == SQLITE_ROW) {
			o = json_object_new_object();
			add_text(o, "build_id", place, 0);
			out_json_uint(o, "offset", sqlite3_column_int64(place, 1));
			add_text(o, "op", place, 2);
			add_text(o, "file", place, 3);
			add_text(o, "function", place, 4);
			add_text(o, "line", place, 5);
		}
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *iroot_json(sqlite3_stmt *root, sqlite3_stmt *place)
{
	struct json_object *o = json_object_new_object(), *first = NULL;

	out_json_uint(o, "idiom", sqlite3_column_int(root, 1));
	json_object_object_add(o, "places", places_json(root, place));
	add_number_or_null(o, "predicted_by", root, 6);
	if (sqlite3_column_type(root, 7) != SQLITE_NULL) {
		first = json_object_new_object();
		out_json_uint(first, "search", sqlite3_column_int64(root, 7));
		out_json_uint(first, "run", sqlite3_column_int64(root, 8));
		out_json_double(first, "at", sqlite3_column_double(root, 9));
	}
	json_object_object_add(o, "exposed", first);
	out_json_bool(o, "given_up", sqlite3_column_int(root, 10));
	out_json_uint(o, "failed", sqlite3_column_int64(root, 11));
	return o;
}

static int iroots_json(struct memo *m, struct json_object *list)
{
	sqlite3_stmt *root = NULL, *place = NULL;
	int ret = sqlite3_prepare_v2(m->db, "SELECT id, idiom, a, b, c, d, predicted, exposed,"
				     " exposed_run, exposed_at, given_up, attempts - successes"
				     " FROM state ORDER BY id", -1, &root, NULL);

	if (!ret)
		ret = sqlite3_prepare_v2(m->db, "SELECT file, offset, op, path, function, line"
					 " FROM place WHERE id = ?", -1, &place, NULL);
	while (!ret && (ret = sqlite3_step(root)) == SQLITE_ROW) {
		json_object_array_add(list, iroot_json(root, place));
		ret = SQLITE_OK;
	}
	sqlite3_finalize(root);
	sqlite3_finalize(place);
	return ret == SQLITE_DONE ? 0 : memo_failed(m, "the memo '%s' cannot be read: %s", m->path,
						    sqlite3_errmsg(m->db));
}

int coverage_print_json(const struct coverage *c, struct memo *m, const char *path)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	int ret = iroots_json(m, list);

	out_json_string(o, "memo", path);
	out_json_uint(o, "runs", c->runs);
	out_json_uint(o, "give_up_after", CHESS_MEMO_GIVE_UP);
	json_object_object_add(o, "idioms", counts_json(c->total));
	json_object_object_add(o, "functions", functions_json(c));
	json_object_object_add(o, "searches", sessions_json(c));
	json_object_object_add(o, "iroots", list);
	if (ret)
		json_object_put(o);
	else
		out_json(o);
	return ret;
}
