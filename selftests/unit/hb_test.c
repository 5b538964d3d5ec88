// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that the digest names happens-before classes: records that differ in the
 * order of independent ops have one digest, records whose dependent ops come in
 * another order, or that do other ops, have different ones.
 */
#include <string.h>

#include "record/hb.h"
#include "internal.h"
#include "../harness.h"

#define X	0x1000
#define Y	0x2000

/* A run is a string, two letters a step: the task, and what it does. */
struct op {
	char letter;
	uint8_t class, flags;
	uint64_t object;
};

static const struct op ops[] = {
	{ 'r', CHESS_OP_READ, 0, X },
	{ 'w', CHESS_OP_WRITE, CHESS_OPF_WRITE, X },
	{ 'R', CHESS_OP_READ, 0, Y },
	{ 'W', CHESS_OP_WRITE, CHESS_OPF_WRITE, Y },
	{ 'l', CHESS_OP_LOCK, CHESS_OPF_WRITE | CHESS_OPF_MAY_BLOCK, X },
	{ 'u', CHESS_OP_UNLOCK, CHESS_OPF_WRITE | CHESS_OPF_RELEASE, X },
	{ 'y', CHESS_OP_YIELD, CHESS_OPF_YIELD, 0 },
};

static const struct op *op_of(char letter)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		if (ops[i].letter == letter)
			return &ops[i];
	return NULL;
}

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* The next op of @task in what is left of the run; NULL: it ends. */
static const struct op *next_of(const char *run, uint16_t task)
{
	for (; *run; run += 2)
		if (run[0] - '0' == task && op_of(run[1]))
			return op_of(run[1]);
	return NULL;
}

/* @task comes to its next point, or to its end, and @chosen goes on. */
static void arrive(struct chess_record *r, const char *rest, uint16_t task, uint16_t chosen,
		   uint64_t shift)
{
	const struct op *op = next_of(rest, task);
	struct chess_event e = {
		.type = CHESS_EVENT_EXIT, .task = task, .chosen = chosen, .enabled = 6,
	};

	if (op) {
		e.type = CHESS_EVENT_POINT;
		e.op = op->class;
		e.flags = op->flags;
	}
	if (op && op->object) {
		e.object_kind = CHESS_OBJECT_ADDRESS;
		e.object = op->object + shift;
	}
	push(r, e);
}

static void create_two(struct chess_record *r)
{
	uint16_t task;

	for (task = 1; task <= 2; task++) {
		push(r, (struct chess_event){
			.type = CHESS_EVENT_POINT, .op = CHESS_OP_CREATE, .enabled = 7,
			.object_kind = CHESS_OBJECT_ADDRESS, .object = 0x10,
		});
		push(r, (struct chess_event){
			.type = CHESS_EVENT_SPAWN, .object = task, .chosen = CHESS_TASK_NONE,
		});
	}
	push(r, (struct chess_event){ .type = CHESS_EVENT_EXIT, .chosen = 1, .enabled = 6 });
}

/*
 * T0 creates T1 and T2 and ends; both come to their first point. Then each step is
 * done by who is named: it is at its point, and is chosen. 'b' instead of an op: what
 * the task is at makes it block. @shift is added to all addresses.
 */
static uint64_t digest_shifted(const char *run, uint64_t shift)
{
	struct chess_record *r = chess_record_new();
	uint64_t digest = 0;
	uint16_t next;

	create_two(r);
	arrive(r, run, 1, 2, shift);
	arrive(r, run, 2, run[0] - '0', shift);
	for (; *run; run += 2) {
		next = run[2] ? run[2] - '0' : CHESS_TASK_NONE;
		if (run[1] != 'b')
			arrive(r, run + 2, run[0] - '0', next, shift);
		else
			push(r, (struct chess_event){
				.type = CHESS_EVENT_BLOCK, .task = run[0] - '0', .chosen = next,
				.enabled = 6,
			});
	}
	EXPECT_EQ(0, chess_hb_digest(r, &digest));
	chess_record_free(r);
	return digest;
}

