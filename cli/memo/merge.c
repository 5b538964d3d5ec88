// SPDX-License-Identifier: GPL-2.0-only
/*
 * The union of two memos: rows have other numbers in each, so they are matched by what they are
 * about. Attempts are kept by search, and searches have names of their own, so merging the same
 * memo twice, or a copy of one's own, changes nothing. See memo.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "memo/internal.h"

/*
 * What both know of a search or an attempt differs if one is a copy from when it went on; then the
 * larger number is the later one. An iRoot was exposed first by the search that did so earlier.
 */
static const char union_of_both[] =
	"INSERT OR IGNORE INTO place(file, offset, op, path, function, line)"
	" SELECT file, offset, op, path, function, line FROM other.place ORDER BY id;"
	"INSERT INTO session(uuid, program, build_id, command, cwd, seed, started, seconds,"
	" verdict, trace) SELECT uuid, program, build_id, command, cwd, seed, started, seconds,"
	" verdict, trace FROM other.session WHERE true ORDER BY id ON CONFLICT DO UPDATE SET"
	" seconds = coalesce(seconds, excluded.seconds),"
	" verdict = coalesce(verdict, excluded.verdict), trace = coalesce(trace, excluded.trace);"
	"CREATE TEMP TABLE p AS SELECT o.id AS theirs, m.id AS ours FROM other.place o"
	" JOIN main.place m USING (file, offset, op);"
	"INSERT INTO p VALUES(0, 0);"
	"CREATE UNIQUE INDEX temp.p_theirs ON p(theirs);"
	"CREATE TEMP TABLE s AS SELECT o.id AS theirs, m.id AS ours FROM other.session o"
	" JOIN main.session m USING (uuid);"
	"CREATE UNIQUE INDEX temp.s_theirs ON s(theirs);"
	"CREATE TEMP TABLE r AS SELECT r.id AS theirs, r.idiom, a.ours AS a, b.ours AS b,"
	" c.ours AS c, d.ours AS d, y.ours AS predicted, x.ours AS exposed, r.exposed_run,"
	" r.exposed_at FROM other.iroot r JOIN p a ON a.theirs = r.a JOIN p b ON b.theirs = r.b"
	" JOIN p c ON c.theirs = r.c JOIN p d ON d.theirs = r.d"
	" LEFT JOIN s y ON y.theirs = r.predicted LEFT JOIN s x ON x.theirs = r.exposed;"
	"INSERT INTO iroot(idiom, a, b, c, d, predicted, exposed, exposed_run, exposed_at)"
	" SELECT idiom, a, b, c, d, predicted, exposed, exposed_run, exposed_at FROM r"
	" WHERE true ORDER BY theirs ON CONFLICT DO UPDATE SET"
	" predicted = coalesce(predicted, excluded.predicted),"
	" exposed = CASE WHEN earlier(exposed_at, excluded.exposed_at) THEN exposed"
	"  ELSE excluded.exposed END,"
	" exposed_run = CASE WHEN earlier(exposed_at, excluded.exposed_at) THEN exposed_run"
	"  ELSE excluded.exposed_run END,"
	" exposed_at = CASE WHEN earlier(exposed_at, excluded.exposed_at) THEN exposed_at"
	"  ELSE excluded.exposed_at END;"
	"INSERT INTO attempt SELECT m.id, s.ours, t.failed, t.succeeded FROM other.attempt t"
	" JOIN s ON s.theirs = t.session JOIN r ON r.theirs = t.iroot JOIN main.iroot m"
	" ON (m.idiom, m.a, m.b, m.c, m.d) = (r.idiom, r.a, r.b, r.c, r.d)"
	" WHERE true ON CONFLICT DO UPDATE SET failed = max(failed, excluded.failed),"
	" succeeded = max(succeeded, excluded.succeeded);"
	"INSERT OR IGNORE INTO run SELECT s.ours, number, idiom, known, exposed FROM other.run"
	" JOIN s ON s.theirs = session;"
	"DROP TABLE p; DROP TABLE s; DROP TABLE r;";

/* earlier(OURS, THEIRS): what was never comes last. */
static void is_earlier(sqlite3_context *c, int n, sqlite3_value **v)
{
	bool ours = sqlite3_value_type(v[0]) != SQLITE_NULL;
	bool theirs = sqlite3_value_type(v[1]) != SQLITE_NULL;

	(void)n;
	sqlite3_result_int(c, ours && (!theirs || sqlite3_value_double(v[0]) <=
						  sqlite3_value_double(v[1])));
}

static int unite(struct memo *m)
{
	int ret = memo_exec(m, "BEGIN IMMEDIATE");

	if (ret)
		return ret;
	ret = memo_exec(m, union_of_both);
	if (!ret)
		return memo_exec(m, "COMMIT");
	sqlite3_exec(m->db, "ROLLBACK", NULL, NULL, NULL);
	return ret;
}

int memo_merge(struct memo *m, const char *from)
{
	struct stat a, b;
	struct memo *other;
	sqlite3_stmt *s = NULL;
	int code = memo_open(&other, from, MEMO_READ), ret;

	if (code != CLI_PROCEED)
		return code;
	memo_close(other);
	if (!stat(m->path, &a) && !stat(from, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return cli_fail(CLI_USAGE, "'%s' is the memo itself; name another one to merge",
				from);
	ret = sqlite3_create_function(m->db, "earlier", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
				      NULL, is_earlier, NULL, NULL);
	if (!ret)
		ret = sqlite3_prepare_v2(m->db, "ATTACH ? AS other", -1, &s, NULL);
	if (!ret)
		ret = sqlite3_bind_text(s, 1, from, -1, SQLITE_STATIC);
	if (!ret)
		ret = sqlite3_step(s) != SQLITE_DONE;
	sqlite3_finalize(s);
	if (ret)
		return cli_fail(CLI_USAGE, "the memo '%s' cannot be read: %s", from,
				sqlite3_errmsg(m->db));
	ret = unite(m);
	sqlite3_exec(m->db, "DETACH other", NULL, NULL, NULL);
	return ret ? cli_fail(CLI_ENVIRONMENT, "'%s' was not merged: %s", from, memo_error(m)) :
	       CLI_PROCEED;
}
