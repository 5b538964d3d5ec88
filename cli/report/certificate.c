// SPDX-License-Identifier: GPL-2.0-only
/*
 * See certificate.h.
 */
#include <stdio.h>

#include "report/certificate.h"
#include "cli.h"
#include "out.h"

/* How people call the causes; NULL: as in JSON. A cause without a row is named as there. */
static const char *const words[CHESS_LEFT_OUT_CAUSES] = {
	[CHESS_LEFT_OUT_DIVERGED] = "after runs that diverged",
	[CHESS_LEFT_OUT_RECORD] = "after runs whose record is incomplete",
	[CHESS_LEFT_OUT_LIMIT] = "not run yet",
	[CHESS_LEFT_OUT_SCOPE] = "preemptions out of scope",
	[CHESS_LEFT_OUT_ORDERED] = "preemptions at objects that are ordered by others",
	[CHESS_LEFT_OUT_HB] = "ways to where the search has been",
	[CHESS_LEFT_OUT_SLEEP] = "ways that only change the order of independent ops",
	[CHESS_LEFT_OUT_UNSOUND] = "of them wrongly",
	[CHESS_LEFT_OUT_FORCED] = "after runs with a yield that no program asked for",
};

void certificate_work_out(struct certificate *c)
{
	c->asked.races = c->accesses ? c->accesses->result : NULL;
	c->covered = chess_coverage_of(&c->asked, c->res);
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

/* Deadlines that did not pass early; which of these kinds there were is not known. */
static void print_held(const struct certificate *c)
{
	bool never = c->covered.watchdogs == CHESS_WATCHDOGS_NEVER;
	const char *join = "; ";

	if (c->covered.watchdogs == CHESS_WATCHDOGS_LATE) {
		printf("; time limits of processes and for children");
		join = ", ";
	} else if (never) {
		printf("; time limits for children never passed");
		join = ", ";
	}
	if (c->early_max) {
		printf("%sdeadlines further away than %g s", join, c->early_max / 1000.0);
		join = ", ";
	}
	if (c->late_programs)
		printf("%sdeadlines of %s", join, c->late_programs);
	if (never)
		printf(", %s not early", c->early_max || c->late_programs ?
		       "and time limits of processes" : "others");
	else
		printf(" did not pass early");
}

void certificate_print_unseen(const struct certificate *c)
{
	static const char *const kinds[CHESS_POINT_KINDS] = {
		"sync functions", "system calls", "accesses to memory",
	};
	const struct chess_race_search_result *r = c->asked.races;
	unsigned int i, n = 0;

	for (i = 0; i < CHESS_POINT_KINDS; i++)
		if (c->covered.unseen & 1U << i)
			printf("%s%s", n++ ? " and " : "; ", kinds[i]);
	if (n)
		printf(" were not examined");
	if (c->covered.partly_recorded)
		printf("; accesses were recorded in %llu of %llu runs",
		       (unsigned long long)r->recorded_runs, (unsigned long long)r->all.runs);
	if (c->covered.gave_up)
		printf(", as a run took too long with them");
	if (c->covered.readings_left)
		printf("; of loops that read clocks only the orders that came up");
	if (c->covered.watchdogs_held)
		print_held(c);
	putchar('\n');
}

/* Loud: what these do is in no schedule. */
void certificate_print_later(const struct chess_later *later)
{
	const char *const *files = chess_later_files(later), *path, *why;
	size_t i;

	for (i = 0; files && files[i]; i++)
		printf("  opened or executed later than at the start: %s\n", files[i]);
	for (i = 0; (path = chess_later_bare(later, i, &why)); i++)
		printf("  NO TRAPS in %s, opened or executed later: %s\n", path, why);
}

void certificate_add_later(struct json_object *o, const struct chess_later *later)
{
	struct json_object *list = json_object_new_array(), *bare = json_object_new_array(), *one;
	const char *const *files = chess_later_files(later), *path, *why;
	size_t i;

	for (i = 0; files && files[i]; i++)
		json_object_array_add(list, json_object_new_string(files[i]));
	for (i = 0; (path = chess_later_bare(later, i, &why)); i++) {
		one = json_object_new_object();
		out_json_string(one, "file", path);
		out_json_string(one, "why", why);
		json_object_array_add(bare, one);
	}
	json_object_object_add(o, "later", list);
	json_object_object_add(o, "without_traps", bare);
}

/* Maple's measure of coverage, of the searches that have it. */
static void print_iroots(const struct certificate *c)
{
	const struct chess_explore_result *res = c->res;
	uint64_t known = 0;
	size_t i;

	for (i = 0; i < CHESS_IDIOMS; i++)
		known += res->iroots[i];
	if (!known)
		return;
	printf("  iRoots (Maple), exposed of those known:");
	for (i = 0; i < CHESS_IDIOMS; i++)
		printf("%s idiom %zu %llu of %llu", i ? "," : "", i + 1,
		       (unsigned long long)res->iroots_exposed[i],
		       (unsigned long long)res->iroots[i]);
	printf("\n");
}

/* Reads-from pairs, of the searches that have those. */
static void print_pairs(const struct chess_explore_result *res)
{
	if (!res->pairs_known)
		return;
	printf("  reads-from pairs: %llu of %llu known, %llu through the kernel; %llu plan%s kept\n",
	       (unsigned long long)res->pairs, (unsigned long long)res->pairs_known,
	       (unsigned long long)res->pairs_kernel, (unsigned long long)res->plans_kept,
	       res->plans_kept == 1 ? "" : "s");
}

/* Which strategy found what, where several share the runs. */
static void print_shares(const struct chess_explore_result *res)
{
	unsigned int i;

	if (!res->shared)
		return;
	printf("  shares, as runs (new classes, new iRoots):");
	for (i = 0; i < CHESS_SHARES; i++)
		printf("%s %s %llu (%llu, %llu)", i ? "," : "", chess_share_name(i),
		       (unsigned long long)res->share_runs[i],
		       (unsigned long long)res->share_classes[i],
		       (unsigned long long)res->share_iroots[i]);
	printf("\n");
}

/* Of a search that is not over only what is missing is of use. */
void certificate_print(const struct certificate *c)
{
	unsigned long long n = c->res->classes;

	if (c->covered.ok) {
		printf("  covered: points %s", c->asked.points);
		print_scope(c);
		if (c->fair_k > 1)
			printf(", fair at every %uth yield", c->fair_k);
		else
			printf(", %s", c->fair_k ? "fair" : "not fair");
		if (c->asked.no_early)
			printf(", timers and deadlines: only when no other task could run");
		if (c->long_rows)
			printf(", up to 100000 points in a row");
		/* Tasks run one at a time, and no store waits in a processor's buffer. */
		printf(", stores seen at once, quantum %g ms, waiters woken in %s%s; %llu happens-before class%s\n",
		       c->quantum_us / 1000.0,
		       c->wake_any ? "any order (futexes and pipes)" : "the order they came",
		       c->spurious ? " or spuriously" : ", never spuriously",
		       n, n == 1 ? "" : "es");
	}
	print_iroots(c);
	print_pairs(c->res);
	print_shares(c->res);
	if (c->accesses)
		race_facts_print(c->accesses);
	certificate_print_later(c->later);
	print_left_out(c);
}

static void add_number(struct json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, json_object_new_uint64(n));
}