static uint64_t digest_of(const char *run)
{
	return digest_shifted(run, 0);
}

TEST(one_run_has_one_digest)
{
	EXPECT_EQ(digest_of("1w2w1r2r"), digest_of("1w2w1r2r"));
}

TEST(independent_ops_may_change_places)
{
	EXPECT_EQ(digest_of("1w2W"), digest_of("2W1w"));
	EXPECT_EQ(digest_of("1w1R2W2r"), digest_of("1w1R2W2r"));
	/* T1: x, then x; T2: y, then y; all six orders */
	EXPECT_EQ(digest_of("1w1r2W2R"), digest_of("1w2W1r2R"));
	EXPECT_EQ(digest_of("1w1r2W2R"), digest_of("1w2W2R1r"));
	EXPECT_EQ(digest_of("1w1r2W2R"), digest_of("2W1w1r2R"));
	EXPECT_EQ(digest_of("1w1r2W2R"), digest_of("2W1w2R1r"));
	EXPECT_EQ(digest_of("1w1r2W2R"), digest_of("2W2R1w1r"));
}

TEST(reads_of_one_object_commute)
{
	EXPECT_EQ(digest_of("1r2r"), digest_of("2r1r"));
	EXPECT_EQ(digest_of("1r2r1w"), digest_of("2r1r1w"));
}

TEST(a_write_is_ordered_with_reads_and_writes)
{
	EXPECT_NE(digest_of("1w2w"), digest_of("2w1w"));
	EXPECT_NE(digest_of("1w2r"), digest_of("2r1w"));
	EXPECT_NE(digest_of("1r1w2r"), digest_of("1r2r1w"));
}

/*
 * T1 and T2 each write x once and y once, T1 x first, T2 y first: the order at x and
 * the order at y make a class. Of the four, x by T2 before T1 and y by T1 before T2
 * would need a cycle, so three are left, and six interleavings fall into them.
 */
TEST(six_interleavings_are_three_classes)
{
	const char *const runs[] = {
		"1w1W2W2w", "2W2w1w1W", "1w2W1W2w", "1w2W2w1W", "2W1w1W2w", "2W1w2w1W",
	};
	uint64_t digest[ARRAY_SIZE(runs)];
	int i, k, classes = 0;

	for (i = 0; i < (int)ARRAY_SIZE(runs); i++) {
		digest[i] = digest_of(runs[i]);
		for (k = 0; k < i && digest[k] != digest[i]; k++)
			;
		classes += k == i;
	}
	EXPECT_EQ(3, classes);
	EXPECT_EQ(digest[2], digest[5]);
}

TEST(other_ops_are_another_class)
{
	EXPECT_NE(digest_of("1w2w"), digest_of("1w2w2w"));
	EXPECT_NE(digest_of("1w2r"), digest_of("1w2R"));
	EXPECT_NE(digest_of("1w2r"), digest_of("1w2w"));
	EXPECT_NE(digest_of("1l1u"), digest_of("1w1w"));
	/* another object, as often written before */
	EXPECT_NE(digest_of("1w1W1w"), digest_of("1w1W1W"));
}

TEST(yields_count_for_nothing)
{
	EXPECT_EQ(digest_of("1w2w"), digest_of("1y1w2y2w"));
}

/* T2 finds the lock taken, and gets it later: as if it had come later. */
TEST(a_wait_for_a_lock_is_no_op)
{
	EXPECT_EQ(digest_of("1l1u2l2u"), digest_of("1l2b1u2l2u"));
	EXPECT_NE(digest_of("2l2u1l1u"), digest_of("1l2b1u2l2u"));
}

/* Where objects lie may differ between runs of a program. */
TEST(addresses_do_not_matter)
{
	EXPECT_EQ(digest_of("1w2W1R2w"), digest_shifted("1w2W1R2w", 0x77000));
	EXPECT_EQ(digest_of("1w2W1R2w"), digest_shifted("2W1w1R2w", 0x77000));
}

TEST_HARNESS_MAIN
