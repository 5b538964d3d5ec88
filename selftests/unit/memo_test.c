// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves of the memo (cli/memo/) that what one search notes the next one recalls, that several
 * write at a time, that kill -9 at any moment damages nothing and loses no run that was noted, that
 * a file that cannot be used stays as it is, that merging is a union, and that the host's process
 * stands up to whatever a VM sends.
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "harness.h"
#include "../cli/cli.h"
#include "../cli/memo/inputs.h"
#include "../cli/memo/internal.h"

#define PLACES	12
#define KILLS	200

static char dir[] = "/tmp/memo_test-XXXXXX";

static char *file(const char *name)
{
	static char path[8][256];
	static unsigned int next;

	next = (next + 1) % 8;
	snprintf(path[next], sizeof(path[next]), "%s/%s", dir, name);
	return path[next];
}

static void make_dir(void)
{
	strcpy(dir, "/tmp/memo_test-XXXXXX");
	ASSERT_TRUE(mkdtemp(dir));
}

static void remove_dir(void)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	EXPECT_EQ(0, system(command));
}

static struct memo *open_memo(const char *path)
{
	struct memo *m = NULL;

	ASSERT_EQ(CLI_PROCEED, memo_open(&m, path, MEMO_WRITE));
	return m;
}

static void begin(struct memo *m, const char *command)
{
	ASSERT_EQ(0, memo_begin(m, &(struct memo_session){
		.program = "/bin/p", .build_id = "beef", .command = command, .cwd = "/" }));
}

static int64_t place(struct memo *m, unsigned int i)
{
	char function[16];

	snprintf(function, sizeof(function), "f%u", i);
	return memo_place_number(m, &(struct memo_place){
		.file = i % 2 ? "beef" : "cafe", .offset = 16 * (i / 2), .op = "lock",
		.path = "/bin/p", .function = function, .line = "" });
}

/* Number @i of those that there are: idiom 1 of two places. */
static struct memo_iroot root(struct memo *m, unsigned int i)
{
	return (struct memo_iroot){
		.idiom = 1, .predicted = true,
		.place = { place(m, i / PLACES), place(m, i % PLACES) },
	};
}

static void note(struct memo *m, uint64_t number, struct memo_iroot r, bool tried, bool exposed)
{
	struct memo_run run = { .number = number, .idiom = tried, .known = 1, .n = 1 };

	r.tried = tried;
	r.exposed = exposed;
	ASSERT_TRUE(memo_note(m, &run, 1, &r) >= 0);
}

/* By SQLite itself, not by what is tested. */
static int64_t ask(const char *path, const char *sql)
{
	sqlite3_stmt *s = NULL;
	int64_t n = -1;
	sqlite3 *db;

	sqlite3_open(path, &db);
	sqlite3_busy_timeout(db, 60000);
	if (!sqlite3_prepare_v2(db, sql, -1, &s, NULL) && sqlite3_step(s) == SQLITE_ROW)
		n = sqlite3_column_type(s, 0) == SQLITE_TEXT ?
		    !strcmp((const char *)sqlite3_column_text(s, 0), "ok") :
		    sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	sqlite3_close(db);
	return n;
}

