// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads from a memo what chessctl coverage prints. See coverage.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "memo/coverage.h"
#include "memo/internal.h"

#define TEXT(macro)	TEXT_OF(macro)
#define TEXT_OF(macro)	#macro

/* One row for each iRoot: what is known of it, in the order of struct coverage_count. */
static const char states[] =
	"CREATE TEMP VIEW state AS SELECT iroot.*,"
	" (exposed IS NULL AND total(t.failed) >= " TEXT(CHESS_MEMO_GIVE_UP) ") AS given_up,"
	" count(t.session) > 0 AS tried, total(t.succeeded) > 0 AS tried_exposed,"
	" total(t.failed + t.succeeded) AS attempts, total(t.succeeded) AS successes"
	" FROM iroot LEFT JOIN attempt t ON t.iroot = iroot.id GROUP BY iroot.id";

#define COUNTS "count(*), count(predicted), count(exposed), total(given_up), total(tried)," \
	" total(tried_exposed), total(attempts), total(successes)"

static const char totals[] = "SELECT idiom, " COUNTS " FROM state GROUP BY idiom";

/* An iRoot with several places in one function counts once there. */
static const char functions[] =
	"SELECT idiom, " COUNTS ", file, path, function FROM (SELECT DISTINCT state.*, p.file,"
	" p.path, p.function FROM state JOIN place p ON p.id IN (a, b, c, d))"
	" GROUP BY path, file, function, idiom ORDER BY path, file, function, idiom";

static const char sessions[] =
	"SELECT id, program, build_id, command, cwd, verdict, trace, started, seconds"
	" FROM session ORDER BY started, id";

static const char runs[] =
	"SELECT number, known, run.exposed, idiom, coalesce(f.n, 0) FROM run LEFT JOIN"
	" (SELECT exposed_run, count(*) AS n FROM iroot WHERE exposed = ?1 GROUP BY exposed_run) f"
	" ON f.exposed_run = number WHERE session = ?1 ORDER BY number";

typedef void row_fn(void *arg, sqlite3_stmt *s);

static int failed(struct memo *m)
{
	return memo_failed(m, "the memo '%s' cannot be read: %s", m->path, sqlite3_errmsg(m->db));
}

/* @number: for its one parameter, where it has one */
static int for_each_row(struct memo *m, const char *sql, int64_t number, row_fn *fn,
			void *arg)
{
	sqlite3_stmt *s;
	int ret;

	if (sqlite3_prepare_v2(m->db, sql, -1, &s, NULL) != SQLITE_OK)
		return failed(m);
	if (sqlite3_bind_parameter_count(s))
		sqlite3_bind_int64(s, 1, number);
	while ((ret = sqlite3_step(s)) == SQLITE_ROW)
		fn(arg, s);
	sqlite3_finalize(s);
	return ret == SQLITE_DONE ? 0 : failed(m);
}

static char *text_at(sqlite3_stmt *s, int column)
{
	const char *text = (const char *)sqlite3_column_text(s, column);

	return text ? cli_printf("%s", text) : NULL;
}

static void add_count(struct coverage_count *count, sqlite3_stmt *s)
{
	uint64_t *const to[] = {
		&count->known, &count->predicted, &count->exposed, &count->given_up, &count->tried,
		&count->tried_exposed, &count->attempts, &count->successes,
	};
	size_t i;

	for (i = 0; i < sizeof(to) / sizeof(to[0]); i++)
		*to[i] += sqlite3_column_int64(s, 1 + i);
}

/* Of a file of another origin, any number may stand here. */
static struct coverage_count *idiom_of(struct coverage_count *by_idiom, sqlite3_stmt *s)
{
	int idiom = sqlite3_column_int(s, 0);

	return idiom > 0 && idiom <= CHESS_IDIOMS ? &by_idiom[idiom - 1] : NULL;
}

static void add_total(void *arg, sqlite3_stmt *s)
{
	struct coverage *c = arg;
	struct coverage_count *count = idiom_of(c->total, s);

	if (count)
		add_count(count, s);
}

static void add_function(void *arg, sqlite3_stmt *s)
{
	struct coverage *c = arg;
	struct coverage_function f = {
		.file = text_at(s, 9), .path = text_at(s, 10), .function = text_at(s, 11),
	}, *last = c->n_functions ? &c->function[c->n_functions - 1] : NULL;
	struct coverage_count *count;

	if (last && !strcmp(last->file, f.file) && !strcmp(last->path, f.path) &&
	    !strcmp(last->function, f.function)) {
		free(f.file);
		free(f.path);
		free(f.function);
	} else {
		c->function = cli_realloc(c->function, c->n_functions + 1, sizeof(*c->function));
		last = &c->function[c->n_functions++];
		*last = f;
	}
	count = idiom_of(last->idiom, s);
	if (count)
		add_count(count, s);
}

static void add_session(void *arg, sqlite3_stmt *s)
{
	struct coverage *c = arg;

	c->session = cli_realloc(c->session, c->n_sessions + 1, sizeof(*c->session));
	c->session[c->n_sessions++] = (struct coverage_session){
		.id = sqlite3_column_int64(s, 0), .program = text_at(s, 1),
		.build_id = text_at(s, 2), .command = text_at(s, 3), .cwd = text_at(s, 4),
		.verdict = text_at(s, 5), .trace = text_at(s, 6),
		.started = sqlite3_column_double(s, 7), .seconds = sqlite3_column_double(s, 8),
	};
}

static void add_point(void *arg, sqlite3_stmt *s)
{
	struct coverage_session *to = arg;
	uint64_t before = to->n ? to->point[to->n - 1].fresh : 0;

	to->point = cli_realloc(to->point, to->n + 1, sizeof(*to->point));
	to->point[to->n++] = (struct coverage_point){
		.run = sqlite3_column_int64(s, 0), .known = sqlite3_column_int64(s, 1),
		.exposed = sqlite3_column_int64(s, 2), .idiom = sqlite3_column_int(s, 3),
		.fresh = before + sqlite3_column_int64(s, 4),
	};
}

static int read_runs(struct memo *m, struct coverage *c)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < c->n_sessions && !ret; i++) {
		ret = for_each_row(m, runs, c->session[i].id, add_point, &c->session[i]);
		c->runs += c->session[i].n;
	}
	return ret;
}

/* In one transaction: a search may run meanwhile. */
int coverage_read(struct memo *m, struct coverage *c)
{
	int ret = memo_exec(m, "BEGIN");

	*c = (struct coverage){ 0 };
	if (!ret)
		ret = memo_exec(m, states);
	if (!ret)
		ret = for_each_row(m, totals, 0, add_total, c);
	if (!ret)
		ret = for_each_row(m, functions, 0, add_function, c);
	if (!ret)
		ret = for_each_row(m, sessions, 0, add_session, c);
	if (!ret)
		ret = read_runs(m, c);
	return ret ? ret : memo_exec(m, "COMMIT");
}

void coverage_clear(struct coverage *c)
{
	while (c->n_functions) {
		struct coverage_function *f = &c->function[--c->n_functions];

		free(f->file);
		free(f->path);
		free(f->function);
	}
	free(c->function);
	while (c->n_sessions) {
		struct coverage_session *s = &c->session[--c->n_sessions];

		free(s->program);
		free(s->build_id);
		free(s->command);
		free(s->cwd);
		free(s->verdict);
		free(s->trace);
		free(s->point);
	}
	free(c->session);
	*c = (struct coverage){ 0 };
}
