// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves libchessctl/run/livelock.c: which long runs are livelocks and which are just long,
 * where such a run is cut, and which round is shown.
 */
#include "internal.h"
#include "run/livelock.h"
#include "harness.h"

static struct chess_record *record;
static uint64_t enabled;

/* Appends a point of @task at @ip; those of @enabled are, at first T1 and T2. */
static void point(uint16_t task, uint64_t ip, uint16_t chosen, uint8_t flags)
{
	struct chess_event e = {
		.seq = chess_record_length(record) + 1, .type = CHESS_EVENT_POINT, .task = task,
		.chosen = chosen, .ip = ip, .flags = flags, .enabled = enabled,
		.op = CHESS_OP_TRYLOCK,
	};

	ASSERT_EQ(0, chess_record_push(record, &e, 1));
}

static void other(uint8_t type, uint16_t task, uint16_t chosen)
{
	struct chess_event e = {
		.seq = chess_record_length(record) + 1, .type = type, .task = task,
		.chosen = chosen, .enabled = enabled,
	};

	ASSERT_EQ(0, chess_record_push(record, &e, 1));
}

static void begin(void)
{
	chess_record_free(record);
	record = chess_record_new();
	enabled = 6;
	other(CHESS_EVENT_EXEC, 0, CHESS_TASK_NONE);
}

/* T1 and T2 try in turn, and yield. */
static void polite_round(void)
{
	point(1, 0x10, 1, 0);
	point(1, 0x20, 2, CHESS_OPF_YIELD);
	point(2, 0x10, 2, 0);
	point(2, 0x20, 1, CHESS_OPF_YIELD);
}

static void rounds(void (*one)(void), size_t n)
{
	while (n--)
		one();
}

TEST(tasks_that_yield_to_each_other_for_ever_are_a_livelock)
{
	struct chess_cycle cycle;

	begin();
	point(0, 0x99, 1, 0);
	rounds(polite_round, 100);
	/* one more than 200: the end of round 50 and the first point, of 51 there are none */
	EXPECT_EQ((size_t)202, chess_livelock_find(record, 200));
	EXPECT_EQ((size_t)402, chess_livelock_find(record, 400));
	EXPECT_EQ((size_t)0, chess_livelock_find(record, 401));
	EXPECT_EQ((size_t)401, chess_record_weight(record));
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ((size_t)402, cycle.end);
	EXPECT_EQ((size_t)398, cycle.first);
	/* 201 points are in the second half: 50 whole rounds */
	EXPECT_EQ((size_t)50, cycle.rounds);
	EXPECT_EQ(-1, cycle.selfish);
	EXPECT_EQ(-1, cycle.starved);
	EXPECT_STREQ("livelock", chess_cycle_kind(&cycle));
}

TEST(steps_that_differ_are_no_cycle)
{
	struct chess_cycle cycle;
	size_t i;

	begin();
	for (i = 0; i < 400; i++)
		point(1, 0x1000 + i, 1, CHESS_OPF_YIELD);
	EXPECT_FALSE(chess_record_cycle(record, &cycle));
	/* nor is what was the same for less than half of the run */
	begin();
	for (i = 0; i < 240; i++)
		point(1, 0x1000 + i, 1, CHESS_OPF_YIELD);
	rounds(polite_round, 40);
	EXPECT_FALSE(chess_record_cycle(record, &cycle));
	rounds(polite_round, 21);
	EXPECT_TRUE(chess_record_cycle(record, &cycle));
}

/* T1 and T2 go on as splitmix64 (kmod/policy.c) says, each in the loop of polite_round(). */
static void by_chance(size_t n, uint8_t flags_of_second)
{
	static uint64_t random;
	uint64_t at[2] = { 0 };
	uint16_t task = 1, next;

	for (random = 1; n--; task = next) {
		uint64_t z = random += 0x9e3779b97f4a7c15ULL;

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
		next = 1 + ((z ^ (z >> 31)) & 1);
		/* A wait in between is not part of the loop. */
		if (!(z & 0xf00))
			other(CHESS_EVENT_BLOCK, task, next);
		if (at[task - 1]++ & 1)
			point(task, 0x20, next, task == 2 ? flags_of_second : CHESS_OPF_YIELD);
		else
			point(task, 0x10, next, 0);
	}
}