/* What a memo says, as text that does not depend on numbers of rows; malloc'ed. */
static char *contents(const char *path)
{
	static const char sql[] =
		"WITH q AS (SELECT id, file || offset || op AS k FROM place UNION SELECT 0, '-')"
		" SELECT 'iroot ' || idiom || a.k || b.k || coalesce(p.command, '') ||"
		"  coalesce(x.uuid, '') || coalesce(exposed_run, '') || coalesce(exposed_at, '') AS t"
		" FROM iroot JOIN q a ON a.id = a JOIN q b ON b.id = b"
		" LEFT JOIN session p ON p.id = predicted AND 0 LEFT JOIN session x ON x.id = exposed"
		" UNION ALL SELECT 'attempt ' || idiom || a.k || b.k || uuid || failed || succeeded"
		" FROM attempt JOIN iroot i ON i.id = iroot JOIN q a ON a.id = i.a"
		" JOIN q b ON b.id = i.b JOIN session s ON s.id = session"
		" UNION ALL SELECT 'session ' || uuid || command || coalesce(verdict, '') FROM session"
		" UNION ALL SELECT 'run ' || uuid || number || idiom || known || exposed FROM run"
		" JOIN session s ON s.id = session UNION ALL SELECT 'place ' || k FROM q ORDER BY t";
	sqlite3_stmt *s = NULL;
	size_t length;
	char *text;
	FILE *to = open_memstream(&text, &length);
	sqlite3 *db;

	sqlite3_open(path, &db);
	ASSERT_EQ(SQLITE_OK, sqlite3_prepare_v2(db, sql, -1, &s, NULL));
	while (sqlite3_step(s) == SQLITE_ROW)
		fprintf(to, "%s\n", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	sqlite3_close(db);
	fclose(to);
	return text;
}

static void is_same(const char *a, const char *b)
{
	char *x = contents(a), *y = contents(b);

	EXPECT_EQ(0, strcmp(x, y));
	EXPECT_TRUE(strlen(x) > 100);
	free(x);
	free(y);
}

static bool is_there(const char *name)
{
	return !access(file(name), F_OK);
}

TEST(places_are_their_file_offset_and_operation)
{
	struct memo_place p = { .file = "beef", .offset = 1, .op = "lock", .path = "/a",
				.function = "f", .line = "" };
	struct memo *m;
	int64_t first;

	make_dir();
	m = open_memo(file("a"));
	first = memo_place_number(m, &p);
	ASSERT_LT(0, (int)first);
	p.path = "/other";
	p.function = "g";
	EXPECT_EQ(first, memo_place_number(m, &p));
	p.op = "unlock";
	EXPECT_TRUE(memo_place_number(m, &p) != first);
	p.op = "lock";
	p.offset = 2;
	EXPECT_TRUE(memo_place_number(m, &p) != first);
	p.offset = 1;
	p.file = "cafe";
	EXPECT_TRUE(memo_place_number(m, &p) != first);
	memo_close(m);
	/* A file of its own, and nothing beside it. */
	EXPECT_TRUE(is_there("a") && !is_there("a-wal") && !is_there("a-shm"));
	m = open_memo(file("a"));
	p.file = "beef";
	EXPECT_EQ(first, memo_place_number(m, &p));
	memo_close(m);
	remove_dir();
}

TEST(what_was_noted_is_recalled)
{
	struct memo_iroot r;
	struct memo *m;
	uint64_t i;

	make_dir();
	m = open_memo(file("a"));
	begin(m, "p 1");
	r = root(m, 5);
	ASSERT_EQ(0, memo_recall(m, &r, 1));
	EXPECT_TRUE(!r.before && !r.failed && !r.failed_here);
	for (i = 1; i <= 4; i++)
		note(m, i, r, true, false);
	memo_close(m);

	m = open_memo(file("a"));
	begin(m, "p 2");
	r = root(m, 5);
	ASSERT_EQ(0, memo_recall(m, &r, 1));
	EXPECT_TRUE(!r.before);
	EXPECT_EQ(4u, r.failed);
	EXPECT_EQ(0u, r.failed_here);
	note(m, 1, r, true, false);
	ASSERT_EQ(0, memo_recall(m, &r, 1));
	EXPECT_EQ(5u, r.failed);
	EXPECT_EQ(1u, r.failed_here);
	/* Another one is none of it. */
	r = root(m, 6);
	ASSERT_EQ(0, memo_recall(m, &r, 1));
	EXPECT_EQ(0u, r.failed);
	r = root(m, 5);
	note(m, 2, r, true, true);
	memo_close(m);

	m = open_memo(file("a"));
	begin(m, "p 1");
	r = root(m, 5);
	ASSERT_EQ(0, memo_recall(m, &r, 1));
	EXPECT_TRUE(r.before);
	EXPECT_EQ(4u, r.failed_here);
	/* Who exposed it first stays so. */
	note(m, 1, r, false, true);
	memo_close(m);
	EXPECT_EQ(2, (int)ask(file("a"), "SELECT exposed_run FROM iroot WHERE exposed = 2"));
	remove_dir();
}

static void write_many(const char *path, unsigned int writer, unsigned int runs)
{
	struct memo *m = open_memo(path);
	unsigned int i;

	begin(m, "p");
	for (i = 0; i < runs; i++)
		note(m, i + 1, root(m, (i * 7 + writer) % (PLACES * PLACES)), true,
		     i % 3 == writer);
	memo_close(m);
	exit(0);
}

TEST(several_write_at_a_time)
{
	const unsigned int writers = 4, runs = 150;
	unsigned int i;
	int status, bad = 0;

	make_dir();
	/* None of them has made it before the others. */
	for (i = 0; i < writers; i++)
		if (!fork())
			write_many(file("a"), i, runs);
	for (i = 0; i < writers; i++)
		bad += wait(&status) < 0 || status;
	EXPECT_EQ(0, bad);
	EXPECT_EQ(1, (int)ask(file("a"), "PRAGMA integrity_check"));
	EXPECT_EQ((int)writers, (int)ask(file("a"), "SELECT count(*) FROM session"));
	EXPECT_EQ((int)(writers * runs), (int)ask(file("a"), "SELECT count(*) FROM run"));
	EXPECT_EQ((int)(writers * runs),
		  (int)ask(file("a"), "SELECT sum(failed + succeeded) FROM attempt"));
	EXPECT_EQ(0, (int)ask(file("a"), "SELECT count(*) - count(DISTINCT idiom || ' ' || a || ' ' || b) FROM iroot"));
	EXPECT_TRUE(ask(file("a"), "SELECT count(*) FROM iroot") > 50);
	remove_dir();
}

/* Notes runs until it is killed; @noted counts those that it knows are in the file. */
static void write_for_ever(const char *path, volatile uint64_t *noted)
{
	struct memo *m = open_memo(path);
	struct memo_iroot r[8];
	struct memo_run run = { .known = 8, .n = 8 };
	unsigned int i;

	begin(m, "p");
	for (;;) {
		run.number++;
		for (i = 0; i < 8; i++) {
			r[i] = root(m, (run.number * 8 + i + getpid()) % (PLACES * PLACES));
			r[i].exposed = (run.number + i) % 3 == 0;
			r[i].tried = true;
		}
		if (memo_note(m, &run, 1, r) < 0)
			exit(1);
		++*noted;
	}
}

TEST(kill_at_any_moment_damages_nothing)
{
	volatile uint64_t *noted = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int64_t runs, exposed, roots, had[3] = { 0 };
	unsigned int seed = getpid(), i, tries;
	uint64_t more;
	struct memo *m;
	int status;
	pid_t pid;

	make_dir();
	printf("# seed %u\n", seed);
	for (i = 0; i < KILLS; i++) {
		pid = fork();
		if (!pid)
			write_for_ever(file("a"), noted);
		/* While it opens the file, or some runs later, however long these take. */
		more = *noted + rand_r(&seed) % 5;
		for (tries = 0; i % 4 && *noted < more && tries < 100000; tries++)
			usleep(100);
		usleep(rand_r(&seed) % 4000);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
		if (!is_there("a"))
			continue;
		/* The first to open it puts in order what was left, as the next search does. */
		if (i % 2) {
			ASSERT_EQ(CLI_PROCEED, memo_open(&m, file("a"), MEMO_READ));
			memo_close(m);
		}
		ASSERT_EQ(1, (int)ask(file("a"), "PRAGMA integrity_check"));
		runs = ask(file("a"), "SELECT count(*) FROM run");
		exposed = ask(file("a"), "SELECT count(exposed) FROM iroot");
		roots = ask(file("a"), "SELECT count(*) FROM iroot");
		/* Each that was noted, and at most the one that was not acknowledged besides. */
		ASSERT_TRUE(runs >= (int64_t)*noted && runs <= (int64_t)*noted + i + 1);
		ASSERT_TRUE(runs >= had[0] && exposed >= had[1] && roots >= had[2]);
		/* And whole: each run has tried eight. */
		ASSERT_EQ(8 * runs, ask(file("a"), "SELECT sum(failed + succeeded) FROM attempt"));
		had[0] = runs;
		had[1] = exposed;
		had[2] = roots;
	}
	printf("# %lld runs, %lld iRoots, %lld exposed\n", (long long)had[0], (long long)had[2],
	       (long long)had[1]);
	EXPECT_TRUE(had[0] > KILLS / 2);
	remove_dir();
}

static void fill(const char *path, unsigned int from, unsigned int n, const char *command)
{
	struct memo *m = open_memo(path);
	unsigned int i;

	begin(m, command);
	for (i = from; i < from + n; i++)
		note(m, i - from + 1, root(m, i), true, i % 2);
	EXPECT_EQ(0, memo_end(m, "incomplete", NULL, 1));
	memo_close(m);
}

static char *bytes_of(const char *path, size_t *n)
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	char *data;

	ASSERT_EQ(0, fstat(fd, &st));
	data = calloc(st.st_size + 1, 1);
	ASSERT_EQ(st.st_size, read(fd, data, st.st_size));
	close(fd);
	*n = st.st_size;
	return data;
}

