// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a search did, as a result has it, and how several of them add up to what explore would have
 * printed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "estimate.h"
#include "out.h"
#include "shard/internal.h"

static void add_uint(struct json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, json_object_new_uint64(n));
}

/* What the certificate says beside numbers. */
static struct json_object *asked_json(const struct certificate *c)
{
	struct json_object *o = json_object_new_object();

	out_json_string(o, "strategy", c->asked.strategy);
	out_json_int(o, "bound", c->asked.bound);
	out_json_string(o, "points", c->asked.points);
	out_json_bool(o, "no_early", c->asked.no_early);
	out_json_int(o, "watchdogs", c->asked.watchdogs);
	out_json_int(o, "reductions", c->asked.reductions);
	out_json_string(o, "unreduced", c->asked.unreduced);
	out_json_string(o, "preempt_in", c->in);
	out_json_string(o, "no_preempt_in", c->not_in);
	out_json_int(o, "fair_k", c->fair_k);
	out_json_int(o, "quantum_us", c->quantum_us);
	out_json_bool(o, "long_rows", c->long_rows);
	out_json_bool(o, "wake_any", c->wake_any);
	out_json_bool(o, "spurious", c->spurious);
	out_json_bool(o, "races", c->asked.races);
	json_object_object_add(o, "accesses", c->accesses ? race_facts_json(c->accesses) : NULL);
	return o;
}

struct json_object *result_json(const struct explore_outcome *x, const struct explore_account *a)
{
	const struct chess_explore_result *res = x->res;
	const struct chess_race_search_result *races = a->c.asked.races;
	const struct chess_record *bad = x->report ? x->report->trace->record : NULL;
	struct json_object *o = json_object_new_object(), *left = json_object_new_object();
	struct json_object *levels = json_object_new_array();
	unsigned int i;

	add_uint(o, "runs", res->runs);
	out_json_double(o, "seconds", res->seconds);
	for (i = 0; i < res->n_runs_at; i++)
		json_object_array_add(levels, json_object_new_uint64(res->runs_at[i]));
	json_object_object_add(o, "runs_at", levels);
	add_uint(o, "chance_runs", res->chance_runs);
	add_uint(o, "retries", res->retries);
	add_uint(o, "expected_runs", res->expected_runs);
	add_uint(o, "watchdog_runs", res->watchdog_runs);
	add_uint(o, "max_points", res->max_points);
	add_uint(o, "max_tasks", res->max_tasks);
	add_uint(o, "diverged", res->diverged);
	add_uint(o, "bugs", res->bugs);
	add_uint(o, "recorded_runs", races ? races->recorded_runs : 0);
	out_json_bool(o, "gave_up", races && races->gave_up);
	out_json_bool(o, "readings_left", races && races->readings_left);
	out_json_bool(o, "outgrown", races && races->outgrown);
	/* What is left to run follows from the shards that are left. */
	for (i = 0; i < CHESS_LEFT_OUT_CAUSES; i++)
		if (i != CHESS_LEFT_OUT_LIMIT)
			add_uint(left, chess_left_out_name(i), res->left_out[i]);
	json_object_object_add(o, "left_out", left);
	out_json_string(o, "verdict", chess_verdict_name(res->verdict));
	out_json_string(o, "why", res->why);
	/* A part that was not stopped, and is not complete, has a hole. */
	out_json_bool(o, "hole", !bad && !res->stopped && !res->complete);
	out_json_int(o, "preemptions", bad ? (int64_t)chess_record_preemptions(bad) : -1);
	if (!bad)
		json_object_object_del(o, "preemptions");
	out_json_string(o, "trace", a->path ? strrchr(a->path, '/') + 1 : NULL);
	json_object_object_add(o, "asked", asked_json(&a->c));
	if (a->c.later)
		certificate_add_later(o, a->c.later);
	return o;
}

