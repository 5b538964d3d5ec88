// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which records show tasks that wait for each other's locks for ever, and which
 * only look so: made by hand, a line for each op.
 */
#include <sys/syscall.h>

#include "harness.h"
#include "internal.h"
#include "run/partial.h"
#include "wait/wait.h"

#define A	0x1000
#define B	0x2000
#define COND	0x3000
#define MUTEX_LOCK	1	/* row of pthread_mutex_lock */

static struct chess_record *record;
static struct chess_partial found;

static uint32_t add(struct chess_event e)
{
	e.seq = chess_record_length(record) + 1;
	if (chess_record_push(record, &e, 1))
		abort();
	return e.seq;
}

static void flagged(uint16_t task, uint8_t what, uint64_t object, uint64_t arg, uint8_t flags)
{
	add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = what, .flags = CHESS_OPF_PROBE | flags,
		.task = task, .chosen = task, .object_kind = CHESS_OBJECT_ADDRESS,
		.object = object, .arg = arg, .nr = MUTEX_LOCK,
	});
}

static void op(uint16_t task, uint8_t what, uint64_t object)
{
	flagged(task, what, object, 0, what == CHESS_OP_RDLOCK ? 0 : CHESS_OPF_WRITE);
}

/* @task blocks in its last op, and @next goes on. */
static uint32_t block(uint16_t task, uint16_t next)
{
	return add((struct chess_event) { .type = CHESS_EVENT_BLOCK, .task = task,
					  .chosen = next });
}

static void other(uint8_t type, uint16_t task, uint64_t object)
{
	add((struct chess_event) { .type = type, .task = task, .chosen = CHESS_TASK_NONE,
				   .object = object });
}

static void spawn(uint16_t parent, uint16_t child, bool thread)
{
	add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_CREATE, .task = parent,
		.chosen = parent, .flags = thread ? CHESS_OPF_PROBE : 0,
		.nr = thread ? 30 : SYS_clone,
		.object_kind = thread ? CHESS_OBJECT_ADDRESS : CHESS_OBJECT_NONE,
		.object = thread ? 0x10 : 0,
	});
	other(CHESS_EVENT_SPAWN, parent, child);
}

static uint32_t find(bool only_sync)
{
	chess_waits_free(found.waits, found.n);
	if (chess_partial_find(record, only_sync, &found))
		abort();
	return found.at;
}

FIXTURE(partial)
{
	int unused;
};

FIXTURE_SETUP(partial)
{
	self->unused = 0;
	record = chess_record_new();
	spawn(0, 1, true);
	spawn(0, 2, true);
}

FIXTURE_TEARDOWN(partial)
{
	self->unused++;
	chess_record_free(record);
}

/* T1 has A, T2 has B. */
static void both_have_one(void)
{
	op(1, CHESS_OP_LOCK, A);
	op(2, CHESS_OP_LOCK, B);
}

/* They ask for each other's. Return: the event that closed it. */
static uint32_t both_ask(void)
{
	op(1, CHESS_OP_LOCK, B);
	block(1, 2);
	op(2, CHESS_OP_LOCK, A);
	return block(2, 0);
}

TEST_F(partial, opposite_order_is_found_where_it_closes)
{
	uint32_t at;

	both_have_one();
	at = both_ask();
	op(0, CHESS_OP_LOCK, COND);
	EXPECT_EQ(at, find(false));
	ASSERT_EQ((size_t)2, found.n);
	EXPECT_EQ(2U, found.waits[0].task);
	EXPECT_EQ(1U, found.waits[1].task);
	ASSERT_EQ((size_t)1, found.waits[0].n_holders);
	EXPECT_EQ(1U, found.waits[0].holders[0].task);
	EXPECT_EQ(5U, found.waits[0].holders[0].seq);
	EXPECT_STREQ("pthread_mutex_lock 0x1000 held by T1", found.waits[0].text);
}

TEST_F(partial, it_is_found_where_only_sync_functions_are_points)
{
	both_have_one();
	EXPECT_EQ(both_ask(), find(true));
}