/* What was done with reductions before the search that they cannot be trusted in; or null */
static struct json_object *reduced_first_json(const struct chess_race_search_result *r)
{
	struct json_object *o;

	if (!r || !r->first_runs)
		return NULL;
	o = json_object_new_object();
	out_json_int(o, "bound", r->first_bound);
	add_number(o, "runs", r->first_runs);
	return o;
}

static const struct {
	unsigned int flag;
	const char *name;
} reductions[] = {
	{ CHESS_REDUCE_HB, "hb" }, { CHESS_REDUCE_SLEEP, "sleep" }, { CHESS_REDUCE_YIELD, "yield" },
	{ CHESS_REDUCE_DPOR, "dpor" },
};

static struct json_object *reductions_json(const struct certificate *c)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < sizeof(reductions) / sizeof(reductions[0]); i++)
		if (c->covered.reductions & reductions[i].flag)
			json_object_array_add(list, json_object_new_string(reductions[i].name));
	return list;
}

/* By idiom; null: the strategy has nothing to do with them. */
static struct json_object *iroots_json(const struct chess_explore_result *res)
{
	struct json_object *list = json_object_new_array(), *one;
	uint64_t known = 0;
	size_t i;

	for (i = 0; i < CHESS_IDIOMS; i++) {
		one = json_object_new_object();
		add_number(one, "idiom", i + 1);
		add_number(one, "known", res->iroots[i]);
		add_number(one, "exposed", res->iroots_exposed[i]);
		json_object_array_add(list, one);
		known += res->iroots[i];
	}
	if (!known) {
		json_object_put(list);
		return NULL;
	}
	return list;
}