static void put_bytes(const char *path, const char *data, size_t n)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	ASSERT_EQ((ssize_t)n, write(fd, data, n));
	close(fd);
}

/* One sentence that has @word, and the file is as it was. */
static void is_refused(const char *data, size_t n, const char *word)
{
	enum memo_open how;
	char said[600], *after;
	size_t length;
	struct memo *m;
	int old, to, k;

	for (how = MEMO_READ; how <= MEMO_WRITE; how++) {
		put_bytes(file("x"), data, n);
		to = memfd_create("stderr", 0);
		old = dup(STDERR_FILENO);
		dup2(to, STDERR_FILENO);
		m = NULL;
		k = memo_open(&m, file("x"), how);
		dup2(old, STDERR_FILENO);
		EXPECT_EQ(CLI_USAGE, k);
		EXPECT_TRUE(!m);
		k = pread(to, said, sizeof(said) - 1, 0);
		said[k > 0 ? k : 0] = 0;
		EXPECT_TRUE(strstr(said, word));
		EXPECT_TRUE(strchr(said, '\n') && !strchr(said, '\n')[1]);
		after = bytes_of(file("x"), &length);
		EXPECT_EQ(n, length);
		EXPECT_EQ(0, memcmp(after, data, n));
		EXPECT_TRUE(!is_there("x-wal") && !is_there("x-journal"));
		free(after);
		close(to);
		close(old);
	}
}

