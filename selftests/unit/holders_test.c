// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves who is said to be able to end a wait, and since which op: from records of a
 * few events made by hand. And which cycle of waits is shown.
 */
#include <sys/file.h>
#include <sys/syscall.h>

#include "harness.h"
#include "wait/holders.h"
#include "internal.h"

#define A	0x1000
#define B	0x2000

static struct chess_record *record;

static uint32_t add(struct chess_event e)
{
	e.seq = chess_record_length(record) + 1;
	if (chess_record_push(record, &e, 1))
		abort();
	return e.seq;
}

/* @task does @op on an address, and goes on. */
static uint32_t op(uint16_t task, uint8_t what, uint64_t object)
{
	return add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = what, .flags = CHESS_OPF_PROBE, .task = task,
		.chosen = task, .object_kind = CHESS_OBJECT_ADDRESS, .object = object,
	});
}

static uint32_t call(uint16_t task, uint32_t nr, uint64_t inode, uint64_t arg, int64_t result)
{
	return add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .nr = nr, .task = task, .chosen = task,
		.op = nr == SYS_flock || nr == SYS_fcntl ? CHESS_OP_FLOCK : CHESS_OP_READ,
		.object_kind = CHESS_OBJECT_INODE, .object = inode, .arg = arg, .result = result,
	});
}

/* The wait of @task in op @seq, with everybody in @who as candidate. */
static struct chess_wait wait_in(uint32_t task, uint32_t seq, const char *who)
{
	const struct chess_event *e = chess_record_event(record, seq - 1);
	struct chess_wait w = { .task = task, .seq = seq, .asked = true };

	for (; *who; who++) {
		struct chess_holder h = {
			.task = *who - '0', .how = CHESS_HOLD_MAY,
			.object_kind = e->object_kind, .object = e->object,
		};

		if (chess_holders_add(&w, &h))
			abort();
	}
	return w;
}

/* The holders in words: "T1 has 4, T2 has 5". */
static const char *said(const struct chess_wait *w)
{
	static char text[200];
	size_t i;

	text[0] = '\0';
	for (i = 0; i < w->n_holders; i++)
		sprintf(text + strlen(text), "%sT%u %s %u", i ? ", " : "", w->holders[i].task,
			chess_hold_name(w->holders[i].how), w->holders[i].seq);
	return text;
}

FIXTURE(holders)
{
	struct chess_wait waits[4];
	size_t n;
};

FIXTURE_SETUP(holders)
{
	self->n = 0;
	record = chess_record_new();
}

FIXTURE_TEARDOWN(holders)
{
	while (self->n--)
		free(self->waits[self->n].holders);
	chess_record_free(record);
}

TEST_F(holders, a_lock_is_held_by_who_locked_it_more_often_than_it_unlocked)
{
	op(0, CHESS_OP_LOCK, A);
	op(0, CHESS_OP_LOCK, A);
	op(0, CHESS_OP_UNLOCK, A);
	op(1, CHESS_OP_LOCK, B);
	op(1, CHESS_OP_UNLOCK, B);
	self->waits[self->n++] = wait_in(1, op(1, CHESS_OP_LOCK, A), "012");
	self->waits[self->n++] = wait_in(2, op(2, CHESS_OP_LOCK, B), "012");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T0 has 2", said(&self->waits[0]));
	EXPECT_STREQ("", said(&self->waits[1]));
}

TEST_F(holders, an_op_is_done_when_its_task_goes_on)
{
	uint32_t locked = op(0, CHESS_OP_LOCK, A);
	struct chess_event unlock = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_UNLOCK, .flags = CHESS_OPF_PROBE,
		.task = 0, .chosen = 1, .object_kind = CHESS_OBJECT_ADDRESS, .object = A,
	};

	EXPECT_EQ(1U, locked);
	add(unlock);
	self->waits[self->n++] = wait_in(1, op(1, CHESS_OP_LOCK, A), "0");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T0 has 1", said(&self->waits[0]));
	/* T1 blocks, and T0 goes on. */
	add((struct chess_event) { .type = CHESS_EVENT_BLOCK, .task = 1, .chosen = 0 });
	self->waits[self->n++] = wait_in(1, 3, "0");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits + 1, 1));
	EXPECT_STREQ("", said(&self->waits[1]));
}

