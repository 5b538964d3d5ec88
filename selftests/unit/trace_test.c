// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a trace comes back from disk as it was, bit for bit; that every
 * truncation and every changed byte of it is refused with a sentence; and that
 * a trace is on disk complete or not at all.
 */
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "harness.h"
#include "trace/trace.h"
#include "trace_file.h"

static char *argv_full[] = { "./prog", "", "two words", "quote\" \\ \n \t \x01\x7f \xc3\xa4", NULL };

FIXTURE(trace) {
	char dir[40], path[64];
	struct chess_trace t;
	struct chess_wait waits[3];
};

static void fill_random(void *p, size_t n, unsigned int *seed)
{
	unsigned char *c = p;

	while (n--)
		*c++ = rand_r(seed);
}

FIXTURE_SETUP(trace)
{
	static struct chess_holder holders[] = {
		{ .task = 2, .how = CHESS_HOLD_HAS, .seq = 2 },
		{ .task = 0, .how = CHESS_HOLD_GONE },
	};
	struct { struct chess_stack s; uint8_t bytes[16]; } stack;
	struct chess_event e;
	unsigned int seed = 3;
	int i;

	strcpy(self->dir, "/tmp/chess-trace-XXXXXX");
	ASSERT_NE(NULL, (void *)mkdtemp(self->dir));
	snprintf(self->path, sizeof(self->path), "%s/a.trace", self->dir);
	self->t = (struct chess_trace) {
		.argv = argv_full, .cwd = "/home/me", .program = "/home/me/prog",
		.program_hash = "00ff", .kernel = "6.12.1", .verdict = CHESS_VERDICT_DEADLOCK,
		.status = -1, .maps = "1-2 r-xp\n3-4 rw-p\n", .points = "sync",
		.err = "no newline at the end", .record = chess_record_new(),
		.waits = self->waits, .n_waits = 3, .quantum_us = 20000,
	};
	self->waits[0] = (struct chess_wait) {
		.task = 1, .pid = 4711, .seq = 3, .text = "futex 0x404080", .asked = true,
		.kernel = "do_futex.part.0,__x64_sys_futex",
		.object = "pipe, 0 of 16 slots; written \"here\"",
		.holders = holders, .n_holders = ARRAY_SIZE(holders),
	};
	self->waits[1] = (struct chess_wait) {
		.task = 2, .pid = 4712, .seq = 9, .text = "read \"x\"", .outside = true,
		.object = "2 children, 1 ended",
	};
	self->waits[2] = (struct chess_wait) { .task = 0, .text = "pause", .asked = true };
	/* one of each type as the module makes them, then some it never would */
	for (i = 1; i <= CHESS_EVENT_LEAVE; i++) {
		e = (struct chess_event) {
			.seq = i, .type = i, .op = i, .flags = i, .task = i % 3,
			.chosen = CHESS_EVENT_IS_DECISION(i) ? i % 2 : CHESS_TASK_NONE,
			.object_kind = i % 8, .object = i * 0x1000, .enabled = 7,
		};
		ASSERT_EQ(0, chess_record_push(self->t.record, &e, 1));
	}
	for (i = 0; i < 6; i++) {
		fill_random(&e, sizeof(e), &seed);
		e.seq = chess_record_length(self->t.record) + 1;
		e.object &= i < 3 ? ~0ULL : 0;
		e.enabled &= i < 3 ? ~0ULL : 0;
		ASSERT_EQ(0, chess_record_push(self->t.record, &e, 1));
	}
	fill_random(&stack, sizeof(stack), &seed);
	stack.s.seq = 3;
	stack.s.size = sizeof(stack.bytes);
	ASSERT_EQ(0, chess_record_push_stack(self->t.record, &stack.s, sizeof(stack)));
	stack.s.seq = CHESS_STACK_AT_ACCESS | 4;
	stack.s.size = 0;
	ASSERT_EQ(0, chess_record_push_stack(self->t.record, &stack.s, sizeof(stack.s)));
}

FIXTURE_TEARDOWN(trace)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", self->dir);
	EXPECT_EQ(0, system(command));
}