TEST_F(partial, three_tasks)
{
	both_have_one();
	op(0, CHESS_OP_LOCK, COND);
	op(1, CHESS_OP_LOCK, B);
	block(1, 2);
	op(2, CHESS_OP_LOCK, COND);
	EXPECT_EQ(0U, find(false));
	block(2, 0);
	op(0, CHESS_OP_LOCK, A);
	EXPECT_EQ(block(0, CHESS_TASK_NONE), find(false));
	EXPECT_EQ((size_t)3, found.n);
}

TEST_F(partial, what_was_unlocked_is_free)
{
	both_have_one();
	op(1, CHESS_OP_UNLOCK, A);
	both_ask();
	EXPECT_EQ(0U, find(false));
}

TEST_F(partial, who_was_woken_waits_no_more)
{
	both_have_one();
	op(1, CHESS_OP_LOCK, B);
	block(1, 2);
	other(CHESS_EVENT_WAKE, 1, 2);
	op(2, CHESS_OP_LOCK, A);
	block(2, 1);
	EXPECT_EQ(0U, find(false));
}

TEST_F(partial, a_deadline_ends_it)
{
	both_have_one();
	flagged(1, CHESS_OP_LOCK, B, 0, CHESS_OPF_YIELD);
	block(1, 2);
	op(2, CHESS_OP_LOCK, A);
	block(2, 0);
	EXPECT_EQ(0U, find(false));
}

TEST_F(partial, a_lock_that_timed_out_is_not_had)
{
	op(2, CHESS_OP_LOCK, A);
	flagged(1, CHESS_OP_LOCK, A, 0, CHESS_OPF_YIELD);
	block(1, 2);
	op(2, CHESS_OP_UNLOCK, A);
	other(CHESS_EVENT_TIMEOUT, 1, 0);
	op(2, CHESS_OP_LOCK, B);
	both_ask();
	EXPECT_EQ(0U, find(false));
}

TEST_F(partial, trylock_takes_only_what_is_free)
{
	op(1, CHESS_OP_TRYLOCK, A);
	op(2, CHESS_OP_TRYLOCK, A);
	op(2, CHESS_OP_TRYLOCK, B);
	EXPECT_EQ(0U, find(false));
	EXPECT_EQ(both_ask(), find(false));
}

/* Somebody in another process has A, which both map: T1's trylock failed. */
TEST_F(partial, with_several_processes_a_trylock_gives_nothing)
{
	spawn(0, 3, false);
	op(3, CHESS_OP_LOCK, A);
	op(1, CHESS_OP_TRYLOCK, A);
	op(1, CHESS_OP_LOCK, A);
	block(1, 3);
	EXPECT_EQ(0U, find(false));
}

/* The waiter of the condition has not got its mutex. */
TEST_F(partial, a_condition_wait_gives_its_mutex_away)
{
	both_have_one();
	flagged(1, CHESS_OP_COND_WAIT, COND, A, 0);
	block(1, 2);
	op(2, CHESS_OP_LOCK, A);
	op(2, CHESS_OP_COND_SIGNAL, COND);
	block(2, 0);
	EXPECT_EQ(0U, find(false));
}

TEST_F(partial, a_mutex_locked_twice_waits_for_itself)
{
	op(1, CHESS_OP_LOCK, A);
	op(1, CHESS_OP_LOCK, A);
	block(1, 0);
	EXPECT_EQ(4U + 3, find(false));
	ASSERT_EQ((size_t)1, found.n);
	/* A recursive one, and then something that is not a point. */
	EXPECT_EQ(0U, find(true));
}

TEST_F(partial, readers_share_and_block_a_writer)
{
	op(1, CHESS_OP_RDLOCK, A);
	op(2, CHESS_OP_RDLOCK, A);
	op(0, CHESS_OP_RDLOCK, A);
	op(1, CHESS_OP_WRLOCK, A);
	EXPECT_EQ(block(1, 2), find(false));
	EXPECT_EQ((size_t)1, found.n);
}

