// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which readings of clocks are points, and for which files calls that ask for memory are
 * accesses. A scene is what a run left: T0 has created T1.
 */
#include <stdlib.h>
#include <sys/resource.h>

#include "harness.h"
#include "internal.h"
#include "code/elf_file.h"
#include "code/memcalls.h"
#include "race/racing.h"
#include "race/readings.h"

#define SITES		3
#define TURNS		17	/* one more than count as single readings */

struct reading {
	uint16_t task;
	uint8_t site;		/* 0: the end of the list */
	uint8_t times;
	bool early;		/* before the other task was created */
};

struct scene {
	const char *name;
	struct reading reading[4];
	uint32_t points[2];
	bool left;
};

#define R(t, s)		{ .task = t, .site = s, .times = 1 }
#define LOOP(t, s, n)	{ .task = t, .site = s, .times = n }
#define EARLY(t, s)	{ .task = t, .site = s, .times = 1, .early = true }
#define LEFT		.left = true

static const struct scene scenes[] = {
	{ .name = "two tasks", { R(0, 1), R(1, 2) }, { 1, 2 } },
	{ .name = "two tasks by one function", { R(0, 1), R(1, 1) }, { 1 } },
	{ .name = "one task", { R(0, 1), R(0, 2) }, { 0 } },
	{ .name = "one before the other began", { EARLY(0, 1), R(1, 2) }, { 0 } },
	{ .name = "as often as is allowed", { LOOP(0, 1, TURNS - 1), R(1, 2) }, { 1, 2 } },
	{ .name = "a loop of one of them", { LOOP(0, 1, TURNS), R(1, 2) }, { 0 }, LEFT },
	{ .name = "a loop beside others", { LOOP(0, 1, TURNS), R(0, 3), R(1, 2) }, { 2, 3 }, LEFT },
	{ .name = "a loop of the only task", { LOOP(0, 1, TURNS) }, { 0 } },
};

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

static void add(struct chess_run_result *run, struct chess_access *all, const struct reading *of)
{
	unsigned int i;

	for (i = 0; i < of->times; i++)
		all[run->n_accesses++] = (struct chess_access) {
			.address = CHESS_ADDRESS_CLOCK, .size = 8, .kind = CHESS_ACCESS_MAY_WRITE,
			.task = of->task, .site = of->site, .ip = 0x500000 + of->site,
			.seq = chess_record_length(run->record),
		};
}

static bool has(const struct chess_run_races *races, uint32_t site)
{
	size_t i;

	for (i = 0; i < races->n_sites; i++)
		if (races->site[i] == site)
			return true;
	return false;
}

static void play(const struct scene *s)
{
	struct chess_access all[4 * TURNS];
	struct chess_run_result run = { .record = chess_record_new(), .accesses = all };
	struct chess_racing_types types = { 0 };
	struct chess_run_races *races;
	uint32_t site;
	size_t i;

	for (i = 0; s->reading[i].site; i++)
		if (s->reading[i].early)
			add(&run, all, &s->reading[i]);
	push(run.record, (struct chess_event) {
		.type = CHESS_EVENT_SPAWN, .object = 1, .chosen = CHESS_TASK_NONE,
	});
	for (i = 0; s->reading[i].site; i++)
		if (!s->reading[i].early)
			add(&run, all, &s->reading[i]);
	push(run.record, (struct chess_event) {
		.type = CHESS_EVENT_EXIT, .task = 1, .enabled = 1,
	});
	ASSERT_EQ(0, chess_run_races_find(&types, &run, &races));
	EXPECT_EQ(0UL, races->n_pairs);
	for (site = 1; site <= SITES; site++) {
		bool expected = s->points[0] == site || s->points[1] == site;

		if (has(races, site) == expected)
			continue;
		TH_LOG("%s: site %u is%s a point", s->name, site, expected ? " not" : "");
		HARNESS_FAILED(0);
	}
	if (has(races, CHESS_SITE_READINGS) != s->left) {
		TH_LOG("%s: whether readings are left out", s->name);
		HARNESS_FAILED(0);
	}
	chess_run_races_free(races);
	chess_racing_types_clear(&types);
	chess_record_free(run.record);
}

TEST(readings_that_nothing_orders_are_points)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		play(&scenes[i]);
}

/* How many functions that the file calls read the limits, and how many are known at all. */
static size_t count_readers(const char *path, size_t *known)
{
	struct chess_elf_file file;
	struct chess_memcalls calls;
	size_t i, n = 0;

	ASSERT_EQ(0, chess_elf_open(path, &file));
	ASSERT_EQ(0, chess_memcalls_read(file.elf, &calls));
	for (i = 0; i < calls.n; i++)
		n += calls.way[i].function->access[0].of == CHESS_MEMCALL_LIMITS &&
		     calls.way[i].function->access[0].kind == CHESS_ACCESS_MAY_READ;
	*known = calls.n;
	chess_memcalls_free(&calls);
	chess_elf_close(&file);
	return n;
}

TEST(who_asks_for_memory_reads_limits_where_the_file_sets_some)
{
	struct rlimit core;
	size_t known;

	/* So that this file has both. */
	ASSERT_EQ(0, getrlimit(RLIMIT_CORE, &core));
	ASSERT_EQ(0, setrlimit(RLIMIT_CORE, &core));
	free(malloc(1));
	EXPECT_GT(count_readers("/proc/self/exe", &known), 0UL);
	/* It calls malloc(), too. */
	EXPECT_EQ(0UL, count_readers("/bin/true", &known));
	EXPECT_GT(known, 0UL);
}

TEST_HARNESS_MAIN
