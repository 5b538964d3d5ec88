// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what counts as a preemption, which tasks are enabled at an event for small and
 * large task ids, and that records are compared and hashed bit for bit.
 */
#include "harness.h"
#include "internal.h"

static uint32_t next_seq;

static struct chess_event event(uint8_t type, uint16_t task, uint16_t chosen, uint64_t enabled)
{
	return (struct chess_event) {
		.seq = ++next_seq, .type = type, .task = task, .chosen = chosen,
		.enabled = enabled,
	};
}

static struct chess_event yield(uint16_t task, uint16_t chosen, uint64_t enabled)
{
	struct chess_event e = event(CHESS_EVENT_POINT, task, chosen, enabled);

	e.flags = CHESS_OPF_YIELD;
	return e;
}

static void push(struct chess_record *r, struct chess_event e)
{
	if (chess_record_push(r, &e, 1))
		abort();
}

/* Both ways to ask must agree where ids are below 64. */
static int is_preemption(struct chess_event e)
{
	struct chess_record *r = chess_record_new();
	bool by_record, by_event = chess_event_is_preemption(&e);

	push(r, e);
	by_record = chess_record_is_preemption(r, 0);
	chess_record_free(r);
	return by_record == by_event ? by_record : -1;
}

TEST(leaving_an_enabled_task_is_a_preemption)
{
	EXPECT_EQ(0, is_preemption(event(CHESS_EVENT_POINT, 0, 0, 0x3)));
	EXPECT_EQ(1, is_preemption(event(CHESS_EVENT_POINT, 0, 1, 0x3)));
	EXPECT_EQ(1, is_preemption(event(CHESS_EVENT_POINT, 63, 0, 1 | 1ULL << 63)));
	/* killed at its point */
	EXPECT_EQ(0, is_preemption(event(CHESS_EVENT_POINT, 0, 1, 0x2)));
	EXPECT_EQ(0, is_preemption(event(CHESS_EVENT_POINT, 0, CHESS_TASK_NONE, 0)));
}

