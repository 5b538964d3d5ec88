// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memo as an SQLite database: its tables, and each step of a search as one transaction, so that
 * several searches may use it at a time and none leaves half of a run behind. See memo.h.
 *
 * It is in WAL mode: one writes while others read, and a commit waits for no disk. The file is
 * complete when it gets its name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "memo/internal.h"

/* A commit of another search takes milliseconds; a merge may take longer. */
#define BUSY_MS		60000
#define TEXT(macro)	TEXT_OF(macro)
#define TEXT_OF(macro)	#macro

/*
 * place: what struct memo_place has. iroot: a to d are places, or 0; predicted and exposed are the
 * searches that did so first. attempt: runs that were to expose an iRoot, by search, so that
 * merging is a union. run: idiom 0 is a profile.
 */
static const char tables[] =
	"CREATE TABLE place(id INTEGER PRIMARY KEY, file TEXT NOT NULL, offset INTEGER NOT NULL,"
	" op TEXT NOT NULL, path TEXT NOT NULL, function TEXT NOT NULL, line TEXT NOT NULL,"
	" UNIQUE(file, offset, op));"
	"CREATE TABLE session(id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE,"
	" program TEXT NOT NULL, build_id TEXT NOT NULL, command TEXT NOT NULL, cwd TEXT NOT NULL,"
	" seed INTEGER NOT NULL, started REAL NOT NULL, seconds REAL, verdict TEXT, trace TEXT);"
	"CREATE INDEX session_input ON session(build_id, command, cwd);"
	"CREATE TABLE iroot(id INTEGER PRIMARY KEY, idiom INTEGER NOT NULL, a INTEGER NOT NULL,"
	" b INTEGER NOT NULL, c INTEGER NOT NULL, d INTEGER NOT NULL, predicted INTEGER,"
	" exposed INTEGER, exposed_run INTEGER, exposed_at REAL, UNIQUE(idiom, a, b, c, d));"
	"CREATE TABLE attempt(iroot INTEGER NOT NULL, session INTEGER NOT NULL,"
	" failed INTEGER NOT NULL, succeeded INTEGER NOT NULL, PRIMARY KEY(iroot, session))"
	" WITHOUT ROWID;"
	"CREATE TABLE run(session INTEGER NOT NULL, number INTEGER NOT NULL, idiom INTEGER NOT NULL,"
	" known INTEGER NOT NULL, exposed INTEGER NOT NULL, PRIMARY KEY(session, number))"
	" WITHOUT ROWID;"
	"PRAGMA application_id = " TEXT(MEMO_APPLICATION) ";"
	"PRAGMA user_version = " TEXT(MEMO_VERSION) ";";

static const char *const statements[MEMO_STATEMENTS] = {
	[MEMO_SELECT_PLACE] = "SELECT id FROM place WHERE file = ?1 AND offset = ?2 AND op = ?3",
	[MEMO_INSERT_PLACE] = "INSERT INTO place(file, offset, op, path, function, line)"
		" VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
		" ON CONFLICT DO UPDATE SET path = ?4 RETURNING id",
	[MEMO_SELECT_IROOT] = "SELECT id, exposed IS NOT NULL FROM iroot"
		" WHERE idiom = ?1 AND a = ?2 AND b = ?3 AND c = ?4 AND d = ?5",
	[MEMO_FAILED] = "SELECT total(failed), total(failed) FILTER (WHERE"
		" (s.build_id, s.command, s.cwd) = (o.build_id, o.command, o.cwd))"
		" FROM attempt JOIN session s ON s.id = attempt.session"
		" JOIN session o ON o.id = ?2 WHERE iroot = ?1",
	[MEMO_INSERT_IROOT] = "INSERT INTO iroot(idiom, a, b, c, d, predicted)"
		" VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
		" ON CONFLICT DO UPDATE SET predicted = coalesce(predicted, ?6) RETURNING id",
	[MEMO_EXPOSE] = "UPDATE iroot SET exposed = ?2, exposed_run = ?3, exposed_at = ?4"
		" WHERE id = ?1 AND exposed IS NULL",
	[MEMO_ATTEMPT] = "INSERT INTO attempt VALUES(?1, ?2, ?3, ?4)"
		" ON CONFLICT DO UPDATE SET failed = failed + ?3, succeeded = succeeded + ?4",
	[MEMO_RUN] = "INSERT INTO run VALUES(?1, ?2, ?3, ?4, ?5)",
};