static bool same_string(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_holders(const struct chess_wait *a, const struct chess_wait *b)
{
	size_t i;

	for (i = 0; i < a->n_holders && i < b->n_holders; i++)
		if (a->holders[i].task != b->holders[i].task ||
		    a->holders[i].how != b->holders[i].how ||
		    a->holders[i].seq != b->holders[i].seq)
			return false;
	return a->n_holders == b->n_holders;
}

static bool same_trace(const struct chess_trace *a, const struct chess_trace *b)
{
	const struct chess_stack *x, *y;
	size_t i;

	for (i = 0; a->argv[i] && b->argv[i]; i++)
		if (strcmp(a->argv[i], b->argv[i]))
			return false;
	if (a->argv[i] || b->argv[i] || a->n_waits != b->n_waits ||
	    a->verdict != b->verdict || a->status != b->status ||
	    a->quantum_us != b->quantum_us || a->virtual_time != b->virtual_time ||
	    a->surroundings != b->surroundings ||
	    !same_string(a->cwd, b->cwd) || !same_string(a->program, b->program) ||
	    !same_string(a->program_hash, b->program_hash) ||
	    !same_string(a->kernel, b->kernel) || !same_string(a->maps, b->maps) ||
	    !same_string(a->points, b->points) || !same_string(a->err, b->err))
		return false;
	for (i = 0; i < a->n_waits; i++)
		if (a->waits[i].task != b->waits[i].task || a->waits[i].pid != b->waits[i].pid ||
		    a->waits[i].seq != b->waits[i].seq ||
		    a->waits[i].outside != b->waits[i].outside ||
		    a->waits[i].asked != b->waits[i].asked ||
		    !a->waits[i].kernel != !b->waits[i].kernel ||
		    (a->waits[i].kernel && strcmp(a->waits[i].kernel, b->waits[i].kernel)) ||
		    !same_string(a->waits[i].object, b->waits[i].object) ||
		    !same_holders(&a->waits[i], &b->waits[i]) ||
		    strcmp(a->waits[i].text, b->waits[i].text))
			return false;
	if (chess_record_compare(a->record, b->record) != SIZE_MAX ||
	    chess_record_hash(a->record) != chess_record_hash(b->record) ||
	    chess_record_stacks(a->record) != chess_record_stacks(b->record))
		return false;
	for (i = 0; i < chess_record_stacks(a->record); i++) {
		x = chess_record_stack_at(a->record, i);
		y = chess_record_stack_at(b->record, i);
		if (x->size != y->size || memcmp(x, y, sizeof(*x) + x->size))
			return false;
	}
	return true;
}

TEST_F(trace, comes_back_as_it_was)
{
	struct chess_trace *back;

	ASSERT_EQ(0, chess_trace_write(&self->t, self->path));
	back = chess_trace_read(self->path);
	if (!back)
		TH_LOG("%s", chess_error());
	ASSERT_NE(NULL, (void *)back);
	EXPECT_EQ(23u, back->version);
	EXPECT_TRUE(same_trace(&self->t, back));
	chess_trace_free(back);
}

TEST_F(trace, absent_parts_stay_absent)
{
	struct chess_trace bare = { .verdict = CHESS_VERDICT_OK }, *back;

	ASSERT_EQ(0, chess_trace_write(&bare, self->path));
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_EQ(NULL, (void *)back->argv[0]);
	EXPECT_EQ(NULL, (void *)back->record);
	EXPECT_EQ(NULL, (void *)back->err);
	EXPECT_EQ(NULL, (void *)back->maps);
	bare.err = "";
	bare.record = chess_record_new();
	ASSERT_EQ(0, chess_trace_write(&bare, self->path));
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_STREQ("", back->err);
	EXPECT_NE(NULL, (void *)back->record);
}

/* show looks for events by their numbers. */
TEST_F(trace, events_have_their_numbers)
{
	static const char *const wrong[] = { "0", "2", "4294967295" };
	char body[200];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		snprintf(body, sizeof(body), "chess-trace 1\narg \"./prog\"\nverdict ok\nstatus 0\n"
			 "schedule T0\nevent %s point T0 -> T0\n", wrong[i]);
		store_with_checksum(self->path, body);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
		EXPECT_EQ(EINVAL, errno);
		EXPECT_TRUE(strstr(chess_error(), "line 6: events are numbered"));
	}
}

/* The reader takes them, so the writer has to have a word for them. */
TEST_F(trace, waits_of_no_task_come_back)
{
	struct chess_holder holder = { .task = CHESS_TASK_NONE, .how = CHESS_HOLD_GONE };
	struct chess_trace *back;

	self->waits[0].task = CHESS_TASK_NONE;
	self->waits[0].holders = &holder;
	self->waits[0].n_holders = 1;
	ASSERT_EQ(0, chess_trace_write(&self->t, self->path));
	back = chess_trace_read(self->path);
	if (!back)
		TH_LOG("%s", chess_error());
	ASSERT_NE(NULL, (void *)back);
	EXPECT_TRUE(same_trace(&self->t, back));
	chess_trace_free(back);
}