TEST(a_file_that_cannot_be_used_stays_as_it_is)
{
	char *data, *copy;
	sqlite3 *db;
	size_t n;

	make_dir();
	fill(file("a"), 0, PLACES * PLACES, "p");
	data = bytes_of(file("a"), &n);
	copy = calloc(n, 1);
	EXPECT_TRUE(n > 8 * 4096);

	is_refused("", 0, "is not a memo");
	is_refused("hello\n", 6, "is not a memo");
	is_refused(data, 60, "is not a memo");
	is_refused(data, n / 2, "is damaged");
	is_refused(data, n - 4096, "is damaged");
	is_refused(data, 4096 + 17, "is damaged");
	memcpy(copy, data, n);
	memset(copy + 4096, 0xff, n - 4096);
	is_refused(copy, n, "is damaged");
	/* The version is that of the file's head. */
	memcpy(copy, data, n);
	copy[63] = MEMO_VERSION + 1;
	is_refused(copy, n, "has version 2");
	/* The database of somebody else. */
	sqlite3_open(file("other"), &db);
	sqlite3_exec(db, "CREATE TABLE place(id)", NULL, NULL, NULL);
	sqlite3_close(db);
	free(copy);
	copy = bytes_of(file("other"), &n);
	is_refused(copy, n, "is not a memo");
	free(copy);
	free(data);
	remove_dir();
}