/* Readers share: T1 has both, and is blocked in what is not a point. */
TEST_F(partial, a_reader_does_not_wait_for_readers)
{
	op(1, CHESS_OP_LOCK, B);
	op(2, CHESS_OP_RDLOCK, A);
	op(1, CHESS_OP_RDLOCK, A);
	block(1, 2);
	op(2, CHESS_OP_LOCK, B);
	block(2, 0);
	EXPECT_EQ(0U, find(true));
	EXPECT_EQ(0U, find(false));
}

/* T2 was killed while it waited for A, so it has it not. */
TEST_F(partial, who_died_waiting_has_nothing)
{
	op(1, CHESS_OP_LOCK, A);
	op(2, CHESS_OP_LOCK, A);
	block(2, 1);
	other(CHESS_EVENT_KILLED, 2, 9);
	op(1, CHESS_OP_UNLOCK, A);
	op(0, CHESS_OP_LOCK, A);
	op(1, CHESS_OP_LOCK, B);
	op(0, CHESS_OP_LOCK, B);
	block(0, 1);
	op(1, CHESS_OP_LOCK, A);
	EXPECT_EQ(block(1, CHESS_TASK_NONE), find(false));
}

/* Addresses of two processes are those of two locks. */
TEST_F(partial, processes_have_locks_of_their_own)
{
	spawn(0, 3, false);
	op(1, CHESS_OP_LOCK, A);
	op(3, CHESS_OP_LOCK, B);
	op(1, CHESS_OP_LOCK, B);
	block(1, 3);
	op(3, CHESS_OP_LOCK, A);
	block(3, 0);
	EXPECT_EQ(0U, find(false));
}

/* T2 cannot be past a lock that T1 has: one of them failed, and nobody knows which. */
TEST_F(partial, what_cannot_be_is_not_counted)
{
	both_have_one();
	op(2, CHESS_OP_LOCK, A);
	op(2, CHESS_OP_UNLOCK, COND);
	both_ask();
	EXPECT_EQ(0U, find(false));
}

/* T1 stands at its unlock and was preempted there: it has the lock, and will give it. */
TEST_F(partial, an_unlock_that_has_not_begun_is_no_unlock)
{
	both_have_one();
	add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_UNLOCK, .flags = CHESS_OPF_PROBE,
		.task = 1, .chosen = 2, .object_kind = CHESS_OBJECT_ADDRESS, .object = A,
	});
	op(2, CHESS_OP_LOCK, A);
	block(2, 1);
	EXPECT_EQ(0U, find(false));
	op(1, CHESS_OP_LOCK, B);
	block(1, 0);
	EXPECT_EQ(0U, find(false));
}

/* The record begins with three tasks: T1 is a thread of T0, T2 is one or is not. */
static void attach(uint8_t how)
{
	chess_record_free(record);
	record = chess_record_new();
	add((struct chess_event) { .type = CHESS_EVENT_SPAWN, .op = CHESS_OP_CREATE, .object = 1,
				   .chosen = CHESS_TASK_NONE });
	add((struct chess_event) { .type = CHESS_EVENT_SPAWN, .op = how, .object = 2,
				   .chosen = CHESS_TASK_NONE });
}

TEST_F(partial, threads_that_were_there_share_their_locks)
{
	attach(CHESS_OP_CREATE);
	both_have_one();
	EXPECT_EQ(both_ask(), find(false));
}

TEST_F(partial, processes_that_were_there_do_not)
{
	attach(CHESS_OP_FORK);
	both_have_one();
	both_ask();
	EXPECT_EQ(0U, find(false));
}

/* Somebody has A from before, so T1 may be past its trylock without it. */
TEST_F(partial, with_locks_from_before_a_trylock_gives_nothing)
{
	attach(CHESS_OP_CREATE);
	op(1, CHESS_OP_TRYLOCK, A);
	op(2, CHESS_OP_LOCK, B);
	both_ask();
	EXPECT_EQ(0U, find(false));
}

/* T1 has it from before and gives it: that is no reason to know less from then on. */
TEST_F(partial, who_has_a_lock_from_before_may_unlock_it)
{
	attach(CHESS_OP_CREATE);
	op(1, CHESS_OP_UNLOCK, A);
	both_have_one();
	EXPECT_EQ(both_ask(), find(false));
}

TEST_HARNESS_MAIN