TEST(tasks_that_chance_chooses_have_a_cycle_each)
{
	struct chess_cycle cycle;

	begin();
	point(0, 0x99, 1, 0);
	by_chance(400, CHESS_OPF_YIELD);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_TRUE(cycle.separate);
	EXPECT_EQ(chess_record_length(record), cycle.end);
	/* 200 points of two tasks are in the second half, and no task has more than 150 of them */
	EXPECT_GE(cycle.rounds, (size_t)25);
	EXPECT_LE(cycle.rounds, (size_t)50);
	EXPECT_EQ(-1, cycle.selfish);
	EXPECT_EQ(-1, cycle.starved);
	EXPECT_STREQ("livelock", chess_cycle_kind(&cycle));
	/* T2 never yields, and T1 could run */
	begin();
	by_chance(400, 0);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(2, cycle.selfish);
	/* one step of one task that is not in its loop */
	begin();
	by_chance(300, CHESS_OPF_YIELD);
	point(2, 0x77, 1, 0);
	by_chance(100, CHESS_OPF_YIELD);
	EXPECT_FALSE(chess_record_cycle(record, &cycle));
}

/* T0 is enabled all the time, and its turn never comes: not only in the last round. */
TEST(task_that_chance_never_chooses_starves)
{
	struct chess_cycle cycle;

	begin();
	enabled = 7;
	point(0, 0x99, 1, 0);
	by_chance(400, CHESS_OPF_YIELD);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_TRUE(cycle.separate);
	EXPECT_EQ(0, cycle.starved);
}

/* The last choice is not repeated: the run is cut there. */
TEST(choice_after_the_last_step_is_not_part_of_the_cycle)
{
	struct chess_cycle cycle;

	begin();
	rounds(polite_round, 100);
	point(1, 0x10, 2, 0);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_FALSE(cycle.separate);
	EXPECT_EQ((size_t)401, cycle.end);
}

/* At 100 points nothing is repeated yet, at 200 for too short a time. */
TEST(run_that_comes_into_its_cycle_late_is_cut_later)
{
	size_t i;

	begin();
	for (i = 0; i < 120; i++)
		point(1, 0x1000 + i, 1, 0);
	rounds(polite_round, 100);
	EXPECT_EQ((size_t)1 + 401, chess_livelock_find(record, 100));
	/* the second half of 231 points begins before the cycle, that of 461 does not */
	EXPECT_EQ((size_t)1 + 461, chess_livelock_find(record, 230));
	/* of 261 it does not, of 520 there are no 521 */
	EXPECT_EQ((size_t)1 + 261, chess_livelock_find(record, 260));
	EXPECT_EQ((size_t)0, chess_livelock_find(record, 520));
}

static void point_alone(void)
{
	point(1, 0x10, 1, CHESS_OPF_ALONE);
	point(1, 0x20, 1, CHESS_OPF_ALONE);
}

static void yield_alone(void)
{
	point(1, 0x10, 1, CHESS_OPF_ALONE);
	point(1, 0x20, 1, CHESS_OPF_ALONE | CHESS_OPF_YIELD);
}

/* The others are blocked: a loop that computes, and a loop that waits for nobody. */
TEST(task_alone_is_a_livelock_only_if_it_yields)
{
	struct chess_cycle cycle;

	begin();
	rounds(point_alone, 200);
	EXPECT_FALSE(chess_record_cycle(record, &cycle));
	begin();
	rounds(yield_alone, 200);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(-1, cycle.selfish);
	EXPECT_EQ((size_t)2, cycle.end - cycle.first);
}

/* T1 is taken to yield once in five points; T2 does it by itself. */
static void selfish_round(void)
{
	int i;

	for (i = 0; i < 4; i++)
		point(1, 0x10, 1, 0);
	point(1, 0x10, 2, CHESS_OPF_YIELD);
	point(2, 0x20, 1, CHESS_OPF_YIELD);
}

TEST(who_never_yields_by_itself_breaks_the_good_samaritan_rule)
{
	struct chess_cycle cycle;

	begin();
	rounds(selfish_round, 50);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(1, cycle.selfish);
	EXPECT_EQ(-1, cycle.starved);
	EXPECT_STREQ("good-samaritan", chess_cycle_kind(&cycle));
	EXPECT_EQ((size_t)6, cycle.end - cycle.first);
}