int memo_failed(struct memo *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->error, sizeof(m->error), fmt, ap);
	va_end(ap);
	return -1;
}

const char *memo_error(const struct memo *m)
{
	return m->error;
}

static int sql_failed(struct memo *m)
{
	return memo_failed(m, "the memo '%s' cannot be used: %s", m->path, sqlite3_errmsg(m->db));
}

int memo_exec(struct memo *m, const char *sql)
{
	return sqlite3_exec(m->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sql_failed(m);
}

/* Ready for values; NULL with memo_error(). */
static sqlite3_stmt *prepare(struct memo *m, enum memo_statement which)
{
	sqlite3_stmt **s = &m->statement[which];

	if (!*s && sqlite3_prepare_v3(m->db, statements[which], -1, SQLITE_PREPARE_PERSISTENT, s,
				      NULL) != SQLITE_OK) {
		sql_failed(m);
		return NULL;
	}
	sqlite3_reset(*s);
	return *s;
}

/* 1: there is a row; 0: none; -1 */
static int step(struct memo *m, sqlite3_stmt *s)
{
	int ret = sqlite3_step(s);

	if (ret == SQLITE_ROW)
		return 1;
	if (ret == SQLITE_DONE) {
		sqlite3_reset(s);
		return 0;
	}
	sql_failed(m);
	sqlite3_reset(s);
	return -1;
}

/* The number in the one row of it; 0: there is no row; -1 */
static int64_t number_of(struct memo *m, sqlite3_stmt *s)
{
	int64_t n;
	int ret = step(m, s);

	if (ret <= 0)
		return ret;
	n = sqlite3_column_int64(s, 0);
	/* To its end, as it may be an INSERT. */
	do
		ret = step(m, s);
	while (ret > 0);
	return ret ? ret : n;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int begin(struct memo *m, const struct memo_session *s)
{
	sqlite3_stmt *insert;
	unsigned char random[16];
	char uuid[33];
	size_t i;
	int ret;

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return memo_failed(m, "there are no random numbers: %s", strerror(errno));
	for (i = 0; i < sizeof(random); i++)
		snprintf(uuid + 2 * i, 3, "%02x", random[i]);
	if (sqlite3_prepare_v2(m->db, "INSERT INTO session(uuid, program, build_id, command, cwd,"
			       " seed, started) VALUES(?, ?, ?, ?, ?, ?, ?)", -1, &insert,
			       NULL) != SQLITE_OK)
		return sql_failed(m);
	sqlite3_bind_text(insert, 1, uuid, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 2, s->program, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 3, s->build_id, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 4, s->command, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 5, s->cwd, -1, SQLITE_STATIC);
	sqlite3_bind_int64(insert, 6, s->seed);
	sqlite3_bind_double(insert, 7, now());
	ret = step(m, insert);
	m->session = sqlite3_last_insert_rowid(m->db);
	sqlite3_finalize(insert);
	return ret;
}

static int64_t place(struct memo *m, const struct memo_place *p)
{
	enum memo_statement which[] = { MEMO_SELECT_PLACE, MEMO_INSERT_PLACE };
	int64_t id = 0;
	size_t i;

	/* Most are there already, and to find them takes no lock. */
	for (i = 0; i < 2 && !id; i++) {
		sqlite3_stmt *s = prepare(m, which[i]);

		if (!s)
			return -1;
		sqlite3_bind_text(s, 1, p->file, -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 2, p->offset);
		sqlite3_bind_text(s, 3, p->op, -1, SQLITE_STATIC);
		if (which[i] == MEMO_INSERT_PLACE) {
			sqlite3_bind_text(s, 4, p->path, -1, SQLITE_STATIC);
			sqlite3_bind_text(s, 5, p->function, -1, SQLITE_STATIC);
			sqlite3_bind_text(s, 6, p->line, -1, SQLITE_STATIC);
		}
		id = number_of(m, s);
	}
	return id;
}

static sqlite3_stmt *prepare_iroot(struct memo *m, enum memo_statement which,
				   const struct memo_iroot *root)
{
	sqlite3_stmt *s = prepare(m, which);
	int i;

	if (!s)
		return NULL;
	sqlite3_bind_int(s, 1, root->idiom);
	for (i = 0; i < CHESS_MEMO_PLACES; i++)
		sqlite3_bind_int64(s, 2 + i, root->place[i]);
	return s;
}

static int recall_one(struct memo *m, struct memo_iroot *root)
{
	sqlite3_stmt *s = prepare_iroot(m, MEMO_SELECT_IROOT, root);
	int ret = s ? step(m, s) : -1;
	int64_t id;

	if (ret <= 0)
		return ret;
	id = sqlite3_column_int64(s, 0);
	root->before = sqlite3_column_int(s, 1);
	sqlite3_reset(s);
	s = prepare(m, MEMO_FAILED);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_int64(s, 2, m->session);
	ret = step(m, s);
	if (ret <= 0)
		return ret;
	root->failed = sqlite3_column_int64(s, 0);
	root->failed_here = sqlite3_column_int64(s, 1);
	sqlite3_reset(s);
	return 0;
}

static int recall(struct memo *m, struct memo_iroot *root, size_t n)
{
	size_t i;
	int ret = memo_exec(m, "BEGIN");

	for (i = 0; i < n && !ret; i++)
		ret = recall_one(m, &root[i]);
	if (!ret)
		return memo_exec(m, "COMMIT");
	sqlite3_exec(m->db, "ROLLBACK", NULL, NULL, NULL);
	return ret;
}

static int note_attempt(struct memo *m, int64_t id, bool succeeded)
{
	sqlite3_stmt *s = prepare(m, MEMO_ATTEMPT);

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_int64(s, 2, m->session);
	sqlite3_bind_int(s, 3, !succeeded);
	sqlite3_bind_int(s, 4, succeeded);
	return step(m, s);
}

/* 1: nobody had exposed it; 0; -1 */
static int note_exposed(struct memo *m, int64_t id, uint64_t run)
{
	sqlite3_stmt *s = prepare(m, MEMO_EXPOSE);

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_int64(s, 2, m->session);
	sqlite3_bind_int64(s, 3, run);
	sqlite3_bind_double(s, 4, now());
	return step(m, s) ? -1 : sqlite3_changes(m->db);
}

static int note_iroot(struct memo *m, const struct memo_iroot *root, uint64_t run)
{
	sqlite3_stmt *s = prepare_iroot(m, MEMO_INSERT_IROOT, root);
	int64_t id;

	if (!s)
		return -1;
	if (root->predicted)
		sqlite3_bind_int64(s, 6, m->session);
	else
		sqlite3_bind_null(s, 6);
	id = number_of(m, s);
	if (id <= 0 || (root->tried && note_attempt(m, id, root->exposed)))
		return -1;
	return root->exposed ? note_exposed(m, id, run) : 0;
}

static int note_run(struct memo *m, const struct memo_run *run)
{
	sqlite3_stmt *s = prepare(m, MEMO_RUN);

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, m->session);
	sqlite3_bind_int64(s, 2, run->number);
	sqlite3_bind_int(s, 3, run->idiom);
	sqlite3_bind_int64(s, 4, run->known);
	sqlite3_bind_int64(s, 5, run->exposed);
	return step(m, s);
}

static int64_t note(struct memo *m, const struct memo_run *run, size_t n,
		    const struct memo_iroot *root)
{
	int64_t fresh = 0;
	size_t i, k;
	int ret;

	if (!m->session)
		return memo_failed(m, "a run cannot be kept before a search has begun");
	/* IMMEDIATE: a reader that then wants to write cannot wait for another writer. */
	ret = memo_exec(m, "BEGIN IMMEDIATE");
	if (ret)
		return -1;
	for (k = 0; k < n && ret >= 0; k++) {
		for (i = 0; i < run[k].n && ret >= 0; i++) {
			ret = note_iroot(m, root++, run[k].number);
			fresh += ret > 0;
		}
		if (ret >= 0)
			ret = note_run(m, &run[k]);
	}
	if (!ret)
		ret = memo_exec(m, "COMMIT");
	if (ret)
		sqlite3_exec(m->db, "ROLLBACK", NULL, NULL, NULL);
	return ret ? -1 : fresh;
}

static int end(struct memo *m, const char *verdict, const char *trace, double seconds)
{
	sqlite3_stmt *s;
	int ret;

	if (sqlite3_prepare_v2(m->db, "UPDATE session SET verdict = ?, trace = ?, seconds = ?"
			       " WHERE id = ?", -1, &s, NULL) != SQLITE_OK)
		return sql_failed(m);
	sqlite3_bind_text(s, 1, verdict, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, trace, -1, SQLITE_STATIC);
	sqlite3_bind_double(s, 3, seconds);
	sqlite3_bind_int64(s, 4, m->session);
	ret = step(m, s);
	sqlite3_finalize(s);
	return ret;
}

static void close_store(struct memo *m)
{
	size_t i;

	for (i = 0; i < MEMO_STATEMENTS; i++)
		sqlite3_finalize(m->statement[i]);
	sqlite3_close(m->db);
}

static const struct memo_ops ops = {
	.begin = begin, .place = place, .recall = recall, .note = note, .end = end,
	.close = close_store,
};

/* ---- opening ---- */

static uint32_t word_at(const unsigned char *head, size_t at)
{
	return (uint32_t)head[at] << 24 | head[at + 1] << 16 | head[at + 2] << 8 | head[at + 3];
}

/*
 * By its first bytes, before SQLite has it: it would make a file that is empty into a database, and
 * the tables of another program are no business of ours.
 */
static int check_head(const char *path)
{
	static const char magic[16] = "SQLite format 3";
	unsigned char head[100];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);
	int err = errno;

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return cli_fail(CLI_USAGE, "the memo '%s' cannot be read: %s", path, strerror(err));
	if (n < (ssize_t)sizeof(head) || memcmp(head, magic, sizeof(magic)) ||
	    word_at(head, 68) != MEMO_APPLICATION)
		return cli_fail(CLI_USAGE,
				"'%s' is not a memo of chessctl; name another file, or one that does not exist yet",
				path);
	if (word_at(head, 60) > MEMO_VERSION)
		return cli_fail(CLI_USAGE,
				"the memo '%s' has version %u of the format, and this chessctl knows version %u; use the newer chessctl that made it",
				path, word_at(head, 60), MEMO_VERSION);
	return CLI_PROCEED;
}