TEST_F(holders, a_reader_that_wants_to_write_waits_for_itself)
{
	size_t cycle[1];

	op(0, CHESS_OP_RDLOCK, A);
	self->waits[self->n++] = wait_in(0, op(0, CHESS_OP_WRLOCK, A), "01");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T0 has 1", said(&self->waits[0]));
	EXPECT_EQ((size_t)1, chess_waits_cycle(self->waits, self->n, cycle));
}

static size_t lost(uint32_t seq, uint32_t *last)
{
	size_t n = 99;

	if (chess_record_lost_signals(record, seq, &n, last))
		abort();
	return n;
}

TEST_F(holders, signals_before_a_wait_are_lost)
{
	uint32_t last, second;

	(void)self;
	op(1, CHESS_OP_COND_SIGNAL, A);
	op(1, CHESS_OP_COND_SIGNAL, B);
	second = op(1, CHESS_OP_COND_BROADCAST, A);
	EXPECT_EQ((size_t)2, lost(op(0, CHESS_OP_COND_WAIT, A), &last));
	EXPECT_EQ(second, last);
	/* T0 waits now. */
	op(1, CHESS_OP_COND_SIGNAL, A);
	EXPECT_EQ((size_t)2, lost(op(2, CHESS_OP_COND_WAIT, A), &last));
	EXPECT_EQ(second, last);
	/* Nor has anybody signalled a lock. */
	EXPECT_EQ((size_t)0, lost(op(3, CHESS_OP_LOCK, A), &last));
	EXPECT_EQ(0U, last);
}

TEST_F(holders, a_signal_that_was_not_given_yet_is_not_lost)
{
	struct chess_event signal = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_COND_SIGNAL, .flags = CHESS_OPF_PROBE,
		.task = 1, .chosen = 0, .object_kind = CHESS_OBJECT_ADDRESS, .object = A,
	};
	uint32_t last;

	(void)self;
	op(0, CHESS_OP_LOCK, B);
	add(signal);
	EXPECT_EQ((size_t)0, lost(op(0, CHESS_OP_COND_WAIT, A), &last));
}

TEST_F(holders, the_condition_of_another_process_is_another_one)
{
	uint32_t last;

	(void)self;
	add((struct chess_event) { .type = CHESS_EVENT_POINT, .op = CHESS_OP_FORK, .chosen = 0 });
	add((struct chess_event) { .type = CHESS_EVENT_SPAWN,
				   .object_kind = CHESS_OBJECT_TASK, .object = 1 });
	op(1, CHESS_OP_COND_SIGNAL, A);
	EXPECT_EQ((size_t)0, lost(op(0, CHESS_OP_COND_WAIT, A), &last));
}

TEST_F(holders, a_futex_says_itself_whom_it_woke)
{
	struct chess_event wake = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_FUTEX_WAKE, .nr = SYS_futex, .task = 1,
		.chosen = 1, .object_kind = CHESS_OBJECT_ADDRESS, .object = A, .result = 1,
	}, wait = wake;
	uint32_t last;

	(void)self;
	add(wake);
	wait.op = CHESS_OP_FUTEX_WAIT;
	wait.task = wait.chosen = 0;
	wait.result = 0;
	EXPECT_EQ((size_t)0, lost(add(wait), &last));
	wake.result = 0;
	wake.object = B;
	add(wake);
	wait.object = B;
	EXPECT_EQ((size_t)1, lost(add(wait), &last));
}

TEST_F(holders, a_condition_wait_gives_its_mutex_away)
{
	uint32_t waits;

	op(0, CHESS_OP_LOCK, A);
	waits = add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_COND_WAIT, .flags = CHESS_OPF_PROBE,
		.object_kind = CHESS_OBJECT_ADDRESS, .object = B, .arg = A,
	});
	self->waits[self->n++] = wait_in(0, waits, "1");
	self->waits[self->n++] = wait_in(1, op(1, CHESS_OP_LOCK, A), "0");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T1 may 0", said(&self->waits[0]));
	EXPECT_STREQ("", said(&self->waits[1]));
}