static void merge(const char *to, const char *from)
{
	struct memo *m = open_memo(to);

	EXPECT_EQ(CLI_PROCEED, memo_merge(m, from));
	memo_close(m);
}

static void copy_file(const char *to, const char *from)
{
	size_t n;
	char *data = bytes_of(from, &n);

	put_bytes(to, data, n);
	free(data);
}

TEST(merging_is_a_union)
{
	make_dir();
	/* They have places and iRoots in another order, and some in common. */
	fill(file("a"), 0, 60, "p 1");
	fill(file("b"), 40, 70, "p 2");
	fill(file("b"), 0, 10, "p 3");
	copy_file(file("ab"), file("a"));
	copy_file(file("ba"), file("b"));
	merge(file("ab"), file("b"));
	merge(file("ba"), file("a"));
	is_same(file("ab"), file("ba"));
	EXPECT_EQ(110, (int)ask(file("ab"), "SELECT count(*) FROM iroot"));
	EXPECT_EQ(55, (int)ask(file("ab"), "SELECT count(exposed) FROM iroot"));
	EXPECT_EQ(140, (int)ask(file("ab"), "SELECT sum(failed + succeeded) FROM attempt"));
	EXPECT_EQ(3, (int)ask(file("ab"), "SELECT count(*) FROM session"));
	EXPECT_EQ(140, (int)ask(file("ab"), "SELECT count(*) FROM run"));
	/* Those of a were first, also where it came second. */
	EXPECT_EQ(30, (int)ask(file("ba"), "SELECT count(*) FROM iroot JOIN session s ON s.id = exposed WHERE command = 'p 1'"));
	/* Again, and with a copy of what is there. */
	copy_file(file("c"), file("ab"));
	merge(file("ab"), file("b"));
	merge(file("ab"), file("c"));
	is_same(file("ab"), file("c"));
	/* A copy that went on is the later one. */
	fill(file("c"), 0, 3, "p 4");
	merge(file("ab"), file("c"));
	is_same(file("ab"), file("c"));
	remove_dir();
}

TEST(what_is_no_memo_is_not_merged)
{
	struct memo *m;
	char *before, *after;

	make_dir();
	fill(file("a"), 0, 5, "p");
	before = contents(file("a"));
	put_bytes(file("x"), "x", 1);
	m = open_memo(file("a"));
	EXPECT_EQ(CLI_USAGE, memo_merge(m, file("x")));
	EXPECT_EQ(CLI_USAGE, memo_merge(m, file("none")));
	EXPECT_EQ(CLI_USAGE, memo_merge(m, file("a")));
	memo_close(m);
	after = contents(file("a"));
	EXPECT_EQ(0, strcmp(before, after));
	EXPECT_TRUE(!is_there("none"));
	free(before);
	free(after);
	remove_dir();
}

TEST(a_vm_has_the_memo_of_its_host)
{
	struct memo_iroot r;
	struct memo *m;
	int fd;

	make_dir();
	fill(file("a"), 0, 20, "p 1");
	fd = memo_serve(file("a"));
	ASSERT_LT(0, fd);
	m = memo_of_stream(fd);
	begin(m, "p 2");
	r = root(m, 6);
	ASSERT_EQ(0, memo_recall(m, &r, 1));
	EXPECT_TRUE(!r.before);
	EXPECT_EQ(1u, r.failed);
	r = root(m, 7);
	ASSERT_EQ(0, memo_recall(m, &r, 1));
	EXPECT_TRUE(r.before);
	note(m, 1, root(m, 100), true, true);
	/* At once: the other side need not end first. */
	EXPECT_EQ(1, (int)ask(file("a"), "SELECT count(*) FROM run WHERE session = 2"));
	EXPECT_EQ(11, (int)ask(file("a"), "SELECT count(exposed) FROM iroot"));
	EXPECT_EQ(0, memo_end(m, "assert", "/t", 2));
	memo_close(m);
	memo_serve_end();
	EXPECT_EQ(1, (int)ask(file("a"), "SELECT count(*) FROM session WHERE verdict = 'assert' AND trace = '/t'"));
	EXPECT_TRUE(!is_there("a-wal"));
	remove_dir();
}