/* T1 takes the lock and yields; T2 is woken for it when it is taken again. */
static void starving_round(void)
{
	enabled = 2;
	point(1, 0x10, 1, CHESS_OPF_ALONE);
	enabled = 6;
	point(1, 0x20, 2, CHESS_OPF_YIELD);
	enabled = 2;
	other(CHESS_EVENT_BLOCK, 2, 1);
	other(CHESS_EVENT_WAKE, 2, CHESS_TASK_NONE);
}

TEST(who_has_its_turn_in_vain_starves)
{
	struct chess_cycle cycle;

	begin();
	point(0, 0x1, 2, 0);
	point(2, 0x30, 1, 0);
	rounds(starving_round, 50);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(-1, cycle.selfish);
	EXPECT_EQ(2, cycle.starved);
	EXPECT_STREQ("starvation", chess_cycle_kind(&cycle));
	EXPECT_EQ(0x30ull, chess_record_last_point(record, cycle.first, cycle.starved)->ip);
}

/* T0 waits for a thread's end, and nobody ever wakes it. */
TEST(who_is_never_enabled_does_not_starve)
{
	struct chess_cycle cycle;

	begin();
	point(0, 0x1, 0, 0);
	other(CHESS_EVENT_BLOCK, 0, 1);
	rounds(polite_round, 50);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(-1, cycle.starved);
}

static void sleeper_beside(void)
{
	enabled = 6;
	point(1, 0x10, 1, CHESS_OPF_YIELD);
	enabled = 2;
	other(CHESS_EVENT_BLOCK, 2, 1);
	other(CHESS_EVENT_TIMEOUT, 2, CHESS_TASK_NONE);
}

/* Its wait ended, so it got on. */
TEST(who_times_out_does_not_starve)
{
	struct chess_cycle cycle;

	begin();
	rounds(sleeper_beside, 50);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(-1, cycle.starved);
}

/* T1 never yields; T2 has its turn where the lock is taken. */
static void selfish_and_starving(void)
{
	point(1, 0x10, 1, 0);
	point(1, 0x20, 2, 0);
	other(CHESS_EVENT_BLOCK, 2, 1);
}

TEST(starved_task_is_told_beside_the_selfish_one)
{
	struct chess_cycle cycle;

	begin();
	rounds(selfish_and_starving, 50);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(1, cycle.selfish);
	EXPECT_EQ(2, cycle.starved);
	EXPECT_STREQ("good-samaritan", chess_cycle_kind(&cycle));
}

static void two_selfish(void)
{
	point(1, 0x10, 2, 0);
	point(2, 0x20, 1, 0);
}

/* Two that compute in turns: nobody waits for anybody. */
TEST(two_that_never_yield_are_a_long_run)
{
	struct chess_cycle cycle;

	begin();
	rounds(two_selfish, 100);
	EXPECT_FALSE(chess_record_cycle(record, &cycle));
}

static void sleeps_and_looks(void)
{
	point(1, 0x10, 1, CHESS_OPF_ALONE);
	other(CHESS_EVENT_BLOCK, 1, 1);
	other(CHESS_EVENT_TIMEOUT, 1, CHESS_TASK_NONE);
}

TEST(deadline_that_passes_is_a_yield)
{
	struct chess_cycle cycle;

	begin();
	rounds(sleeps_and_looks, 50);
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(-1, cycle.selfish);
}

static void spins_without_points(void)
{
	other(CHESS_EVENT_QUANTUM, 1, 2);
	point(2, 0x20, 1, CHESS_OPF_YIELD);
}

TEST(quantum_counts_for_a_thousand_points)
{
	struct chess_cycle cycle;

	begin();
	rounds(spins_without_points, 20);
	EXPECT_EQ((size_t)20020, chess_record_weight(record));
	/* the eleventh quantum is the first that makes more than 10,010 */
	EXPECT_EQ((size_t)22, chess_livelock_find(record, 10010));
	ASSERT_TRUE(chess_record_cycle(record, &cycle));
	EXPECT_EQ(1, cycle.selfish);
}

TEST_HARNESS_MAIN