TEST_F(trace, every_verdict_comes_back)
{
	struct chess_trace *back;
	int v;

	for (v = CHESS_VERDICT_OK; v < CHESS_VERDICT_END; v++) {
		self->t.verdict = v;
		ASSERT_EQ(0, chess_trace_write(&self->t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(v, (int)back->verdict);
	}
	self->t.verdict = CHESS_VERDICT_NONE;
	EXPECT_EQ(-EINVAL, chess_trace_write(&self->t, self->path));
	self->t.verdict = CHESS_VERDICT_END;
	EXPECT_EQ(-EINVAL, chess_trace_write(&self->t, self->path));
}

TEST_F(trace, every_truncation_is_refused)
{
	char other[80], *text;
	size_t size, i;

	ASSERT_EQ(0, chess_trace_write(&self->t, self->path));
	text = load(self->path, &size);
	snprintf(other, sizeof(other), "%s/b", self->dir);
	store(other, text, size);
	for (i = size; i--;) {
		ASSERT_EQ(0, truncate(other, i));
		chess_set_error(1, "no sentence");
		ASSERT_EQ(NULL, (void *)chess_trace_read(other));
		ASSERT_EQ(EINVAL, errno);
		ASSERT_NE(NULL, (void *)strstr(chess_error(), other));
	}
	text[size] = '\n';
	store(other, text, size + 1);
	EXPECT_EQ(NULL, (void *)chess_trace_read(other));
	store(other, text, size);
	EXPECT_NE(NULL, (void *)chess_trace_read(other));
}

/* Any single bit of each byte, and three other values; in place, as it is many. */
TEST_F(trace, every_changed_byte_is_refused)
{
	size_t size, i, k;
	char *text, now;
	int fd;

	ASSERT_EQ(0, chess_trace_write(&self->t, self->path));
	text = load(self->path, &size);
	fd = open(self->path, O_WRONLY);
	for (i = 0; i < size; i++) {
		for (k = 0; k < 11; k++) {
			now = k < 8 ? text[i] ^ 1 << k : "\0\n "[k - 8];
			if (now == text[i])
				continue;
			ASSERT_EQ(1, pwrite(fd, &now, 1, i));
			if (chess_trace_read(self->path)) {
				TH_LOG("byte %zu may be 0x%02x", i, now);
				HARNESS_FAILED(1);
			}
			ASSERT_TRUE(errno == EINVAL || (errno == ENOTSUP && i < 20));
		}
		ASSERT_EQ(1, pwrite(fd, &text[i], 1, i));
	}
	close(fd);
	EXPECT_NE(NULL, (void *)chess_trace_read(self->path));
}

/* Traces made before the quantum was stored stay readable, and stay without. */
TEST_F(trace, version_1_is_read)
{
	struct chess_trace *back;

	store_with_checksum(self->path,
			    "chess-trace 1\narg \"./prog\"\npoints \"sync\"\nverdict ok\nstatus 0\n"
			    "schedule T0\nevent 1 point T0 -> T0\n");
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_EQ(1u, back->version);
	EXPECT_EQ(0u, back->quantum_us);
	EXPECT_EQ((size_t)1, chess_record_length(back->record));
}

/* Before version 3 time was the machine's. */
TEST_F(trace, version_2_is_read)
{
	struct chess_trace *back;

	store_with_checksum(self->path,
			    "chess-trace 2\narg \"./prog\"\nquantum 1000\nverdict ok\nstatus 0\n"
			    "schedule T0\nevent 1 point T0 -> T0\n");
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_EQ(2u, back->version);
	EXPECT_EQ(1000u, back->quantum_us);
	EXPECT_FALSE(back->virtual_time);
}

#define ONE_EVENT	"schedule T0\nevent 1 point T0 -> T0\n"

/* What a run was given, what it was asked for, and its calls. */
TEST_F(trace, what_was_given_comes_back)
{
	static const char *const bad[] = {
		"stack-limit 0", "stack-limit none", "stack-limit 1\nstack-limit 2",
		"stack-limit 18446744073709551615", "environment 12 \"A\"",
		"environment 12345 \"A\"", "environment 1234 A",
		"environment 0001 \"B\"\nenvironment 0001 \"A\"", "file \"/a\"",
		"file build:123 \"/a\"", "file build: \"/a\"", "file bytes:1234 \"/a\"",
		"file build:12g4 \"/a\"", "file build:12 /a", "file hash:12 \"/a\"",
	};
	static const char *const bad_behind[] = {
		"asked T0 T0\n", "asked T1*2\nasked T1*2\n", "asked nobody\n", "cause none\n",
		"cause \"a\"\nasked T1\n", ONE_EVENT "call 1 \"a\"\ncall 1 \"b\"\n",
		ONE_EVENT "call 0 \"a\"\n", "call 1 \"a\"\n", ONE_EVENT "call 1 a\n",
	};
	struct chess_trace_variable environment[] = { { "A", 0x12 }, { "B \"b\"", 0xffff } };
	struct chess_trace_file files[] = { { "/lib/libc.so.6", "build:93ac61" },
					    { "/etc/ld.so.cache", "bytes:0123456789abcdef" } };
	struct chess_trace_call calls[] = { { 2, "open(\"a\") = 3" }, { 7, "close(3) = 0" } };
	static char *causes[] = { "it reads the clock", "a \"file\"" };
	struct chess_trace t = self->t, *back;
	size_t size, i;
	char *body;

	t.stack_limit = UINT64_MAX;
	t.environment = environment;
	t.files = files;
	t.calls = calls;
	t.causes = causes;
	t.n_environment = t.n_files = t.n_calls = t.n_causes = 2;
	t.asked = "T0*3 T1 - T2";
	ASSERT_EQ(0, chess_trace_write(&t, self->path));
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_EQ(UINT64_MAX, back->stack_limit);
	EXPECT_STREQ(t.asked, back->asked);
	EXPECT_EQ((size_t)2, back->n_causes);
	for (i = 0; i < 2; i++) {
		EXPECT_STREQ(environment[i].name, back->environment[i].name);
		EXPECT_EQ(environment[i].check, back->environment[i].check);
		EXPECT_STREQ(files[i].path, back->files[i].path);
		EXPECT_STREQ(files[i].identity, back->files[i].identity);
		EXPECT_STREQ(calls[i].text, back->calls[i].text);
		EXPECT_EQ(calls[i].seq, back->calls[i].seq);
		EXPECT_STREQ(causes[i], back->causes[i]);
	}
	chess_trace_free(back);
	EXPECT_NE(NULL, (void *)strstr(load(self->path, &size), "\nstack-limit unlimited\n"
		  "environment 0012 \"A\"\nenvironment ffff \"B \\\"b\\\"\"\n"
		  "file build:93ac61 \"/lib/libc.so.6\"\n"
		  "file bytes:0123456789abcdef \"/etc/ld.so.cache\"\nverdict "));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		ASSERT_LT(0, asprintf(&body, "chess-trace 12\n%s\nverdict ok\nstatus 0\n", bad[i]));
		store_with_checksum(self->path, body);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
		free(body);
	}
	for (i = 0; i < ARRAY_SIZE(bad_behind); i++) {
		ASSERT_LT(0, asprintf(&body, "chess-trace 12\nverdict ok\nstatus 0\n%s",
				      bad_behind[i]));
		store_with_checksum(self->path, body);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
		free(body);
	}
	/* An older version has no such key. */
	store_with_checksum(self->path, "chess-trace 11\nstack-limit 1\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "no key of this format"));
}

TEST_F(trace, newer_versions_are_named_as_such)
{
	store(self->path, "chess-trace 24\nwhatever comes\n", 30);
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_EQ(ENOTSUP, errno);
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "version 24"));
	store(self->path, "#!/bin/sh\n", 10);
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(NULL, (void *)chess_trace_read("/nowhere/at-all"));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(NULL, (void *)chess_trace_read("/"));
	EXPECT_EQ(EISDIR, errno);
}

