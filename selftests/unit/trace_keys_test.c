// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that what each key of a trace says comes back from disk, that it has one spelling and no
 * other, and that a version that does not have the key refuses it.
 */
#include "harness.h"
#include "trace/trace.h"
#include "trace_file.h"

FIXTURE(keys) {
	char path[64];
};

FIXTURE_SETUP(keys)
{
	int fd;

	strcpy(self->path, "/tmp/chess-trace-keys-XXXXXX");
	fd = mkstemp(self->path);
	ASSERT_LE(0, fd);
	close(fd);
}

FIXTURE_TEARDOWN(keys)
{
	EXPECT_EQ(0, unlink(self->path));
}

/* Before version 8 nothing was fair. */
TEST_F(keys, fairness_comes_back)
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

TEST_F(keys, yields_at_trylock_come_back)
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
TEST_F(keys, watchdogs_come_back)
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

/* Since version 16: in older traces such timers could go off early. */
TEST_F(keys, late_limits_come_back)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace *back;
	int late;

	for (late = 0; late < 2; late++) {
		chess_record_set_late_watchdogs(t.record, true);
		chess_record_set_late_limits(t.record, late);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(!!late, chess_record_late_limits(back->record));
	}
	store_with_checksum(self->path, "chess-trace 15\nlimits late\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

/* Both or neither; since version 20. */
TEST_F(keys, late_deadlines_come_back)
{
	static const char *const bad[] = {
		"chess-trace 19\nearly-max 7\nverdict ok\nstatus 0\n",
		"chess-trace 20\nearly-max 0\nverdict ok\nstatus 0\n",
		"chess-trace 20\nearly-max 7\nearly-max 7\nverdict ok\nstatus 0\n",
		"chess-trace 19\nlate-programs \"a\"\nverdict ok\nstatus 0\n",
		"chess-trace 20\nlate-programs \"\"\nverdict ok\nstatus 0\n",
		"chess-trace 20\nlate-programs \"a\"\nlate-programs \"a\"\nverdict ok\nstatus 0\n",
	};
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	char longest[CHESS_LATE_PROGRAMS + 1], text[512];
	struct chess_trace *back;
	size_t i;

	memset(longest, 'n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	for (i = 0; i < 2; i++) {
		chess_record_set_early_max(t.record, i ? 1500 : 0);
		chess_record_set_late_programs(t.record, i ? longest : NULL);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(i ? 1500 : 0, (int)chess_record_early_max(back->record));
		EXPECT_EQ(!i, !chess_record_late_programs(back->record));
		if (i)
			EXPECT_EQ(0, strcmp(longest, chess_record_late_programs(back->record)));
		chess_trace_free(back);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		store_with_checksum(self->path, bad[i]);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	}
	snprintf(text, sizeof(text), "chess-trace 20\nlate-programs \"n%s\"\nverdict ok\nstatus 0\n",
		 longest);
	store_with_checksum(self->path, text);
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

/* Since version 17: in older traces 1000 points in a row were the most. */
TEST_F(keys, long_rows_come_back)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace *back;
	int longer;

	for (longer = 0; longer < 2; longer++) {
		chess_record_set_long_rows(t.record, longer);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(!!longer, chess_record_long_rows(back->record));
	}
	store_with_checksum(self->path, "chess-trace 16\nrows long\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

/* Since version 21, likewise. */
TEST_F(keys, split_copies_come_back)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace_probe file = { .path = "/a", .hash = "0123456789abcdef" };
	struct chess_trace_point point = { .file = 0, .offset = 8 };
	struct chess_trace *back;
	int split;

	t.code_files = &file;
	t.n_code_files = 1;
	t.access_points = &point;
	t.n_access_points = 1;
	for (split = 0; split < 2; split++) {
		chess_record_set_split_copies(t.record, split);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(split, chess_record_split_copies(back->record));
		chess_trace_free(back);
	}
	store_with_checksum(self->path, "chess-trace 20\ncopies split\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

/* Since version 22. */
TEST_F(keys, more_calls_come_back)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace *back;
	int more;

	for (more = 0; more < 2; more++) {
		chess_record_set_more_calls(t.record, more);
		ASSERT_EQ(0, chess_trace_write(&t, self->path));
		back = chess_trace_read(self->path);
		ASSERT_NE(NULL, (void *)back);
		EXPECT_EQ(more, chess_record_more_calls(back->record));
		chess_trace_free(back);
	}
	store_with_checksum(self->path, "chess-trace 21\ncalls more\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

#define TWO_TASKS	"schedule T0\nevent 1 point T0 -> T0\nevent 2 spawn T0 object=task:0x1\n"

/* Since version 23: of tasks that there are, in their order. */
TEST_F(keys, names_of_tasks_come_back)
{
	static const char *const bad[] = {
		"name T2 \"a\"\n", "name T1 \"a\"\nname T0 \"b\"\n", "name T0 \"a\"\nname T0 \"b\"\n",
		"name - \"a\"\n", "name timer \"a\"\n", "name T0 a\n", "name T0 \"a\" \n", "name T0\n",
	};
	struct chess_trace_name names[] = { { 0, (char *)"bank" }, { 1, (char *)"a\n\"b\"" } };
	struct chess_event spawn = { .seq = 1, .type = CHESS_EVENT_SPAWN, .object = 1,
				     .object_kind = CHESS_OBJECT_TASK };
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new(),
				 .names = names, .n_names = 2 };
	struct chess_trace *back;
	char *body;
	size_t i;

	chess_record_push(t.record, &spawn, 1);
	ASSERT_EQ(0, chess_trace_write(&t, self->path));
	back = chess_trace_read(self->path);
	ASSERT_NE(NULL, (void *)back);
	ASSERT_EQ((size_t)2, back->n_names);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(names[i].task, back->names[i].task);
		EXPECT_STREQ(names[i].name, back->names[i].name);
	}
	chess_trace_free(back);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ASSERT_LT(0, asprintf(&body, "chess-trace 23\nverdict ok\nstatus 0\n" TWO_TASKS
				      "%s", bad[i]));
		store_with_checksum(self->path, body);
		EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
		free(body);
	}
	store_with_checksum(self->path, "chess-trace 23\nverdict ok\nstatus 0\nname T0 \"a\"\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "after the schedule"));
	store_with_checksum(self->path, "chess-trace 22\nverdict ok\nstatus 0\n" TWO_TASKS
			    "name T0 \"a\"\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	/* The same in this version is a trace. */
	store_with_checksum(self->path, "chess-trace 23\nverdict ok\nstatus 0\n" TWO_TASKS
			    "name T0 \"a\"\n");
	back = chess_trace_read(self->path);
	EXPECT_NE(NULL, (void *)back);
	chess_trace_free(back);
	chess_record_free(t.record);
}

/* Since version 13; without access points there is nothing to split. */
TEST_F(keys, split_updates_come_back)
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

/* Since version 18; without access points there are no such loops. */
TEST_F(keys, loops_that_wait_come_back)
{
	struct chess_trace t = { .verdict = CHESS_VERDICT_OK, .record = chess_record_new() };
	struct chess_trace_probe file = { .path = "/a", .hash = "0123456789abcdef" };
	struct chess_trace_point point = { .file = 0, .offset = 8 };
	struct chess_trace *back;
	int yield, points;

	t.code_files = &file;
	t.n_code_files = 1;
	t.access_points = &point;
	for (yield = 0; yield < 2; yield++)
		for (points = 0; points < 2; points++) {
			t.n_access_points = points;
			chess_record_set_yield_await(t.record, yield);
			ASSERT_EQ(0, chess_trace_write(&t, self->path));
			back = chess_trace_read(self->path);
			ASSERT_NE(NULL, (void *)back);
			EXPECT_EQ(yield && points, chess_record_yield_await(back->record));
			chess_trace_free(back);
		}
	store_with_checksum(self->path, "chess-trace 17\nawaits yield\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
	store_with_checksum(self->path,
			    "chess-trace 18\nawaits yield\nawaits yield\nverdict ok\nstatus 0\n");
	EXPECT_EQ(NULL, (void *)chess_trace_read(self->path));
}

/* Since version 14. */
TEST_F(keys, functions_come_back)
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
TEST_F(keys, early_timers_come_back)
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

TEST_F(keys, time_and_time_outs_come_back)
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

TEST_F(keys, minimal_comes_back)
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

TEST_F(keys, surroundings_come_back)
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

TEST_F(keys, what_is_known_of_accesses_comes_back)
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

TEST_F(keys, which_call_is_in_a_handler_comes_back)
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

TEST_F(keys, probes_come_back)
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
TEST_F(keys, expectations_output_and_faults_come_back)
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

TEST_F(keys, expectations_have_one_spelling)
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

TEST_F(keys, files_that_come_later_come_back)
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

TEST_HARNESS_MAIN