static int fail_to_open(struct memo *m, const char *what)
{
	return cli_fail(CLI_USAGE, "the memo '%s' cannot be %s: %s", m->path, what,
			m->db ? sqlite3_errmsg(m->db) : "no memory");
}

/* A new one, under another name until it is complete. */
static int make(struct memo *m)
{
	char *path = cli_printf("%s.new-%d", m->path, getpid());
	int code = CLI_PROCEED;

	if (sqlite3_open_v2(path, &m->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ||
	    sqlite3_exec(m->db, "BEGIN", NULL, NULL, NULL) ||
	    sqlite3_exec(m->db, tables, NULL, NULL, NULL) ||
	    sqlite3_exec(m->db, "COMMIT; PRAGMA journal_mode = WAL", NULL, NULL, NULL))
		code = fail_to_open(m, "made");
	sqlite3_close(m->db);
	m->db = NULL;
	/* Another search may have made one meanwhile, which is as good. */
	if (code == CLI_PROCEED && link(path, m->path) && errno != EEXIST)
		code = cli_fail(CLI_USAGE, "the memo '%s' cannot be made: %s", m->path,
				strerror(errno));
	unlink(path);
	free(path);
	return code;
}

static int is_well(struct memo *m)
{
	sqlite3_stmt *s = NULL;
	const char *said = NULL;
	char *why;
	int code = CLI_PROCEED;

	if (sqlite3_prepare_v2(m->db, "PRAGMA quick_check(1)", -1, &s, NULL) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW)
		said = (const char *)sqlite3_column_text(s, 0);
	if (!said || strcmp(said, "ok")) {
		why = cli_printf("%s", said ? said : sqlite3_errmsg(m->db));
		why[strcspn(why, "\n")] = 0;
		code = cli_fail(CLI_USAGE,
				"the memo '%s' is damaged (%s); use a copy of it, or a file that does not exist yet",
				m->path, why);
		free(why);
	}
	sqlite3_finalize(s);
	return code;
}

/* "file:" with what would mean something else escaped. */
static char *uri_of(const char *path, const char *parameters)
{
	char *uri = cli_alloc(3 * strlen(path) + strlen(parameters) + 8, 1), *to;

	to = stpcpy(uri, "file:");
	for (; *path; path++)
		if (strchr("%?#", *path))
			to += sprintf(to, "%%%02x", *path);
		else
			*to++ = *path;
	strcpy(to, parameters);
	return uri;
}

/*
 * To read it may be enough: what is in a folder that cannot be written to is read as it is, as
 * nobody writes there. Elsewhere a reader writes as well, beside the file, and tidies up after it.
 */
static int open_file(struct memo *m, enum memo_open how)
{
	int ret = sqlite3_open_v2(m->path, &m->db, SQLITE_OPEN_READWRITE, NULL);
	char *uri;

	if (how == MEMO_WRITE || ret)
		return ret;
	ret = sqlite3_exec(m->db, "SELECT count(*) FROM session", NULL, NULL, NULL);
	if (ret != SQLITE_CANTOPEN && ret != SQLITE_READONLY)
		return SQLITE_OK;	/* what else may be wrong is_well() says */
	sqlite3_close(m->db);
	uri = uri_of(m->path, "?immutable=1");
	ret = sqlite3_open_v2(uri, &m->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	free(uri);
	return ret;
}

int memo_open(struct memo **out, const char *path, enum memo_open how)
{
	struct memo *m = cli_alloc(1, sizeof(*m));
	int code = CLI_PROCEED;

	*out = m;
	m->ops = &ops;
	m->fd = -1;
	m->path = cli_printf("%s", path);
	if (access(path, F_OK)) {
		if (how == MEMO_READ)
			code = cli_fail(CLI_USAGE,
					"there is no memo '%s'; chessctl explore --strategy maple --memo %s makes one",
					path, path);
		else
			code = make(m);
	}
	if (code == CLI_PROCEED)
		code = check_head(path);
	if (code == CLI_PROCEED && open_file(m, how))
		code = fail_to_open(m, "opened");
	if (code == CLI_PROCEED) {
		sqlite3_busy_timeout(m->db, BUSY_MS);
		sqlite3_extended_result_codes(m->db, 1);
		sqlite3_exec(m->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
		code = is_well(m);
	}
	if (code == CLI_PROCEED)
		return code;
	memo_close(m);
	*out = NULL;
	return code;
}

void memo_close(struct memo *m)
{
	if (!m)
		return;
	m->ops->close(m);
	free(m->path);
	free(m);
}

int memo_begin(struct memo *m, const struct memo_session *s)
{
	return m->ops->begin(m, s);
}

int64_t memo_place_number(struct memo *m, const struct memo_place *p)
{
	return m->ops->place(m, p);
}

int memo_recall(struct memo *m, struct memo_iroot *root, size_t n)
{
	return m->ops->recall(m, root, n);
}

int64_t memo_note(struct memo *m, const struct memo_run *run, size_t n,
		  const struct memo_iroot *root)
{
	return m->ops->note(m, run, n, root);
}

int memo_end(struct memo *m, const char *verdict, const char *trace, double seconds)
{
	return m->ops->end(m, verdict, trace, seconds);
}