bool result_has_hole(struct json_object *result)
{
	struct json_object *left = json_object_object_get(result, "left_out");
	unsigned int i;

	for (i = 0; left && i < CHESS_LEFT_OUT_CAUSES; i++)
		if (i != CHESS_LEFT_OUT_LIMIT && !chess_left_out_may_be_ok(i) &&
		    json_object_get_uint64(json_object_object_get(left, chess_left_out_name(i))))
			return true;
	return false;
}

/* --- adding up --------------------------------------------------------------- */

/**
 * struct merged - results so far
 * @res: as if of one search
 * @races: the same
 * @class: numbers of classes, @n_classes of them, each perhaps several times
 * @asked: of the first one that has it
 * @seconds: in all
 * @hole: a part is not complete though nothing stopped it
 * @outgrown: a part showed that the search is to be split again
 * @preemptions: of the failing run with the fewest; @trace is that, or NULL
 * @first_bug: its verdict
 * @results: that were added
 * @later: files that were opened or executed later than at the start
 * @bare: of these, those without traps, and why
 */
struct merged {
	struct chess_explore_result res;
	struct chess_race_search_result races;
	uint64_t *class;
	size_t n_classes;
	struct json_object *asked, *about;
	bool hole, outgrown;
	int64_t preemptions;
	char *trace;
	size_t results;
	struct json_object *later, *bare;
};

struct merged *merged_new(void)
{
	struct merged *m = cli_alloc(1, sizeof(*m));

	m->preemptions = -1;
	m->later = json_object_new_array();
	m->bare = json_object_new_array();
	return m;
}

void merged_free(struct merged *m)
{
	free(m->res.runs_at);
	free(m->res.why);
	free(m->class);
	free(m->trace);
	json_object_put(m->asked);
	json_object_put(m->about);
	json_object_put(m->later);
	json_object_put(m->bare);
	free(m);
}

static uint64_t uint_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) ? json_object_get_uint64(v) : 0;
}

static const char *text_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) && v ? json_object_get_string(v) : NULL;
}

static bool bool_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) && json_object_get_boolean(v);
}

/* A trace is beside the result that names it. */
static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return slash ? cli_printf("%.*s/%s", (int)(slash - path), path, name) :
		       cli_printf("%s", name);
}

void merged_add_bug(struct merged *m, const struct shard_file *f, const char *path)
{
	struct json_object *r = json_object_object_get(f->meta, "result"), *v;
	const char *trace = text_of(r, "trace");
	int64_t n;

	if (!json_object_object_get_ex(r, "preemptions", &v) || !v)
		return;
	n = json_object_get_int(v);
	if (m->preemptions >= 0 && m->preemptions <= n)
		return;
	m->preemptions = n;
	free(m->trace);
	m->trace = trace ? beside(path, trace) : NULL;
}

static void add_levels(struct chess_explore_result *res, struct json_object *list)
{
	size_t n = list && json_object_is_type(list, json_type_array) ?
		   json_object_array_length(list) : 0, i;

	if (n > 1001)
		n = 1001;
	if (n > res->n_runs_at) {
		res->runs_at = cli_realloc(res->runs_at, n, sizeof(*res->runs_at));
		for (i = res->n_runs_at; i < n; i++)
			res->runs_at[i] = 0;
		res->n_runs_at = n;
	}
	for (i = 0; i < n; i++)
		res->runs_at[i] += json_object_get_uint64(json_object_array_get_idx(list, i));
}

static void add_classes(struct merged *m, const struct shard_file *f)
{
	size_t n = f->n / sizeof(*m->class);

	if (!n)
		return;
	m->class = cli_realloc(m->class, m->n_classes + n, sizeof(*m->class));
	memcpy(m->class + m->n_classes, f->body, f->n);
	m->n_classes += n;
}

/* What is not in the list yet. */
static void add_new(struct json_object *list, struct json_object *more)
{
	size_t n = more && json_object_is_type(more, json_type_array) ?
		   json_object_array_length(more) : 0, i, k;

	for (i = 0; i < n; i++) {
		struct json_object *one = json_object_array_get_idx(more, i);

		for (k = 0; k < json_object_array_length(list); k++)
			if (json_object_equal(json_object_array_get_idx(list, k), one))
				break;
		if (k == json_object_array_length(list))
			json_object_array_add(list, json_object_get(one));
	}
}