TEST_F(holders, who_took_a_semaphore_comes_before_who_posted_it)
{
	op(1, CHESS_OP_SEM_WAIT, A);
	op(2, CHESS_OP_SEM_WAIT, A);
	op(2, CHESS_OP_SEM_POST, A);
	self->waits[self->n++] = wait_in(0, op(0, CHESS_OP_SEM_WAIT, A), "123");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T1 took 1", said(&self->waits[0]));
}

TEST_F(holders, who_signalled_last_and_is_gone_is_named)
{
	op(1, CHESS_OP_COND_SIGNAL, A);
	op(2, CHESS_OP_COND_SIGNAL, A);
	op(1, CHESS_OP_COND_SIGNAL, B);
	self->waits[self->n++] = wait_in(0, op(0, CHESS_OP_COND_WAIT, A), "");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T2 gone 2", said(&self->waits[0]));
	EXPECT_EQ(NULL, (void *)chess_wait_holder(&self->waits[0], 2));
}

/* T1 had the lock when T0 forked T2; the copy stays locked though T1 unlocks its own. */
TEST_F(holders, a_lock_copied_by_fork_is_lost)
{
	op(1, CHESS_OP_LOCK, A);
	add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_CREATE, .nr = SYS_clone,
	});
	add((struct chess_event) { .type = CHESS_EVENT_SPAWN, .object = 2,
				   .object_kind = CHESS_OBJECT_TASK,
				   .chosen = CHESS_TASK_NONE });
	op(1, CHESS_OP_UNLOCK, A);
	self->waits[self->n++] = wait_in(2, op(2, CHESS_OP_LOCK, A), "");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T1 lost 1", said(&self->waits[0]));
}

TEST_F(holders, of_threads_that_lock_a_file_the_last_one_has_it)
{
	call(0, SYS_flock, 3, LOCK_EX, 0);
	call(0, SYS_flock, 3, LOCK_UN, 0);
	call(1, SYS_flock, 3, LOCK_EX, 0);
	call(2, SYS_flock, 3, LOCK_EX, -11);
	call(2, SYS_fcntl, 3, F_GETFL, 0);
	self->waits[self->n++] = wait_in(3, call(3, SYS_flock, 3, LOCK_EX, 0), "012");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T1 has 3", said(&self->waits[0]));
}

TEST_F(holders, who_waits_for_room_waits_for_who_filled_it)
{
	call(1, SYS_write, 3, 0, 1);
	call(2, SYS_write, 3, 0, 1);
	call(2, SYS_read, 3, 0, 1);
	self->waits[self->n++] = wait_in(0, call(0, SYS_write, 3, 0, 0), "12");
	ASSERT_EQ(0, chess_holders_determine(record, self->waits, self->n));
	EXPECT_STREQ("T1 took 1", said(&self->waits[0]));
}

static struct chess_wait edge(uint32_t from, uint32_t to, enum chess_hold how)
{
	struct chess_wait w = { .task = from };
	struct chess_holder h = { .task = to, .how = how };

	if (chess_holders_add(&w, &h))
		abort();
	return w;
}

/* 0 -> 1 -> 2 -> 3 -> 1: the cycle leaves out T0. */
TEST_F(holders, the_cycle_is_found_behind_a_tail)
{
	size_t cycle[4];

	for (self->n = 0; self->n < 4; self->n++)
		self->waits[self->n] = edge(self->n, self->n == 3 ? 1 : self->n + 1,
					    CHESS_HOLD_HAS);
	ASSERT_EQ((size_t)3, chess_waits_cycle(self->waits, 4, cycle));
	EXPECT_EQ((size_t)1, cycle[0]);
	EXPECT_EQ((size_t)2, cycle[1]);
	EXPECT_EQ((size_t)3, cycle[2]);
	/* not without its last edge */
	EXPECT_EQ((size_t)0, chess_waits_cycle(self->waits, 3, cycle));
}

static void also(struct chess_wait *w, uint32_t to, enum chess_hold how)
{
	struct chess_holder h = { .task = to, .how = how };

	if (chess_holders_add(w, &h))
		abort();
}