TEST_F(trace, edits_with_a_right_checksum_are_checked_line_by_line)
{
#define HEAD "chess-trace 1\nverdict ok\nstatus 0\n"
	static const struct { const char *body, *line; } cases[] = {
		{ HEAD "status 1\n", "line 4" },
		{ HEAD "verdict crash\n", "line 4" },
		{ "chess-trace 1\nverdict 1\nstatus 0\n", "line 2" },
		{ "chess-trace 1\nverdict good\nstatus 0\n", "line 2" },
		{ "chess-trace 1\nstatus 0\n", "verdict" },
		{ "chess-trace 1\nverdict ok\n", "status" },
		{ HEAD "banana 1\n", "line 4" },
		{ "chess-trace 1\narg x\n", "line 2: a string" },
		{ "chess-trace 1\narg \"x\\x00\"\n", "line 2: a string" },
		{ "chess-trace 1\narg \"x\" \n", "line 2: a string" },
		{ "chess-trace 1\narg \"\\q\"\n", "line 2: a string" },
		{ "chess-trace 1\ncwd \"a\"\ncwd \"a\"\n", "line 3: the key" },
		{ HEAD "event 1 point T0 -> T0\n", "line 4" },
		{ HEAD "schedule T0*2\nevent 1 point T0 -> T0\n", "schedule" },
		{ HEAD "schedule T0 T0\nevent 1 point T0 -> T0\n", "line 4" },
		{ HEAD "schedule T0\nevent 1 point T0 -> T0 color=red\n", "line 5" },
		{ HEAD "schedule T0\nevent 1 point T0 -> T0 nr=4294967296\n", "line 5" },
		{ HEAD "schedule T0\nevent 1 point T0 -> T0 nr=-1\n", "line 5" },
		{ HEAD "schedule T0\nevent 1 point T70000 -> T0\n", "line 5" },
		{ HEAD "schedule T0\nevent 1 point T0 -> T0 ip=0x11112222333344445\n", "line 5" },
		{ HEAD "schedule T0\nevent 1 point T0 -> T0 flags=256\n", "line 5" },
		{ HEAD "schedule T0\nevent 1 point T0 -> T0 op=999\n", "line 5" },
		{ HEAD "schedule T0\nevent 1 point T0 -> T0\nstack 1 0x0 -\n", "line 6" },
		{ HEAD "arg \"x\"\n", "line 4" },
		{ "chess-trace 1\nquantum 1000\nverdict ok\nstatus 0\n", "line 2: the line begins" },
		{ "chess-trace 2\nquantum 0\nverdict ok\nstatus 0\n", "line 2: quantum" },
		{ "chess-trace 2\nquantum 1 2\nverdict ok\nstatus 0\n", "line 2: quantum" },
		{ "chess-trace 2\nquantum 4294967296\nverdict ok\nstatus 0\n", "line 2: quantum" },
		{ "chess-trace 2\nquantum 1\nquantum 1\nverdict ok\nstatus 0\n", "line 3: quantum" },
		{ "chess-trace 2\nverdict ok\nquantum 1\nstatus 0\n", "line 3: the line is out" },
		{ "chess-trace 2\ntime real\nverdict ok\nstatus 0\n", "line 2: the line begins" },
		{ "chess-trace 3\ntime unreal\nverdict ok\nstatus 0\n", "line 2: time" },
		{ "chess-trace 3\ntime real\ntime real\nverdict ok\nstatus 0\n", "line 3: time" },
		{ "chess-trace 3\nverdict ok\ntime real\nstatus 0\n", "line 3: the line is out" },
		{ "chess-trace 7\nfair 1\nverdict ok\nstatus 0\n", "line 2: the line begins" },
		{ "chess-trace 8\nfair 0\nverdict ok\nstatus 0\n", "line 2: fair" },
		{ "chess-trace 8\nfair 1 \nverdict ok\nstatus 0\n", "line 2: fair" },
		{ "chess-trace 8\nfair 1\nfair 1\nverdict ok\nstatus 0\n", "line 3: fair" },
		{ "chess-trace 8\nfair 1\ntime real\nverdict ok\nstatus 0\n",
		  "line 3: the line is out" },
		{ "chess-trace 7\nyield trylock\nverdict ok\nstatus 0\n", "line 2: the line begins" },
		{ "chess-trace 8\nyield sleep\nverdict ok\nstatus 0\n", "line 2: yield" },
		{ "chess-trace 8\nyield trylock\nyield trylock\nverdict ok\nstatus 0\n",
		  "line 3: yield" },
		{ "chess-trace 8\nyield trylock\nfair 1\nverdict ok\nstatus 0\n",
		  "line 3: the line is out" },
		{ HEAD "stderr \"x\"\nmaps \"y\"\n", "line 5" },
		{ HEAD "wait T1 pid=1 seq=2 outside=maybe \"x\"\n", "line 4" },
	};
	size_t i;

	store_with_checksum(self->path, HEAD "schedule T0\nevent 1 point T0 -> T0\n");
	EXPECT_NE(NULL, (void *)chess_trace_read(self->path));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		store_with_checksum(self->path, cases[i].body);
		if (chess_trace_read(self->path) || errno != EINVAL ||
		    !strstr(chess_error(), cases[i].line)) {
			TH_LOG("case %zu: %s", i, chess_error());
			HARNESS_FAILED(0);
		}
	}
}

