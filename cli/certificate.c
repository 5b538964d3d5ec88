// SPDX-License-Identifier: GPL-2.0-only
/*
 * See certificate.h.
 */
#include <stdio.h>
#include <string.h>

#include "certificate.h"
#include "cli.h"
#include "out.h"

/* How people call the causes; NULL: as in JSON. A cause without a row is told as there. */
static const char *const words[CHESS_LEFT_OUT_CAUSES] = {
	[CHESS_LEFT_OUT_DIVERGED] = "behind runs that diverged",
	[CHESS_LEFT_OUT_RECORD] = "behind runs whose record is not whole",
	[CHESS_LEFT_OUT_LIMIT] = "not run yet",
	[CHESS_LEFT_OUT_SCOPE] = "preemptions out of scope",
	[CHESS_LEFT_OUT_ORDERED] = "preemptions at objects that are ordered by others",
	[CHESS_LEFT_OUT_HB] = "ways to where the search has been",
	[CHESS_LEFT_OUT_SLEEP] = "ways that change the order of independent ops alone",
	[CHESS_LEFT_OUT_UNSOUND] = "of them wrongly",
};

static bool is_ok(const struct certificate *c)
{
	return c->res->verdict == CHESS_VERDICT_OK && c->res->complete;
}

static void print_left_out(const struct certificate *c)
{
	const char *before = "  left out: ";
	unsigned int i;

	for (i = 0; i < CHESS_LEFT_OUT_CAUSES; i++) {
		if (!c->res->left_out[i])
			continue;
		printf("%s%llu %s", before, (unsigned long long)c->res->left_out[i],
		       words[i] ? words[i] : chess_left_out_name(i));
		before = ", ";
	}
	if (*before == ',')
		putchar('\n');
}

static void print_scope(const struct certificate *c)
{
	if (c->in)
		printf(", preempted only in %s", c->in);
	if (c->not_in)
		printf(", not preempted in %s", c->not_in);
}

/* Of a search that is not over only what is missing is of use. */
void certificate_print(const struct certificate *c)
{
	unsigned long long n = c->res->classes;

	if (is_ok(c)) {
		printf("  covered: points %s", c->points);
		print_scope(c);
		if (c->fair_k > 1)
			printf(", fair at each %uth yield", c->fair_k);
		else
			printf(", %s", c->fair_k ? "fair" : "not fair");
		printf(", quantum %g ms; %llu happens-before class%s\n", c->quantum_us / 1000.0, n,
		       n == 1 ? "" : "es");
	}
	if (c->accesses)
		race_facts_print(c->accesses);
	print_left_out(c);
}

static void add_number(struct json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, json_object_new_uint64(n));
}

struct json_object *certificate_json(const struct certificate *c)
{
	struct json_object *o = json_object_new_object(), *left = json_object_new_object();
	const char *counts = chess_strategy_counts(c->strategy);
	unsigned int i;

	out_json_bool(o, "ok", is_ok(c));
	out_json_string(o, "strategy", c->strategy);
	out_json_string(o, "bounds", counts);
	json_object_object_add(o, "bound", counts ? json_object_new_int64(c->bound) : NULL);
	out_json_string(o, "points", c->points);
	out_json_string(o, "preempt_in", c->in);
	out_json_string(o, "no_preempt_in", c->not_in);
	add_number(o, "fair_k", c->fair_k);
	add_number(o, "quantum_us", c->quantum_us);
	add_number(o, "runs", c->res->runs);
	add_number(o, "classes", c->res->classes);
	for (i = 0; i < CHESS_LEFT_OUT_CAUSES; i++)
		add_number(left, chess_left_out_name(i), c->res->left_out[i]);
	json_object_object_add(o, "left_out", left);
	json_object_object_add(o, "accesses", c->accesses ? race_facts_json(c->accesses) : NULL);
	return o;
}

void certificate_counts_json(struct json_object *o, const struct chess_explore_result *res,
			     const struct chess_record *rec)
{
	out_json_string(o, "verdict", chess_verdict_name(res->verdict));
	json_object_object_add(o, "runs", json_object_new_uint64(res->runs));
	out_json_bool(o, "complete", res->complete);
	out_json_int(o, "bound", res->bound);
	out_json_int(o, "preemptions", rec ? chess_record_preemptions(rec) : 0);
	out_json_int(o, "tasks", rec ? chess_record_tasks(rec) : res->max_tasks);
	out_json_int(o, "points", rec ? chess_record_points(rec) : res->max_points);
}