int merged_add(struct merged *m, const struct shard_file *f, const char *path)
{
	struct json_object *r = json_object_object_get(f->meta, "result");
	struct json_object *left = json_object_object_get(r, "left_out"), *v;
	struct chess_explore_result *res = &m->res;
	unsigned int i;

	m->results++;
	if (!m->about)
		m->about = json_object_get(json_object_object_get(f->meta, "search"));
	if (!m->asked && json_object_object_get_ex(r, "asked", &v))
		m->asked = json_object_get(v);
	res->runs += uint_of(r, "runs");
	res->chance_runs += uint_of(r, "chance_runs");
	res->retries += uint_of(r, "retries");
	res->expected_runs += uint_of(r, "expected_runs");
	res->watchdog_runs += uint_of(r, "watchdog_runs");
	res->diverged += uint_of(r, "diverged");
	res->bugs += uint_of(r, "bugs");
	res->seconds += json_object_get_double(json_object_object_get(r, "seconds"));
	if (uint_of(r, "max_points") > res->max_points)
		res->max_points = uint_of(r, "max_points");
	if (uint_of(r, "max_tasks") > res->max_tasks)
		res->max_tasks = uint_of(r, "max_tasks");
	m->races.recorded_runs += uint_of(r, "recorded_runs");
	m->races.gave_up |= bool_of(r, "gave_up");
	m->races.readings_left |= bool_of(r, "readings_left");
	m->hole |= bool_of(r, "hole") || result_has_hole(r);
	m->outgrown |= bool_of(r, "outgrown");
	for (i = 0; left && i < CHESS_LEFT_OUT_CAUSES; i++)
		res->left_out[i] += uint_of(left, chess_left_out_name(i));
	if (!res->why && text_of(r, "why"))
		res->why = cli_printf("%s", text_of(r, "why"));
	add_levels(res, json_object_object_get(r, "runs_at"));
	add_classes(m, f);
	add_new(m->later, json_object_object_get(r, "later"));
	add_new(m->bare, json_object_object_get(r, "without_traps"));
	merged_add_bug(m, f, path);
	return CLI_PROCEED;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t count_classes(struct merged *m)
{
	size_t i, n = 0;

	if (m->n_classes)
		qsort(m->class, m->n_classes, sizeof(*m->class), by_number);
	for (i = 0; i < m->n_classes; i++)
		n += !i || m->class[i] != m->class[i - 1];
	return n;
}

static struct certificate certificate_of(struct merged *m)
{
	struct json_object *a = m->asked;
	struct certificate c = {
		.res = &m->res,
		.asked = {
			.strategy = text_of(a, "strategy"), .bound = uint_of(a, "bound"),
			.points = text_of(a, "points"), .no_early = bool_of(a, "no_early"),
			.watchdogs = uint_of(a, "watchdogs"),
			.reductions = uint_of(a, "reductions"),
			.unreduced = text_of(a, "unreduced"),
		},
		.in = text_of(a, "preempt_in"), .not_in = text_of(a, "no_preempt_in"),
		.fair_k = uint_of(a, "fair_k"), .quantum_us = uint_of(a, "quantum_us"),
		.long_rows = bool_of(a, "long_rows"), .wake_any = bool_of(a, "wake_any"),
		.spurious = bool_of(a, "spurious"),
	};

	m->races.all = m->res;
	m->races.reduced = c.asked.reductions;
	if (bool_of(a, "races"))
		c.asked.races = &m->races;
	c.covered = chess_coverage_of(&c.asked, &m->res);
	return c;
}

static void conclude(struct merged *m, uint64_t missing, size_t shards, unsigned int level,
		     double weight)
{
	const char *strategy = text_of(m->asked, "strategy");
	struct chess_explore_result *res = &m->res;
	bool exhaustive = strategy && chess_strategy_is_exhaustive(strategy);

	res->left_out[CHESS_LEFT_OUT_LIMIT] = missing;
	res->stopped = shards;
	res->complete = !shards && !m->hole && !m->outgrown && exhaustive;
	res->bound = res->complete ? uint_of(m->asked, "bound") : shards ? level :
		     uint_of(m->asked, "bound");
	res->classes = count_classes(m);
	res->estimate = res->complete ? res->runs : weight < 1 ? res->runs / (1 - weight) : 0;
	res->verdict = res->complete ? CHESS_VERDICT_OK : CHESS_VERDICT_INCOMPLETE;
}

/* Into the folder for traces, where one was named. Return: the path, malloc'ed */
static char *keep_trace(const struct merged *m, const char *out)
{
	char *to, buf[65536];
	int from, fd;
	ssize_t n;

	if (!m->trace || !out)
		return m->trace ? cli_printf("%s", m->trace) : NULL;
	to = cli_printf("%s/%s", out, strrchr(m->trace, '/') ? strrchr(m->trace, '/') + 1 : m->trace);
	from = open(m->trace, O_RDONLY | O_CLOEXEC);
	fd = from < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	while (fd >= 0 && (n = read(from, buf, sizeof(buf))) > 0)
		if (write(fd, buf, n) != n)
			cli_note("note: '%s' could not be written: %s", to, strerror(errno));
	if (from >= 0)
		close(from);
	if (fd >= 0)
		close(fd);
	if (access(to, R_OK)) {
		free(to);
		return cli_printf("%s", m->trace);
	}
	return to;
}

/* As certificate_print_later() has it. */
static void print_later(const struct merged *m)
{
	struct json_object *one;
	size_t i;

	for (i = 0; i < json_object_array_length(m->later); i++)
		printf("  opened or executed later than at the start: %s\n",
		       json_object_get_string(json_object_array_get_idx(m->later, i)));
	for (i = 0; i < json_object_array_length(m->bare); i++) {
		one = json_object_array_get_idx(m->bare, i);
		printf("  NO TRAPS in %s, opened or executed later: %s\n", text_of(one, "file"),
		       text_of(one, "why"));
	}
}

static struct json_object *certificate_of_all(const struct merged *m, const struct certificate *c)
{
	struct json_object *o = certificate_json(c), *accesses;

	accesses = json_object_object_get(m->asked, "accesses");
	if (accesses) {
		json_object_object_add(accesses, "recorded_runs",
				       json_object_new_uint64(m->races.recorded_runs));
		json_object_object_add(o, "accesses", json_object_get(accesses));
	}
	json_object_object_add(o, "later", json_object_get(m->later));
	json_object_object_add(o, "without_traps", json_object_get(m->bare));
	return o;
}

static void print_counts(const struct merged *m, size_t shards, double weight)
{
	const struct chess_explore_result *res = &m->res;

	printf("  %llu run%s, %zu tasks, %zu points, %.2f s in all, strategy %s; %zu result%s\n",
	       (unsigned long long)res->runs, res->runs == 1 ? "" : "s", res->max_tasks,
	       res->max_points, res->seconds, text_of(m->asked, "strategy"), m->results,
	       m->results == 1 ? "" : "s");
	if (shards)
		printf("  %zu shard%s without a result, about %.2g %% of the search: %llu prefixes are not run yet\n",
		       shards, shards == 1 ? "" : "s", weight * 100,
		       (unsigned long long)res->left_out[CHESS_LEFT_OUT_LIMIT]);
	if (res->diverged)
		printf("  %llu branch%s PRUNED, runs diverged from the schedule\n",
		       (unsigned long long)res->diverged, res->diverged == 1 ? "" : "es");
	if (uint_of(m->asked, "reductions") & CHESS_REDUCE_HB)
		printf("  each shard has left out schedules by what it has seen itself, so there are more runs than in one search\n");
}

static void print_ok(const struct merged *m, const struct certificate *c)
{
	const struct chess_coverage *got = &c->covered;

	if (got->ok && got->unbounded)
		printf("%sok%s: no bug in any schedule", out_good(), out_plain());
	else if (got->ok)
		printf("%sok%s: no bug with at most %u %s%s", out_good(), out_plain(), got->bound,
		       got->counts, got->bound == 1 ? "" : "s");
	if (got->ok) {
		certificate_print_unseen(c);
		return;
	}
	printf("%s%s%s: no bug so far", out_bold(), chess_verdict_name(m->res.verdict), out_plain());
	if (got->counts)
		printf("; bound %u is not finished\n", m->res.bound);
	else
		printf("%s\n", got->exhaustive ? "" : "; this strategy never says that there is none");
}

static void print_text(struct merged *m, const struct report *report, const char *path,
		       size_t shards, double weight)
{
	struct certificate c = certificate_of(m);

	c.later = chess_later_new(false);
	if (report) {
		report_print(report, stdout, path);
		printf("found in a search of\n");
		print_counts(m, shards, weight);
	} else {
		print_ok(m, &c);
		if (m->res.why)
			printf("  %s\n", m->res.why);
		print_counts(m, shards, weight);
		certificate_print(&c);
		print_later(m);
	}
	chess_later_free((struct chess_later *)c.later);
}

static void print_json(struct merged *m, const struct report *report, const char *path,
		       size_t shards, double weight)
{
	struct json_object *o = json_object_new_object(), *levels = json_object_new_array();
	struct certificate c = certificate_of(m);
	size_t i;

	c.later = chess_later_new(false);
	certificate_counts_json(o, &m->res, report ? report->trace->record : NULL);
	out_json_string(o, "trace", path);
	out_json_double(o, "seconds", m->res.seconds);
	out_json_string(o, "strategy", text_of(m->asked, "strategy"));
	json_object_object_add(o, "estimate", estimate_json(m->res.estimate));
	json_object_object_add(o, "program",
			       json_object_get(json_object_object_get(m->about, "program")));
	out_json_int(o, "bugs", m->res.bugs);
	out_json_uint(o, "diverged", m->res.diverged);
	for (i = 0; i < m->res.n_runs_at; i++)
		json_object_array_add(levels, json_object_new_uint64(m->res.runs_at[i]));
	json_object_object_add(o, "runs_by_preemptions", levels);
	out_json_uint(o, "retries", m->res.retries);
	out_json_string(o, "why", m->res.why);
	out_json_uint(o, "results", m->results);
	out_json_uint(o, "shards_left", shards);
	out_json_double(o, "weight_left", weight);
	json_object_object_add(o, "certificate", certificate_of_all(m, &c));
	if (report) {
		out_json_string(o, "minimal", chess_minimal_name(report->trace->minimal));
		report_json(report, o);
	}
	out_json(o);
	chess_later_free((struct chess_later *)c.later);
}

int merged_end(struct merged *m, uint64_t missing, size_t shards, unsigned int level,
	       double weight, const char *out, bool json)
{
	struct chess_trace *t;
	struct report report;
	bool bug = m->preemptions >= 0;
	char *path;

	conclude(m, missing, shards, level, weight);
	path = keep_trace(m, out);
	t = path ? chess_trace_read(path) : NULL;
	if (bug && !t)
		cli_note("a run failed, but its trace cannot be read: %s",
			 path ? chess_error() : "its result names none");
	if (t) {
		m->res.verdict = t->verdict;
		report_open(&report, t);
	}
	if (json)
		print_json(m, t ? &report : NULL, path, shards, weight);
	else
		print_text(m, t ? &report : NULL, path, shards, weight);
	if (t)
		report_close(&report);
	chess_trace_free(t);
	free(path);
	return bug ? CLI_BUG : m->res.complete ? CLI_OK : CLI_INCOMPLETE;
}
