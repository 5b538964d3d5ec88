// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves before which points a preemption is tried first: those on objects that another task uses
 * and one of them changes, in this run or an earlier one; all that is not known; and of reads that
 * a task repeats at one place the first.
 */
#include "chessctl/chessctl.h"
#include "harness.h"
#include "search/conflicts.h"

#define MINE	0x1000
#define OURS	0x2000
#define CODE	0x400

FIXTURE(conflicts) {
	struct chess_conflicts c;
	struct chess_record *r;
};

FIXTURE_SETUP(conflicts)
{
	self->r = chess_record_new();
	ASSERT_NE(NULL, (void *)self->r);
}

FIXTURE_TEARDOWN(conflicts)
{
	chess_conflicts_clear(&self->c);
	chess_record_free(self->r);
}

static void point(struct conflicts_fixture *self, uint16_t task, uint8_t op, uint8_t kind,
		  uint64_t object, uint8_t flags, uint64_t ip)
{
	const struct chess_event e = {
		.seq = chess_record_length(self->r) + 1, .type = CHESS_EVENT_POINT, .op = op,
		.task = task, .chosen = task, .object_kind = kind, .object = object,
		.flags = flags, .ip = ip,
	};

	ASSERT_EQ(0, chess_record_push(self->r, &e, 1));
}

static void load(struct conflicts_fixture *self, uint16_t task, uint64_t address, uint64_t ip)
{
	point(self, task, CHESS_OP_LOAD, CHESS_OBJECT_ADDRESS, address, 0, ip);
}

static void store(struct conflicts_fixture *self, uint16_t task, uint64_t address)
{
	point(self, task, CHESS_OP_STORE, CHESS_OBJECT_ADDRESS, address, CHESS_OPF_WRITE, CODE);
}

static bool first(struct conflicts_fixture *self, size_t i)
{
	return chess_conflicts_first(&self->c, self->r, i);
}

TEST_F(conflicts, an_object_of_one_task_comes_last)
{
	store(self, 1, MINE);
	store(self, 1, OURS);
	/* Another part of the same word. */
	load(self, 2, OURS + 4, CODE);
	ASSERT_EQ(0, chess_conflicts_learn(&self->c, self->r));
	EXPECT_FALSE(first(self, 0));
	EXPECT_TRUE(first(self, 1));
	EXPECT_TRUE(first(self, 2));
}

TEST_F(conflicts, what_all_only_read_comes_last)
{
	load(self, 1, OURS, CODE);
	load(self, 2, OURS, CODE);
	ASSERT_EQ(0, chess_conflicts_learn(&self->c, self->r));
	EXPECT_FALSE(first(self, 0));
	EXPECT_FALSE(first(self, 1));
}

TEST_F(conflicts, a_later_run_may_show_one)
{
	store(self, 1, OURS);
	ASSERT_EQ(0, chess_conflicts_learn(&self->c, self->r));
	EXPECT_FALSE(first(self, 0));
	store(self, 2, OURS);
	ASSERT_EQ(0, chess_conflicts_learn(&self->c, self->r));
	EXPECT_TRUE(first(self, 0));
}

TEST_F(conflicts, names_of_files_are_one_object)
{
	point(self, 1, CHESS_OP_FILE, CHESS_OBJECT_NONE, 0, 0, CODE);
	ASSERT_EQ(0, chess_conflicts_learn(&self->c, self->r));
	EXPECT_FALSE(first(self, 0));
	point(self, 2, CHESS_OP_OPEN, CHESS_OBJECT_NONE, 0, CHESS_OPF_WRITE, CODE);
	ASSERT_EQ(0, chess_conflicts_learn(&self->c, self->r));
	EXPECT_TRUE(first(self, 0));
}

TEST_F(conflicts, what_is_not_known_comes_first)
{
	point(self, 1, CHESS_OP_SIGNAL, CHESS_OBJECT_PID, 7, CHESS_OPF_WRITE, CODE);
	point(self, 1, CHESS_OP_MEMORY, CHESS_OBJECT_ADDRESS, MINE, CHESS_OPF_WRITE, CODE);
	point(self, 1, CHESS_OP_CREATE, CHESS_OBJECT_NONE, 0, CHESS_OPF_WRITE, CODE);
	ASSERT_EQ(0, chess_conflicts_learn(&self->c, self->r));
	EXPECT_TRUE(first(self, 0));
	EXPECT_TRUE(first(self, 1));
	EXPECT_TRUE(first(self, 2));
}

TEST_F(conflicts, of_repeated_reads_the_first)
{
	load(self, 1, OURS, CODE);
	load(self, 1, OURS, CODE);
	load(self, 1, OURS, CODE + 8);
	store(self, 2, OURS);
	store(self, 2, OURS);
	load(self, 1, OURS, CODE + 8);
	ASSERT_EQ(0, chess_conflicts_learn(&self->c, self->r));
	EXPECT_TRUE(first(self, 0));
	EXPECT_FALSE(first(self, 1));
	EXPECT_TRUE(first(self, 2));
	EXPECT_TRUE(first(self, 3));
	/* A write is not the same as before. */
	EXPECT_TRUE(first(self, 4));
	EXPECT_TRUE(first(self, 5));
}

TEST_HARNESS_MAIN