/* T0 gave T1 and T2 something once and joins T1 now: what they wait for is each other. */
TEST_F(holders, who_only_joins_is_in_no_cycle_that_others_are_in)
{
	size_t cycle[3];

	self->waits[self->n++] = edge(0, 1, CHESS_HOLD_IS);
	self->waits[self->n++] = edge(1, 0, CHESS_HOLD_GAVE);
	also(&self->waits[1], 2, CHESS_HOLD_GAVE);
	self->waits[self->n++] = edge(2, 0, CHESS_HOLD_GAVE);
	also(&self->waits[2], 1, CHESS_HOLD_GAVE);
	ASSERT_EQ((size_t)2, chess_waits_cycle(self->waits, 3, cycle));
	EXPECT_EQ((size_t)1, cycle[0]);
	EXPECT_EQ((size_t)2, cycle[1]);
}

/* But who holds a lock, and joins the task that wants it, is. */
TEST_F(holders, who_joins_with_a_lock_is_in_a_cycle)
{
	size_t cycle[4];

	self->waits[self->n++] = edge(0, 1, CHESS_HOLD_IS);
	self->waits[self->n++] = edge(1, 0, CHESS_HOLD_HAS);
	self->waits[self->n++] = edge(2, 3, CHESS_HOLD_GAVE);
	self->waits[self->n++] = edge(3, 2, CHESS_HOLD_GAVE);
	ASSERT_EQ((size_t)2, chess_waits_cycle(self->waits, 4, cycle));
	EXPECT_EQ((size_t)0, cycle[0]);
	EXPECT_EQ((size_t)1, cycle[1]);
}

/* T0 and T1 may end each other's waits, but T2 and T3 hold each other's locks. */
TEST_F(holders, locks_come_before_what_may_be)
{
	size_t cycle[4];

	self->waits[self->n++] = edge(0, 1, CHESS_HOLD_MAY);
	self->waits[self->n++] = edge(1, 0, CHESS_HOLD_MAY);
	self->waits[self->n++] = edge(2, 3, CHESS_HOLD_HAS);
	self->waits[self->n++] = edge(3, 2, CHESS_HOLD_HAS);
	ASSERT_EQ((size_t)2, chess_waits_cycle(self->waits, 4, cycle));
	EXPECT_EQ((size_t)2, cycle[0]);
	EXPECT_EQ((size_t)3, cycle[1]);
}

/* The only wait after event number @seq, in words. */
static const char *said_at(uint32_t seq)
{
	static char text[200];
	struct chess_wait *waits;
	size_t n;

	ASSERT_EQ(0, chess_waits_at(record, seq, &waits, &n));
	ASSERT_EQ((size_t)1, n);
	snprintf(text, sizeof(text), "T%u: %s", waits[0].task, said(&waits[0]));
	chess_waits_free(waits, n);
	return text;
}

/* It came to the unlock and has not done it, so the lock is still its own. */
TEST_F(holders, a_task_that_is_held_at_its_point_has_not_done_its_op)
{
	uint32_t seq;

	add((struct chess_event) {
		.type = CHESS_EVENT_SPAWN, .object_kind = CHESS_OBJECT_TASK, .object = 1,
		.chosen = CHESS_TASK_NONE,
	});
	op(0, CHESS_OP_LOCK, A);
	add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_UNLOCK, .flags = CHESS_OPF_PROBE,
		.chosen = 1, .enabled = 3, .object_kind = CHESS_OBJECT_ADDRESS, .object = A,
	});
	op(1, CHESS_OP_LOCK, A);
	seq = add((struct chess_event) {
		.type = CHESS_EVENT_BLOCK, .task = 1, .chosen = 0, .enabled = 1,
	});
	EXPECT_STREQ("T1: T0 has 2", said_at(seq));
	/* Now it has. */
	seq = op(0, CHESS_OP_LOCK, B);
	EXPECT_STRNE("T1: T0 has 2", said_at(seq));
	/* It came to a lock that it does not have yet. */
	seq = add((struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_LOCK, .flags = CHESS_OPF_PROBE,
		.chosen = 0, .enabled = 1, .object_kind = CHESS_OBJECT_ADDRESS, .object = A,
	});
	EXPECT_STRNE("T1: T0 has 7", said_at(seq));
}

TEST_HARNESS_MAIN