/* null: the strategy has nothing to do with them */
static struct json_object *pairs_json(const struct chess_explore_result *res)
{
	struct json_object *o;

	if (!res->pairs_known)
		return NULL;
	o = json_object_new_object();
	add_number(o, "known", res->pairs_known);
	add_number(o, "seen", res->pairs);
	add_number(o, "kernel", res->pairs_kernel);
	add_number(o, "plans_kept", res->plans_kept);
	return o;
}

/* null: one strategy has all runs */
static struct json_object *shares_json(const struct chess_explore_result *res)
{
	struct json_object *list, *one;
	unsigned int i;

	if (!res->shared)
		return NULL;
	list = json_object_new_array();
	for (i = 0; i < CHESS_SHARES; i++) {
		one = json_object_new_object();
		out_json_string(one, "strategy", chess_share_name(i));
		add_number(one, "runs", res->share_runs[i]);
		add_number(one, "classes", res->share_classes[i]);
		add_number(one, "iroots", res->share_iroots[i]);
		json_object_array_add(list, one);
	}
	return list;
}

struct json_object *certificate_json(const struct certificate *c)
{
	struct json_object *o = json_object_new_object(), *left = json_object_new_object();
	struct json_object *unseen = json_object_new_array();
	unsigned int i;

	out_json_bool(o, "ok", c->covered.ok);
	out_json_string(o, "strategy", c->asked.strategy);
	out_json_string(o, "bounds", c->covered.counts);
	json_object_object_add(o, "bound", c->covered.counts ?
			       json_object_new_int64(c->covered.bound) : NULL);
	out_json_bool(o, "unbounded", c->covered.unbounded);
	add_number(o, "levels_done", c->covered.levels);
	add_number(o, "delay_levels_done", c->covered.delay_levels);
	out_json_string(o, "points", c->asked.points);
	out_json_string(o, "preempt_in", c->in);
	out_json_string(o, "no_preempt_in", c->not_in);
	add_number(o, "fair_k", c->fair_k);
	add_number(o, "quantum_us", c->quantum_us);
	out_json_bool(o, "long_rows", c->long_rows);
	out_json_bool(o, "no_early", c->asked.no_early);
	json_object_object_add(o, "early_max", c->early_max ?
			       json_object_new_double(c->early_max / 1000.0) : NULL);
	out_json_string(o, "watchdog", c->late_programs);
	out_json_string(o, "watchdogs", chess_watchdogs_name(c->covered.watchdogs));
	add_number(o, "watchdog_runs", c->res->watchdog_runs);
	add_number(o, "runs", c->res->runs);
	add_number(o, "chance_runs", c->res->chance_runs);
	add_number(o, "delay_runs", c->res->delay_runs);
	add_number(o, "unbounded_runs", c->res->unbounded_runs);
	add_number(o, "predicted", c->res->predicted);
	add_number(o, "classes", c->res->classes);
	for (i = 0; i < CHESS_LEFT_OUT_CAUSES; i++)
		add_number(left, chess_left_out_name(i), c->res->left_out[i]);
	for (i = 0; i < CHESS_POINT_KINDS; i++)
		if (c->covered.unseen & 1U << i)
			json_object_array_add(unseen,
					      json_object_new_string(chess_point_kind_key(i)));
	json_object_object_add(o, "not_looked_at", unseen);
	/* Linux wakes waiters of a futex of equal priority first come first served. */
	out_json_string(o, "wake", c->wake_any ? "any" : "fifo");
	out_json_bool(o, "spurious", c->spurious);
	out_json_string(o, "memory", "sequential");
	out_json_bool(o, "points_chosen", c->chosen_points);
	out_json_bool(o, "strategy_chosen", c->chosen_strategy);
	json_object_object_add(o, "reduce", reductions_json(c));
	out_json_bool(o, "reduce_chosen", c->chosen_reduce);
	out_json_string(o, "unreduced", c->asked.unreduced);
	json_object_object_add(o, "reduced_first", reduced_first_json(c->asked.races));
	json_object_object_add(o, "iroots", iroots_json(c->res));
	json_object_object_add(o, "pairs", pairs_json(c->res));
	json_object_object_add(o, "shares", shares_json(c->res));
	json_object_object_add(o, "left_out", left);
	json_object_object_add(o, "accesses", c->accesses ? race_facts_json(c->accesses) : NULL);
	certificate_add_later(o, c->later);
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