TEST(block_exit_resume_and_stall_are_free)
{
	static const uint8_t types[] = {
		CHESS_EVENT_BLOCK, CHESS_EVENT_EXIT, CHESS_EVENT_RESUME, CHESS_EVENT_STALL,
		CHESS_EVENT_WAKE, CHESS_EVENT_SPAWN, CHESS_EVENT_KILLED,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		EXPECT_EQ(0, is_preemption(event(types[i], 0, 2, 0x7)));
}

TEST(a_yield_or_quantum_is_free_to_everybody)
{
	uint16_t chosen;

	for (chosen = 0; chosen < 3; chosen++) {
		EXPECT_EQ(0, is_preemption(yield(1, chosen, 0x7)));
		EXPECT_EQ(0, is_preemption(event(CHESS_EVENT_QUANTUM, 0, chosen, 0x7)));
	}
	EXPECT_EQ(0, is_preemption(yield(2, 2, 0x4)));
}

/* The same where the run is not fair. */
static int is_unfair_preemption(struct chess_event e)
{
	struct chess_record *r = chess_record_new();
	bool answer;

	chess_record_set_fair(r, 0);
	push(r, e);
	answer = chess_record_is_preemption(r, 0);
	chess_record_free(r);
	return answer;
}

TEST(without_fairness_a_yield_or_quantum_is_free_only_to_the_next_in_turn)
{
	EXPECT_EQ(0, is_unfair_preemption(yield(1, 2, 0x7)));
	EXPECT_EQ(1, is_unfair_preemption(yield(1, 0, 0x7)));
	EXPECT_EQ(1, is_unfair_preemption(yield(1, 1, 0x7)));
	EXPECT_EQ(0, is_unfair_preemption(yield(2, 0, 0x7)));
	EXPECT_EQ(0, is_unfair_preemption(yield(2, 2, 0x4)));
	EXPECT_EQ(0, is_unfair_preemption(yield(63, 5, 1ULL << 63 | 0x20)));
	EXPECT_EQ(0, is_unfair_preemption(event(CHESS_EVENT_QUANTUM, 0, 1, 0x7)));
	EXPECT_EQ(1, is_unfair_preemption(event(CHESS_EVENT_QUANTUM, 0, 2, 0x7)));
	EXPECT_EQ(1, is_unfair_preemption(event(CHESS_EVENT_QUANTUM, 0, 0, 0x7)));
	EXPECT_EQ(0, is_unfair_preemption(event(CHESS_EVENT_QUANTUM, 0, 0, 0x1)));
	EXPECT_EQ(1, is_unfair_preemption(event(CHESS_EVENT_POINT, 0, 1, 0x3)));
}

static struct chess_event left_out(uint64_t word, uint64_t tasks)
{
	struct chess_event e = event(CHESS_EVENT_FAIR, 0, CHESS_TASK_NONE, tasks);

	e.object = word;
	return e;
}

TEST(who_has_to_let_others_go_first_is_not_allowed)
{
	struct chess_record *r = chess_record_new();

	push(r, left_out(0, 0x3));
	push(r, event(CHESS_EVENT_POINT, 0, 2, 0xf));	/* 1 */
	push(r, event(CHESS_EVENT_POINT, 2, 3, 0xf));	/* 2: nobody is left out any more */
	push(r, left_out(0, 0x2));
	push(r, event(CHESS_EVENT_POINT, 3, 0, 0xf));	/* 4 */
	push(r, left_out(0, 0x2));
	push(r, yield(0, 2, 0x7));			/* 6: 1 is the lowest other, but is not */
	push(r, left_out(0, 0x1));
	push(r, event(CHESS_EVENT_BLOCK, 2, 1, 0x3));	/* 8 */
	EXPECT_FALSE(chess_record_allowed(r, 1, 0));
	EXPECT_FALSE(chess_record_allowed(r, 1, 1));
	EXPECT_TRUE(chess_record_allowed(r, 1, 2));
	EXPECT_FALSE(chess_record_allowed(r, 1, 4));
	EXPECT_TRUE(chess_record_allowed(r, 2, 0));
	EXPECT_TRUE(chess_record_allowed(r, 4, 3));
	EXPECT_FALSE(chess_record_allowed(r, 0, 2));
	EXPECT_EQ(2, chess_record_default(r, 1));
	EXPECT_EQ(2, chess_record_default(r, 2));
	EXPECT_EQ(2, chess_record_default(r, 6));
	EXPECT_EQ(1, chess_record_default(r, 8));
	/* the first was forced, the others were chosen */
	EXPECT_FALSE(chess_record_is_preemption(r, 1));
	EXPECT_TRUE(chess_record_is_preemption(r, 2));
	EXPECT_TRUE(chess_record_is_preemption(r, 4));
	EXPECT_EQ((size_t)2, chess_record_preemptions(r));
	EXPECT_EQ((size_t)5, chess_record_decisions(r));
}

TEST(tasks_of_64_and_up_are_left_out_by_events_of_their_own)
{
	struct chess_record *r = chess_record_new();
	struct chess_event e = event(CHESS_EVENT_SPAWN, 0, CHESS_TASK_NONE, 0);
	int id;

	for (id = 1; id < 130; id++) {
		e.object = id;
		push(r, e);
	}
	push(r, left_out(0, 1));
	push(r, left_out(2, 2));
	push(r, event(CHESS_EVENT_POINT, 129, 128, ~0ULL));
	EXPECT_FALSE(chess_record_allowed(r, 131, 0));
	EXPECT_TRUE(chess_record_allowed(r, 131, 1));
	EXPECT_TRUE(chess_record_allowed(r, 131, 65));
	EXPECT_TRUE(chess_record_allowed(r, 131, 128));
	EXPECT_FALSE(chess_record_allowed(r, 131, 129));
	EXPECT_EQ(1, chess_record_default(r, 131));
	EXPECT_EQ((size_t)0, chess_record_preemptions(r));
}

/* The record does not say whose deadline is the first unless it was let pass. */
TEST(who_yields_alone_waits_for_the_first_deadline)
{
	struct chess_record *r = chess_record_new();
	struct chess_event e = yield(0, 1, 0x1);

	e.timed = 0x6;
	push(r, e);
	e.chosen = 0;
	push(r, e);
	EXPECT_EQ(1, chess_record_default(r, 0));
	EXPECT_EQ((size_t)0, chess_record_preemptions(r));
	e.timed = 0;
	push(r, e);
	EXPECT_EQ(0, chess_record_default(r, 2));
}

static struct chess_event timed(uint8_t type, uint16_t task, uint16_t chosen, uint64_t enabled,
				uint64_t waiting, uint8_t flags)
{
	struct chess_event e = event(type, task, chosen, enabled);

	e.timed = waiting;
	e.flags = flags;
	return e;
}

TEST(an_early_deadline_is_a_preemption_at_any_event)
{
	static const uint8_t types[] = {
		CHESS_EVENT_POINT, CHESS_EVENT_BLOCK, CHESS_EVENT_EXIT, CHESS_EVENT_RESUME,
		CHESS_EVENT_QUANTUM, CHESS_EVENT_STALL,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		EXPECT_EQ(1, is_preemption(timed(types[i], 0, 1, 0x1, 0x2, CHESS_OPF_EARLY)));
	EXPECT_EQ(1, is_preemption(timed(CHESS_EVENT_BLOCK, 0, 2, 0, 0x6, CHESS_OPF_EARLY)));
	/* the task that has just begun to wait times out at once */
	EXPECT_EQ(1, is_preemption(timed(CHESS_EVENT_BLOCK, 0, 0, 0x2, 0x1, CHESS_OPF_EARLY)));
	EXPECT_EQ(1, is_preemption(timed(CHESS_EVENT_POINT, 0, 2, 0x3, 0x4,
					 CHESS_OPF_EARLY | CHESS_OPF_YIELD)));
	/* nobody is enabled and it is the first */
	EXPECT_EQ(0, is_preemption(timed(CHESS_EVENT_BLOCK, 0, 1, 0, 0x6, 0)));
	/* no decision, whatever it carries */
	EXPECT_EQ(0, is_preemption(timed(CHESS_EVENT_TIMEOUT, 1, 1, 0, 0, CHESS_OPF_EARLY)));
}

TEST(default_of_nobody_enabled_is_the_first_deadline)
{
	struct chess_record *r = chess_record_new();

	push(r, timed(CHESS_EVENT_BLOCK, 0, 2, 0, 0x7, 0));
	push(r, event(CHESS_EVENT_TIMEOUT, 2, CHESS_TASK_NONE, 0));
	push(r, timed(CHESS_EVENT_BLOCK, 2, 0, 0, 0x7, CHESS_OPF_EARLY));
	push(r, timed(CHESS_EVENT_POINT, 0, 1, 0x1, 0x6, CHESS_OPF_EARLY));
	push(r, timed(CHESS_EVENT_BLOCK, 1, 2, 0x1, 0x6, CHESS_OPF_EARLY));
	EXPECT_EQ(2, chess_record_default(r, 0));
	EXPECT_EQ(CHESS_TASK_NONE, chess_record_default(r, 2));
	EXPECT_EQ(0, chess_record_default(r, 3));
	EXPECT_EQ(0, chess_record_default(r, 4));
	EXPECT_EQ((size_t)3, chess_record_preemptions(r));
	EXPECT_STREQ("T2 T0 T1 T2", chess_schedule_encode(chess_record_schedule(r)));
}

TEST(who_waits_with_a_deadline_is_known_at_decisions)
{
	struct chess_record *r = chess_record_new();

	push(r, timed(CHESS_EVENT_BLOCK, 0, 1, 0x2, 1ULL << 63 | 0x3, 0));
	push(r, timed(CHESS_EVENT_TIMEOUT, 0, CHESS_TASK_NONE, 0, 0x3, 0));
	EXPECT_TRUE(chess_record_timed(r, 0, 0));
	EXPECT_TRUE(chess_record_timed(r, 0, 63));
	EXPECT_FALSE(chess_record_timed(r, 0, 64));
	/* enabled: its wait is over */
	EXPECT_FALSE(chess_record_timed(r, 0, 1));
	EXPECT_FALSE(chess_record_timed(r, 1, 0));
	EXPECT_FALSE(chess_record_timed(r, 2, 0));
	EXPECT_TRUE(chess_record_enabled(r, 1, 0));
}

TEST(default_is_the_running_task_then_the_lowest)
{
	struct chess_record *r = chess_record_new();

	push(r, event(CHESS_EVENT_POINT, 2, 0, 0x7));
	push(r, event(CHESS_EVENT_BLOCK, 0, 2, 0x6));
	push(r, event(CHESS_EVENT_EXIT, 2, CHESS_TASK_NONE, 0));
	push(r, event(CHESS_EVENT_WAKE, 1, CHESS_TASK_NONE, 0));
	push(r, event(CHESS_EVENT_RESUME, 1, 1, 0x2));
	EXPECT_EQ(2, chess_record_default(r, 0));
	EXPECT_EQ(1, chess_record_default(r, 1));
	EXPECT_EQ(CHESS_TASK_NONE, chess_record_default(r, 2));
	EXPECT_EQ(CHESS_TASK_NONE, chess_record_default(r, 3));
	EXPECT_EQ(1, chess_record_default(r, 4));
	EXPECT_EQ(CHESS_TASK_NONE, chess_record_default(r, 5));
}

/* One hundred tasks: what the word cannot say, the events must. */
TEST(large_ids_follow_from_the_events)
{
	struct chess_record *r = chess_record_new();
	struct chess_event e;
	int id, at;

	chess_record_set_fair(r, 0);
	for (id = 1; id < 100; id++) {
		e = event(CHESS_EVENT_SPAWN, 0, CHESS_TASK_NONE, 0);
		e.object = id;
		push(r, e);
	}
	EXPECT_EQ((size_t)100, chess_record_tasks(r));
	push(r, event(CHESS_EVENT_POINT, 0, 80, ~0ULL));	/* 99 */
	EXPECT_TRUE(chess_record_enabled(r, 99, 80));
	EXPECT_TRUE(chess_record_enabled(r, 99, 99));
	EXPECT_FALSE(chess_record_enabled(r, 99, 100));
	EXPECT_TRUE(chess_record_is_preemption(r, 99));
	push(r, event(CHESS_EVENT_BLOCK, 80, 99, ~0ULL));	/* 100 */
	EXPECT_FALSE(chess_record_enabled(r, 100, 80));
	EXPECT_TRUE(chess_record_enabled(r, 99, 80));
	push(r, yield(79, 81, ~0ULL));				/* 101: 80 is blocked */
	EXPECT_FALSE(chess_record_is_preemption(r, 101));
	EXPECT_EQ(81, chess_record_default(r, 101));
	push(r, event(CHESS_EVENT_WAKE, 80, CHESS_TASK_NONE, 0));	/* 102 */
	EXPECT_TRUE(chess_record_enabled(r, 102, 80));
	push(r, yield(79, 81, ~0ULL));				/* 103: 80 was next */
	EXPECT_TRUE(chess_record_is_preemption(r, 103));
	push(r, event(CHESS_EVENT_KILLED, 80, CHESS_TASK_NONE, 0));	/* 104 */
	push(r, event(CHESS_EVENT_EXIT, 99, 81, ~0ULL));	/* 105 */
	EXPECT_FALSE(chess_record_enabled(r, 105, 80));
	EXPECT_FALSE(chess_record_enabled(r, 105, 99));
	EXPECT_FALSE(chess_record_is_preemption(r, 105));
	for (at = 0; at < 98; at++)
		EXPECT_FALSE(chess_record_enabled(r, at, 99));
	EXPECT_EQ((size_t)2, chess_record_preemptions(r));
}

TEST(counts_and_schedule_are_those_of_the_decisions)
{
	struct chess_record *r = chess_record_new();

	push(r, event(CHESS_EVENT_POINT, 0, 1, 0x3));
	push(r, event(CHESS_EVENT_WAKE, 0, CHESS_TASK_NONE, 0));
	push(r, event(CHESS_EVENT_EXIT, 1, 0, 0x1));
	push(r, event(CHESS_EVENT_POINT, 0, 0, 0x1));
	push(r, event(CHESS_EVENT_EXIT, 0, CHESS_TASK_NONE, 0));
	EXPECT_EQ((size_t)4, chess_record_decisions(r));
	EXPECT_EQ((size_t)2, chess_record_points(r));
	EXPECT_EQ((size_t)2, chess_record_tasks(r));
	EXPECT_EQ((size_t)1, chess_record_preemptions(r));
	EXPECT_STREQ("T1 T0*2 -", chess_schedule_encode(chess_record_schedule(r)));
}

/* Any single bit of any event changes the hash and is found by the comparison. */
TEST(every_bit_counts)
{
	struct chess_record *a = chess_record_new(), *b;
	struct chess_event e[3];
	size_t bit, i;

	for (i = 0; i < 3; i++)
		e[i] = event(CHESS_EVENT_POINT, i, i, 7);
	chess_record_push(a, e, 3);
	EXPECT_EQ(SIZE_MAX, chess_record_compare(a, a));
	for (bit = 0; bit < sizeof(e) * 8; bit++) {
		((unsigned char *)e)[bit / 8] ^= 1 << bit % 8;
		b = chess_record_new();
		ASSERT_EQ(0, chess_record_push(b, e, 3));
		ASSERT_EQ(bit / 8 / sizeof(*e), chess_record_compare(a, b));
		ASSERT_NE(chess_record_hash(a), chess_record_hash(b));
		chess_record_free(b);
		((unsigned char *)e)[bit / 8] ^= 1 << bit % 8;
	}
	b = chess_record_new();
	chess_record_push(b, e, 2);
	EXPECT_EQ((size_t)2, chess_record_compare(a, b));
	EXPECT_NE(chess_record_hash(a), chess_record_hash(b));
}

/* The published test vectors of FNV-1a: the empty string, and 64 zero bytes by hand. */
TEST(hash_is_fnv_1a)
{
	struct chess_record *r = chess_record_new();
	struct chess_event zero = { 0 };
	uint64_t want = 0xcbf29ce484222325ULL;
	int i;

	EXPECT_EQ(want, chess_record_hash(r));
	chess_record_push(r, &zero, 1);
	for (i = 0; i < 64; i++)
		want *= 0x100000001b3ULL;
	EXPECT_EQ(want, chess_record_hash(r));
}

TEST(stacks_are_kept_by_seq_and_checked)
{
	struct chess_record *r = chess_record_new();
	struct { struct chess_stack s; char bytes[8]; } in = { .s = { .seq = 5, .size = 8 } };

	strcpy(in.bytes, "stack");
	EXPECT_EQ(-EINVAL, chess_record_push_stack(r, &in.s, sizeof(in) - 1));
	EXPECT_EQ(-EINVAL, chess_record_push_stack(r, &in.s, 4));
	EXPECT_EQ(0, chess_record_push_stack(r, &in.s, sizeof(in)));
	EXPECT_EQ(-EEXIST, chess_record_push_stack(r, &in.s, sizeof(in)));
	EXPECT_EQ(NULL, (void *)chess_record_stack(r, 4));
	ASSERT_NE(NULL, (void *)chess_record_stack(r, 5));
	EXPECT_STREQ("stack", (char *)(chess_record_stack(r, 5) + 1));
}

/* Traces have numbers of events that are not in their record. */
TEST(last_point_before_an_event_that_is_not_there)
{
	struct chess_record *r = chess_record_new();
	struct chess_event e = { .seq = 1, .type = CHESS_EVENT_POINT, .task = 3 };

	ASSERT_EQ(0, chess_record_push(r, &e, 1));
	EXPECT_EQ(chess_record_event(r, 0), chess_record_last_point(r, 1, 3));
	EXPECT_EQ(chess_record_event(r, 0), chess_record_last_point(r, SIZE_MAX, 3));
	EXPECT_EQ(NULL, (void *)chess_record_last_point(r, UINT32_MAX, 2));
	EXPECT_EQ(NULL, (void *)chess_record_last_wake(r, UINT32_MAX, 3));
	chess_record_free(r);
}

TEST(mappings_are_kept)
{
	struct chess_record *r = chess_record_new();

	EXPECT_EQ(NULL, (void *)chess_record_maps(r));
	EXPECT_EQ(0, chess_record_set_maps(r, "1-2 r-xp a\n"));
	EXPECT_EQ(0, chess_record_set_maps(r, "3-4 r-xp b\n"));
	EXPECT_STREQ("3-4 r-xp b\n", chess_record_maps(r));
	chess_record_free(r);
}

TEST(names_are_complete)
{
	unsigned int i;

	for (i = 1; i < __CHESS_OP_MAX; i++)
		EXPECT_STRNE("unknown", chess_op_name(i));
	EXPECT_STREQ("unknown", chess_op_name(0));
	EXPECT_STREQ("unknown", chess_op_name(__CHESS_OP_MAX));
	EXPECT_STREQ("lock", chess_op_name(CHESS_OP_LOCK));
	EXPECT_STREQ("unknown", chess_event_type_name(0));
	EXPECT_STREQ("quantum", chess_event_type_name(CHESS_EVENT_QUANTUM));
	EXPECT_STREQ("read", chess_syscall_name(0));
	EXPECT_STREQ("futex", chess_syscall_name(202));
	EXPECT_STREQ("clone3", chess_syscall_name(435));
	EXPECT_STREQ("mseal", chess_syscall_name(462));
	EXPECT_STREQ("syscall_999", chess_syscall_name(999));
}

TEST(error_keeps_the_last_sentence)
{
	EXPECT_EQ(-ENOENT, chess_set_error(ENOENT, "cannot find %s", "it"));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_STREQ("cannot find it", chess_error());
	chess_set_error(EIO, "twice: %s", chess_error());
	EXPECT_STREQ("twice: cannot find it", chess_error());
}

/* A run and the same one under a debugger, which woke T1 at another moment. */
TEST(decisions_are_compared_without_wake_ups)
{
	struct chess_record *a = chess_record_new(), *b = chess_record_new();
	struct chess_event first = event(CHESS_EVENT_POINT, 0, 1, 0x3);
	struct chess_event wake = event(CHESS_EVENT_WAKE, 1, CHESS_TASK_NONE, 0);
	struct chess_event last = event(CHESS_EVENT_BLOCK, 1, 0, 0x1), other;
	size_t i, k;

	first.op = CHESS_OP_LOCK;
	first.object = 0x404080;
	wake.object = CHESS_TASK_NONE;
	push(a, first);
	push(a, wake);
	push(a, last);
	other = wake;
	push(b, other);
	other = first;
	other.seq = 77;
	other.enabled = 0x7;
	other.ip = 0x4711;
	push(b, other);
	EXPECT_EQ((size_t)1, chess_record_compare_decisions(a, b, &i, &k));
	EXPECT_EQ((size_t)2, i);
	EXPECT_EQ((size_t)2, k);
	push(b, last);
	EXPECT_EQ((size_t)0, chess_record_compare(a, b));
	EXPECT_EQ((size_t)2, chess_record_compare_decisions(a, b, &i, &k));
	EXPECT_EQ(SIZE_MAX, i);
	EXPECT_EQ(SIZE_MAX, k);
	push(b, wake);
	EXPECT_EQ((size_t)2, chess_record_compare_decisions(a, b, &i, &k));
	EXPECT_EQ(SIZE_MAX, k);
	push(b, last);
	EXPECT_EQ((size_t)2, chess_record_compare_decisions(a, b, &i, &k));
	EXPECT_EQ((size_t)3, i);
	EXPECT_EQ((size_t)4, k);
}

TEST(every_field_of_a_decision_counts)
{
	struct chess_event base = event(CHESS_EVENT_POINT, 0, 1, 0x3), e;
	struct chess_record *a, *b;
	size_t i, k, n;

	for (n = 0; n < 8; n++) {
		a = chess_record_new();
		b = chess_record_new();
		e = base;
		e.type = n == 0 ? CHESS_EVENT_QUANTUM : e.type;
		e.task += n == 1;
		e.chosen += n == 2;
		e.op += n == 3;
		e.object += n == 4;
		e.object_kind += n == 5;
		push(a, base);
		push(b, e);
		/* A prefix that could not be followed is not a decision, and a difference. */
		if (n == 6)
			push(b, event(CHESS_EVENT_DIVERGENCE, 0, CHESS_TASK_NONE, 0));
		/* So is a deadline that passed. */
		if (n == 7)
			push(b, event(CHESS_EVENT_TIMEOUT, 0, CHESS_TASK_NONE, 0));
		EXPECT_EQ((size_t)(n >= 6), chess_record_compare_decisions(a, b, &i, &k));
		EXPECT_EQ((size_t)(n >= 6), i);
		EXPECT_EQ((size_t)(n >= 6), k);
		chess_record_free(a);
		chess_record_free(b);
	}
}

TEST_HARNESS_MAIN