static int count_entries(const char *dir)
{
	char command[100], line[32];
	FILE *p;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", dir);
	p = popen(command, "r");
	if (!p || !fgets(line, sizeof(line), p))
		return -1;
	pclose(p);
	return atoi(line);
}

/* A limit on file size stands in for a full disk: write(2) fails half way. */
TEST_F(trace, a_failed_write_leaves_nothing_and_spoils_nothing)
{
	struct rlimit limit = { 500, RLIM_INFINITY };
	size_t before, after;
	char *old, *now;

	ASSERT_EQ(0, chess_trace_write(&self->t, self->path));
	old = load(self->path, &before);
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	EXPECT_EQ(-EFBIG, chess_trace_write(&self->t, self->path));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "space"));
	limit.rlim_cur = RLIM_INFINITY;
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	now = load(self->path, &after);
	EXPECT_EQ(before, after);
	EXPECT_EQ(0, memcmp(old, now, before));
	EXPECT_EQ(1, count_entries(self->dir));
}

/* As /dev/stdout is one, and root may replace it. */
TEST_F(trace, a_link_stays_one)
{
	struct stat st;
	char link[100];
	size_t size;

	ASSERT_EQ(0, chess_trace_write(&self->t, self->path));
	snprintf(link, sizeof(link), "%s/link", self->dir);
	ASSERT_EQ(0, symlink(self->path, link));
	ASSERT_EQ(0, truncate(self->path, 0));
	EXPECT_EQ(0, chess_trace_write(&self->t, link));
	ASSERT_EQ(0, lstat(link, &st));
	EXPECT_TRUE(S_ISLNK(st.st_mode));
	free(load(self->path, &size));
	EXPECT_NE(0u, size);
	EXPECT_EQ(2, count_entries(self->dir));
}

