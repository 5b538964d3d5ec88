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

static char *load(const char *path, size_t *size)
{
	struct stat st;
	FILE *f = fopen(path, "r");
	char *text;

	if (!f || fstat(fileno(f), &st))
		return NULL;
	text = calloc(1, st.st_size + 1);
	*size = fread(text, 1, st.st_size, f);
	fclose(f);
	return text;
}

static void store(const char *path, const char *text, size_t size)
{
	FILE *f = fopen(path, "w");

	ASSERT_NE(NULL, (void *)f);
	ASSERT_EQ(size, fwrite(text, 1, size, f));
	fclose(f);
}

/* As a person would who edits a trace and mends the checksum. */
static void store_with_checksum(const char *path, const char *body)
{
	char *text;
	int n = asprintf(&text, "%schecksum %016llx\n", body, (unsigned long long)
			 chess_trace_hash(CHESS_TRACE_HASH_START, body, strlen(body)));

	ASSERT_LT(0, n);
	store(path, text, n);
	free(text);
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
	EXPECT_EQ(15u, back->version);
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

/* Before version 8 nothing was fair. */
TEST_F(trace, fairness_comes_back)
{
	static const uint32_t fair[] = { 0, 1, 7, UINT32_MAX };
	struct chess_event e[] = {
		{ .seq = 1, .type = CHESS_EVENT_FAIR, .chosen = CHESS_TASK_NONE, .enabled = 6 },
		{ .seq = 2, .type = CHESS_EVENT_FAIR, .chosen = CHESS_TASK_NONE, .enabled = 1,
		  .object = 63 },
		{ .seq = 3, .type = CHESS_EVENT_POINT, .enabled = 7 },
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace *back;
	size_t i;

	chess_record_push(t.record, e, 3);
	for (i = 0; i < 4; i++) {
		chess_record_set_fair(t.record, fair[i]);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(fair[i], chess_record_fair(back->record));
		EXPECT_EQ(SIZE_MAX, chess_record_compare(t.record, back->record));
	}
	store_with_checksum(self->path,
			    "chess-trace 7\narg \"./prog\"\nverdict ok\nstatus 0\n"
			    "schedule T0\nevent 1 point T0 -> T0\n");
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_EQ(0u, chess_record_fair(back->record));
}

TEST_F(trace, yields_at_trylock_come_back)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace *back;
	int yields;

	for (yields = 0; yields < 2; yields++) {
		chess_record_set_yield_trylock(t.record, yields);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(!!yields, chess_record_yield_trylock(back->record));
	}
}

/* "late", "never", or no line; since version 12. */
TEST_F(trace, watchdogs_come_back)
{
	struct chess_event event = { .seq = 1, .type = CHESS_EVENT_WATCHDOG, .object = 7,
				     .object_kind = CHESS_OBJECT_TIME, .chosen = CHESS_TASK_NONE };
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace *back;
	int how;

	chess_record_push(t.record, &event, 1);
	for (how = 0; how < 3; how++) {
		chess_record_set_late_watchdogs(t.record, how > 0);
		chess_record_set_no_watchdogs(t.record, how > 1);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(how > 0, chess_record_late_watchdogs(back->record));
		EXPECT_EQ(how > 1, chess_record_no_watchdogs(back->record));
	}
	store_with_checksum(self->path,
			    "chess-trace 12\nwatchdogs ever\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

/* Since version 13; without access points there is nothing to split. */
TEST_F(trace, split_updates_come_back)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace_probe file = { .path = "/a", .hash = "0123456789abcdef" };
	struct chess_trace_point point = { .file = 0, .offset = 8 };
	struct chess_trace *back;
	int split, points;

	t.code_files = &file;
	t.n_code_files = 1;
	t.access_points = &point;
	for (split = 0; split < 2; split++)
		for (points = 0; points < 2; points++) {
			t.n_access_points = points;
			chess_record_set_split_updates(t.record, split);
			ASSERT_EQ(0, chess_trace_write(&t, self->path));
			back = chess_trace_read(self->path);
			ASSERT_NE(NULL, (void *)back);
			EXPECT_EQ(split && points, chess_record_split_updates(back->record));
			chess_trace_free(back);
		}
	store_with_checksum(self->path,
			    "chess-trace 12\nupdates split\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	store_with_checksum(self->path,
			    "chess-trace 13\nupdates split\nupdates split\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

/* Since version 14. */
TEST_F(trace, functions_come_back)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	static const char *const refused[] = {
		"chess-trace 13\nfunctions 9\nverdict ok\nstatus 0\n",
		"chess-trace 14\nfunctions 0\nverdict ok\nstatus 0\n",
		"chess-trace 14\nfunctions 9\nfunctions 9\nverdict ok\nstatus 0\n",
	};
	struct chess_trace *back;
	uint32_t n;
	size_t i;

	for (n = 0; n < 3; n++) {
		chess_record_set_functions(t.record, n);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(n, chess_record_functions(back->record));
		chess_trace_free(back);
	}
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		store_with_checksum(self->path, refused[i]);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	}
	/* Rows are added at the end, and none is taken away. */
	EXPECT_GE(chess_wrapper_count(), (uint32_t)CHESS_WRAPPERS_BEFORE);
	EXPECT_EQ(0, strcmp("pthread_setcanceltype",
			    chess_wrapper_find(CHESS_WRAPPERS_BEFORE)->symbol));
}

/* Since version 11; what chooses timers is an expiry, and nothing else. */
TEST_F(trace, early_timers_come_back)
{
	struct chess_event events[] = {
		{ .seq = 1, .type = CHESS_EVENT_EXPIRE, .chosen = CHESS_TASK_TIMER, .enabled = 1,
		  .flags = CHESS_OPF_EARLY, .object_kind = CHESS_OBJECT_TIME, .object = 7 },
		{ .seq = 2, .type = CHESS_EVENT_TIMER, .chosen = CHESS_TASK_NONE },
		{ .seq = 3, .type = CHESS_EVENT_POINT, .enabled = 1,
		  .flags = CHESS_OPF_TIMER | CHESS_OPF_ALONE },
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace *back;
	int early;

	chess_record_push(t.record, events, 3);
	for (early = 0; early < 2; early++) {
		chess_record_set_early_timers(t.record, early);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(!!early, chess_record_early_timers(back->record));
		EXPECT_EQ(SIZE_MAX, chess_record_compare(t.record, back->record));
	}
	store_with_checksum(self->path,
			    "chess-trace 10\ntimers early\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	store_with_checksum(self->path,
			    "chess-trace 11\nverdict ok\nstatus 0\n"
			    "schedule timer\nevent 1 expire T0 -> timer\n");
	EXPECT_NE(NULL, (void *)chess_trace_read(self->path));
	store_with_checksum(self->path,
			    "chess-trace 11\nverdict ok\nstatus 0\n"
			    "schedule timer\nevent 1 point T0 -> timer\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	store_with_checksum(self->path,
			    "chess-trace 11\nverdict ok\nstatus 0\n"
			    "schedule T0\nevent 1 expire T0 -> T0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

TEST_F(trace, time_and_time_outs_come_back)
{
	struct chess_event e[] = {
		{ .seq = 1, .type = CHESS_EVENT_BLOCK, .chosen = 2, .enabled = 1, .timed = 6,
		  .flags = CHESS_OPF_EARLY },
		{ .seq = 2, .type = CHESS_EVENT_TIMEOUT, .task = 2, .chosen = CHESS_TASK_NONE,
		  .object_kind = CHESS_OBJECT_TIME, .object = 1005000000000 },
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace *back;
	size_t size;
	int real;

	chess_record_push(t.record, e, 2);
	for (real = 0; real < 2; real++) {
		t.virtual_time = !real;
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		EXPECT_NE(NULL, (void *)strstr(load(self->path, &size),
					       real ? "\ntime real\n" : "\ntime virtual\n"));
		EXPECT_NE(NULL, (void *)strstr(load(self->path, &size),
			"event 1 block T0 -> T2 flags=early enabled=0x1 timed=0x6\n"
			"event 2 timeout T2 object=time:0xe9feab0200\n"));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(!real, back->virtual_time);
		EXPECT_EQ(SIZE_MAX, chess_record_compare(t.record, back->record));
	}
}

TEST_F(trace, minimal_comes_back)
{
	static const char *const bad[] = {
		"chess-trace 10\nverdict ok\nstatus 0\nminimal fewest\n",
		"chess-trace 11\nverdict ok\nstatus 0\nminimal smallest\n",
		"chess-trace 11\nverdict ok\nstatus 0\nminimal \n",
		"chess-trace 11\nverdict ok\nstatus 0\nminimal choices\nminimal fewest\n",
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK }, *back;
	size_t size, i;

	for (; t.minimal <= CHESS_MINIMAL_FEWEST; t.minimal++) {
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		EXPECT_EQ(!!t.minimal, !!strstr(load(self->path, &size), "\nminimal "));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(t.minimal, back->minimal);
		chess_trace_free(back);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		store_with_checksum(self->path, bad[i]);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	}
}

TEST_F(trace, surroundings_come_back)
{
	static const char *const bad[] = {
		"overlay,private-tmp", "overlay,overlay", "overlay,", ",overlay", "", "nothing",
		"overlay no-network",
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK }, *back;
	char *body;
	size_t size, i;

	EXPECT_EQ(NULL, (void *)chess_surroundings_name(16));
	for (t.surroundings = 0; t.surroundings < 16; t.surroundings++) {
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		EXPECT_EQ(!!t.surroundings, !!strstr(load(self->path, &size), "\nsurroundings "));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(t.surroundings, back->surroundings);
		chess_trace_free(back);
	}
	EXPECT_NE(NULL, (void *)strstr(load(self->path, &size), "time real\n"
		  "surroundings host-pids,private-tmp,overlay,no-network\nverdict ok\n"));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		ASSERT_LT(0, asprintf(&body, "chess-trace 4\nsurroundings %s\nverdict ok\nstatus 0\n",
				      bad[i]));
		store_with_checksum(self->path, body);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
		free(body);
	}
	/* An older version has no such key. */
	store_with_checksum(self->path,
			    "chess-trace 3\nsurroundings overlay\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "no key of this format"));
}

TEST_F(trace, what_is_known_of_accesses_comes_back)
{
	static const char *const bad[] = {
		"code PROGRAM", "code-file 0123456789abcdef", "code-file 0123456789abcde \"/a\"",
		"access-point 1 0x10", "access-point 0 0x10",
		"code-file 0123456789abcdef \"/a\"\naccess-point 2 0x10",
		"code-file 0123456789abcdef \"/a\"\naccess-point 1 0x10\naccess-point 1 0x10",
		"code-file 0123456789abcdef \"/a\"\naccess-point 1 16",
	};
	static const char *const bad_races[] = {
		"race 0x10 4", "race 0x10 4 T1 read 0x1 0x10 4 2",
		"race 0x10 4 T1 read 0x1 0x10 4 2 - write 0x2 0x10 4 3",
		"race 0x10 4 T1 atomic 0x1 0x10 4 2 T2 write 0x2 0x10 4 3",
		"race 0x10 4 T1 write,read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3",
		"race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 atomic",
		"race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 numbers 5",
		"race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 numbers 0 5",
		"race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 numbers 5 5",
		"race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 allocated 0 T1 0x1 0x8 16 1",
		"race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 allocated 1 - 0x1 0x8 16 1",
		"race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 allocated 1 T1 0x1 0x8 16",
		"race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 freed 3 T1 0x1 0x8 16 1 allocated 1 T1 0x1 0x8 16 1",
	};
	char *code[] = { (char *)"PROGRAM", (char *)"libc.so.6:\"f\"", NULL };
	struct chess_trace_probe files[] = {
		{ "/a", "0123456789abcdef" }, { "/lib \"b\"", "ffffffffffffffff" },
	};
	struct chess_trace_point points[] = { { 0, 0x10 }, { 0, 0x20 }, { 1, 0x8 } };
	struct chess_trace_race races[] = {
		{ .first = { .address = 0x10, .ip = 0x1, .size = 4, .seq = 2, .task = 1,
			     .kind = CHESS_ACCESS_READ },
		  .second = { .address = 0x12, .ip = 0x2, .size = 8, .seq = 0, .task = 300,
			      .kind = CHESS_ACCESS_READ | CHESS_ACCESS_WRITE |
				      CHESS_ACCESS_ATOMIC | CHESS_ACCESS_SHARED },
		  .address = 0x12, .size = 2, .beside_atomic = true, .number = { 3, 70000 },
		  .piece = {
			.allocated = { .address = 0x8, .ip = 0x55, .size = 24, .seq = 1, .task = 2,
				       .kind = CHESS_ACCESS_ALLOCATED },
			.freed = { .address = 0x8, .ip = 0x66, .size = 24, .seq = 2, .task = 3,
				   .kind = CHESS_ACCESS_FRESH },
			.allocated_number = 1, .freed_number = 2 } },
		{ .first.kind = CHESS_ACCESS_WRITE, .second.kind = CHESS_ACCESS_WRITE },
	};
	struct chess_trace t = {
		.verdict = CHESS_VERDICT_RACE, .code = code, .code_files = files,
		.n_code_files = 2, .access_points = points, .n_access_points = 3,
		.races = races, .n_races = 2,
	}, *back;
	char *body;
	size_t size, i;

	ASSERT_EQ(0, chess_trace_write(&t, self->path));
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_EQ(CHESS_VERDICT_RACE, (int)back->verdict);
	ASSERT_NE(NULL, (void *)back->code);
	EXPECT_STREQ(code[1], back->code[1]);
	EXPECT_EQ(NULL, (void *)back->code[2]);
	ASSERT_EQ((size_t)2, back->n_code_files);
	EXPECT_STREQ(files[1].path, back->code_files[1].path);
	EXPECT_STREQ(files[1].hash, back->code_files[1].hash);
	ASSERT_EQ((size_t)3, back->n_access_points);
	EXPECT_EQ(1u, back->access_points[2].file);
	EXPECT_EQ((uint64_t)8, back->access_points[2].offset);
	ASSERT_EQ((size_t)2, back->n_races);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, memcmp(&races[i].first, &back->races[i].first, 32));
		EXPECT_EQ(0, memcmp(&races[i].second, &back->races[i].second, 32));
		EXPECT_EQ(races[i].address, back->races[i].address);
		EXPECT_EQ(races[i].size, back->races[i].size);
		EXPECT_EQ(races[i].beside_atomic, back->races[i].beside_atomic);
		EXPECT_EQ(races[i].number[0], back->races[i].number[0]);
		EXPECT_EQ(races[i].number[1], back->races[i].number[1]);
		EXPECT_EQ(0, memcmp(&races[i].piece, &back->races[i].piece,
				    sizeof(races[i].piece)));
	}
	chess_trace_free(back);
	EXPECT_NE(NULL, (void *)strstr(load(self->path, &size),
		  "access-point 2 0x8\nverdict race\nstatus 0\n"
		  "race 0x12 2 T1 read 0x1 0x10 4 2 T300 read,write,atomic,shared 0x2 0x12 8 0 beside-atomic numbers 3 70000"
		  " allocated 1 T2 0x55 0x8 24 1 freed 2 T3 0x66 0x8 24 2\n"));
	for (i = 0; i < ARRAY_SIZE(bad) + ARRAY_SIZE(bad_races); i++) {
		bool head = i < ARRAY_SIZE(bad);

		ASSERT_LT(0, asprintf(&body, "chess-trace 11\n%s%sverdict ok\nstatus 0\n%s%s",
				      head ? bad[i] : "", head ? "\n" : "",
				      head ? "" : bad_races[i - ARRAY_SIZE(bad)], head ? "" : "\n"));
		store_with_checksum(self->path, body);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
		free(body);
	}
	store_with_checksum(self->path, "chess-trace 9\nverdict ok\nstatus 0\n"
			    "race 0x10 4 T1 read 0x1 0x10 4 2 T2 write 0x2 0x10 4 3 numbers 5 6\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	/* An older version has no such key. */
	store_with_checksum(self->path,
			    "chess-trace 8\ncode \"PROGRAM\"\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "no key of this format"));
}

TEST_F(trace, which_call_is_in_a_handler_comes_back)
{
	static const char good[] = "chess-trace 15\nverdict memory\nstatus 0\n"
		"race 0x10 4 T1 free 0x1 0x10 4 2 T1 allocate 0x2 0x30 8 3 numbers 5 6 in-handler ";
	static const char *const bad[] = {
		"chess-trace 15\nverdict memory\nstatus 0\n"
		"race 0x10 4 T1 free 0x1 0x10 4 2 T1 allocate 0x2 0x30 8 3 in-handler none\n",
		"chess-trace 15\nverdict memory\nstatus 0\n"
		"race 0x10 4 T1 free 0x1 0x10 4 2 T1 allocate 0x2 0x30 8 3 in-handler first both\n",
		"chess-trace 15\nverdict memory\nstatus 0\n"
		"race 0x10 4 T1 free 0x1 0x10 4 2 T1 write,allocate 0x2 0x30 8 3 in-handler first\n",
		"chess-trace 14\nverdict memory\nstatus 0\n"
		"race 0x10 4 T1 free 0x1 0x10 4 2 T1 free 0x2 0x30 8 3 in-handler first\n",
	};
	struct chess_trace_race race = {
		.first = { .address = 0x10, .ip = 1, .size = 4, .seq = 2, .task = 1,
			   .kind = CHESS_ACCESS_FRESH },
		.second = { .address = 0x30, .ip = 2, .size = 8, .seq = 3, .task = 1,
			    .kind = CHESS_ACCESS_ALLOCATED },
		.address = 0x10, .size = 4, .number = { 5, 6 },
	};
	struct chess_trace t = {
		.verdict = CHESS_VERDICT_MEMORY, .races = &race, .n_races = 1,
	}, *back;
	char *body;
	unsigned int h;
	size_t size, i;

	for (h = CHESS_IN_HANDLER_NONE; h <= CHESS_IN_HANDLER_BOTH; h++) {
		race.in_handler = h;
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		ASSERT_LT(0, asprintf(&body, "%s%s\n", good, chess_in_handler_name(h) ?: ""));
		/* By its last line: above it there is more. */
		EXPECT_EQ(h != CHESS_IN_HANDLER_NONE,
			  !!strstr(load(self->path, &size), strstr(body, "race 0x10")));
		free(body);
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(h, (unsigned int)back->races[0].in_handler);
		EXPECT_EQ(CHESS_ACCESS_ALLOCATED, back->races[0].second.kind);
		chess_trace_free(back);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		store_with_checksum(self->path, bad[i]);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	}
}

TEST_F(trace, probes_come_back)
{
	static const char *const bad[] = {
		"\"/a\"", "0123456789abcdef", "0123456789abcdef /a", "0123456789abcde \"/a\"",
		"0123456789abcdef0 \"/a\"", "0123456789abcdef  \"/a\"",
		"0123456789abcdef \"/a\" ", "0123456789ABCDEF \"/a\"",
	};
	struct chess_trace_probe probes[] = {
		{ "/a/b.bpf.o", "0123456789abcdef" }, { "/a \"quoted\"\n", "ffffffffffffffff" },
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .probes = probes }, *back;
	char *body;
	size_t size, i;

	for (t.n_probes = 0; t.n_probes <= ARRAY_SIZE(probes); t.n_probes++) {
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		ASSERT_EQ(t.n_probes, back->n_probes);
		for (i = 0; i < t.n_probes; i++) {
			EXPECT_STREQ(probes[i].path, back->probes[i].path);
			EXPECT_STREQ(probes[i].hash, back->probes[i].hash);
		}
		chess_trace_free(back);
	}
	EXPECT_NE(NULL, (void *)strstr(load(self->path, &size), "time real\n"
		  "probe 0123456789abcdef \"/a/b.bpf.o\"\n"
		  "probe ffffffffffffffff \"/a \\\"quoted\\\"\\n\"\nverdict ok\n"));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		ASSERT_LT(0, asprintf(&body, "chess-trace 7\nprobe %s\nverdict ok\nstatus 0\n",
				      bad[i]));
		store_with_checksum(self->path, body);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
		free(body);
	}
	/* An older version has no such key. */
	store_with_checksum(self->path,
			    "chess-trace 5\nprobe 0123456789abcdef \"/a\"\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "no key of this format"));
}

/* What the program may end with, what it wrote, and what it died of. */
TEST_F(trace, expectations_output_and_faults_come_back)
{
	struct {
		struct chess_stack head;
		struct chess_fault fault;
		uint64_t word;
	} snapshot = {
		.head = { .seq = CHESS_STACK_AT_FAULT | 1,
			  .size = sizeof(struct chess_fault) + sizeof(uint64_t),
			  .regs[16] = 0x401000 },
		.fault = { .address = 0x10, .code = 1, .signal = 11 }, .word = 77,
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_CRASH, .status = 11,
				 .record = chess_record_new(), .out = "one\ntwo", .err = "three\n",
				 .expect = "ok-exit=2,77 expect-signal=6 ignore-monitor=Rust no-expect-signal" };
	struct chess_trace *back;
	struct chess_stack *stack;
	struct chess_fault f = { 0 };

	ASSERT_EQ(0, chess_record_push_stack(t.record, &snapshot.head, sizeof(snapshot)));
	ASSERT_EQ(0, chess_trace_write(&t, self->path));
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_STREQ(t.out, back->out);
	EXPECT_STREQ(t.err, back->err);
	EXPECT_STREQ(t.expect, back->expect);
	EXPECT_FALSE(chess_record_fault(back->record, 0, &f, NULL));
	ASSERT_TRUE(chess_record_fault(back->record, 1, &f, &stack));
	EXPECT_EQ(0x10u, f.address);
	EXPECT_EQ(1, f.code);
	EXPECT_EQ(11u, f.signal);
	EXPECT_EQ(sizeof(uint64_t), (size_t)stack->size);
	EXPECT_EQ(77u, *(uint64_t *)(stack + 1));
	EXPECT_EQ(0x401000u, stack->regs[16]);
	free(stack);
	chess_trace_free(back);
	chess_record_free(t.record);
}

TEST_F(trace, expectations_have_one_spelling)
{
	static const char *const wrong[] = {
		"chess-trace 11\nexpect \"ok-exit=2\"\nverdict ok\nstatus 0\n",
		"chess-trace 12\nexpect \"ok-exit=2-3\"\nverdict ok\nstatus 0\n",
		"chess-trace 12\nexpect \"ok-exit=3,2\"\nverdict ok\nstatus 0\n",
		"chess-trace 12\nexpect \"ok-exit=256\"\nverdict ok\nstatus 0\n",
		"chess-trace 12\nexpect \"expect-signal=SEGV\"\nverdict ok\nstatus 0\n",
		"chess-trace 12\nexpect \"\"\nverdict ok\nstatus 0\n",
		"chess-trace 12\nexpect \"no-expect-signal ok-exit=2\"\nverdict ok\nstatus 0\n",
		"chess-trace 12\nverdict ok\nstatus 0\nexpect \"ok-exit=2\"\n",
		"chess-trace 11\nverdict ok\nstatus 0\nstdout \"x\"\n",
		"chess-trace 12\nverdict ok\nstatus 0\nschedule \nstack fault 1"
		" 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 00\n",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		store_with_checksum(self->path, wrong[i]);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
		EXPECT_EQ(EINVAL, errno);
	}
}

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
		"cause \"a\"\nasked T1\n", "schedule -\ncall 1 \"a\"\ncall 1 \"b\"\n",
		"schedule -\ncall 0 \"a\"\n", "call 1 \"a\"\n", "schedule -\ncall 1 a\n",
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
	store(self->path, "chess-trace 16\nwhatever comes\n", 30);
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_EQ(ENOTSUP, errno);
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "version 16"));
	store(self->path, "#!/bin/sh\n", 10);
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(NULL, (void *)chess_trace_read("/nowhere/at-all"));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(NULL, (void *)chess_trace_read("/"));
	EXPECT_EQ(EISDIR, errno);
}

TEST_F(trace, files_that_come_later_come_back)
{
	struct chess_trace_probe later[] = {
		{ .path = "/tmp/plug in.so", .hash = "0123456789abcdef" },
		{ .path = "/tmp/b", .hash = "fedcba9876543210" },
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .later = later }, *back;
	unsigned int i;

	for (t.n_later = 0; t.n_later <= ARRAY_SIZE(later); t.n_later++) {
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		ASSERT_EQ(t.n_later, back->n_later);
		for (i = 0; i < t.n_later; i++) {
			EXPECT_STREQ(later[i].path, back->later[i].path);
			EXPECT_STREQ(later[i].hash, back->later[i].hash);
		}
		chess_trace_free(back);
	}
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
	EXPECT_STREQ("chess-trace 15\n"
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
		     "checksum cd87aaefc57cea9a\n", load(self->path, &size));
}

TEST_HARNESS_MAIN