/* Messages of any kind, with any bytes: it may end, and the file is well. */
TEST(the_host_takes_nothing_from_a_vm_on_trust)
{
	unsigned int seed = getpid(), i, k, n;
	struct memo_head head;
	char data[300], *got;
	int fd;

	make_dir();
	fill(file("a"), 0, 20, "p");
	printf("# seed %u\n", seed);
	for (i = 0; i < 300; i++) {
		fd = memo_serve(file("a"));
		ASSERT_LT(0, fd);
		for (k = 0; k < 20; k++) {
			n = rand_r(&seed) % sizeof(data);
			head.type = rand_r(&seed) % 8;
			head.length = i % 3 ? n : (unsigned int)rand_r(&seed);
			memset(data, 0, sizeof(data));
			while (n--)
				if (rand_r(&seed) % 2)
					data[n] = rand_r(&seed) % (i % 2 ? 256 : 3);
			n = head.length < sizeof(data) ? head.length : sizeof(data);
			if (send(fd, &head, sizeof(head), MSG_NOSIGNAL) < 0 ||
			    send(fd, data, n, MSG_NOSIGNAL) < 0 || n < head.length)
				break;
			if (memo_receive(fd, &head, &got))
				break;
			free(got);
		}
		close(fd);
		memo_serve_end();
	}
	EXPECT_EQ(1, (int)ask(file("a"), "PRAGMA integrity_check"));
	EXPECT_EQ(20, (int)ask(file("a"), "SELECT count(*) FROM run WHERE session = 1"));
	remove_dir();
}

/* What a shell makes of a line, a word a line of the answer; NULL: it is no command for it. */
static char *ask_shell(const char *line)
{
	static const char script[] = "set -f; eval \"set -- $1\" 2>/dev/null || exit 9; printf '<%s>\\n' \"$@\"";
	static char answer[1000];
	int fd[2], status, n;
	pid_t pid;

	ASSERT_EQ(0, pipe(fd));
	pid = fork();
	if (!pid) {
		dup2(fd[1], STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		execl("/bin/sh", "sh", "-c", script, "sh", line, NULL);
		_exit(9);
	}
	close(fd[1]);
	for (n = 0; n < (int)sizeof(answer) - 1; n += status) {
		status = read(fd[0], answer + n, sizeof(answer) - 1 - n);
		if (status <= 0)
			break;
	}
	answer[n] = 0;
	close(fd[0]);
	waitpid(pid, &status, 0);
	return status ? NULL : answer;
}

TEST(lines_are_split_as_a_shell_does)
{
	static const char letters[] = "ab \t'\"\\=-";
	unsigned int seed = getpid(), i, n, length;
	char line[24], mine[1000], *shell, **words, **w;
	int checked = 0;

	printf("# seed %u\n", seed);
	for (i = 0; i < 1500; i++) {
		length = rand_r(&seed) % (sizeof(line) - 1);
		for (n = 0; n < length; n++)
			line[n] = letters[rand_r(&seed) % (sizeof(letters) - 1)];
		line[n] = 0;
		/* At the end of a line a shell reads on. */
		if (n && line[n - 1] == '\\')
			continue;
		words = inputs_split(line);
		shell = ask_shell(line);
		EXPECT_EQ(!shell, !words);
		if (!shell || !words)
			continue;
		mine[0] = 0;
		for (w = words; *w; w++)
			sprintf(mine + strlen(mine), "<%s>\n", *w);
		if (!*words)
			strcpy(mine, "<>\n");	/* so does printf of nothing */
		if (strcmp(mine, shell))
			printf("# line [%s]\n", line);
		EXPECT_EQ(0, strcmp(mine, shell));
		checked++;
		for (w = words; *w; w++)
			free(*w);
		free(words);
	}
	EXPECT_TRUE(checked > 300);
	words = inputs_split("a\\");
	EXPECT_TRUE(!words);
}

TEST_HARNESS_MAIN