TEST_F(trace, odd_targets_are_refused)
{
	char path[100];

	EXPECT_EQ(-EISDIR, chess_trace_write(&self->t, self->dir));
	EXPECT_EQ(-EINVAL, chess_trace_write(&self->t, "/dev/null"));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "regular"));
	snprintf(path, sizeof(path), "%s/none/x", self->dir);
	EXPECT_EQ(-ENOENT, chess_trace_write(&self->t, path));
	EXPECT_EQ(0, count_entries(self->dir));
}

TEST_F(trace, text_is_readable)
{
	struct chess_event e = {
		.seq = 1, .type = CHESS_EVENT_POINT, .op = CHESS_OP_LOCK, .task = 0, .chosen = 1,
		.flags = CHESS_OPF_WRITE | CHESS_OPF_MAY_BLOCK | CHESS_OPF_PROBE, .nr = 1,
		.object_kind = CHESS_OBJECT_ADDRESS, .object = 0x404080, .enabled = 3,
		.ip = 0x7f00, .caller = 0x401136,
	};
	struct chess_event call = {
		.seq = 2, .type = CHESS_EVENT_POINT, .task = 1, .chosen = 1, .nr = 1,
		.enabled = 3, .ip = 0x7f10, .result = -11,
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new(),
				 .quantum_us = 500000, .virtual_time = true };
	char *argv[] = { "./prog", NULL };
	size_t size;

	t.argv = argv;
	chess_record_push(t.record, &e, 1);
	chess_record_push(t.record, &call, 1);
	ASSERT_EQ(0, chess_trace_write(&t, self->path));
	EXPECT_STREQ("chess-trace 23\n"
		     "arg \"./prog\"\n"
		     "quantum 500000\n"
		     "time virtual\n"
		     "fair 1\n"
		     "verdict ok\n"
		     "status 0\n"
		     "schedule T1*2\n"
		     "event 1 point T0 -> T1 op=lock flags=write,may_block,probe nr=1 "
		     "object=address:0x404080 enabled=0x3 ip=0x7f00 caller=0x401136\n"
		     "event 2 point T1 -> T1 nr=1 enabled=0x3 ip=0x7f10 "
		     "result=0xfffffffffffffff5\n"
		     "checksum 2e40807300a54d59\n", load(self->path, &size));
}

TEST_HARNESS_MAIN
