// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a fork, the end of a process and fflush(NULL) are taken for a read of each stream of
 * the run, and a call for a stream for a write, and that what is no stream is left out; and that
 * streams are not left out in silence when there are more than are kept.
 */
#include <stdlib.h>
#include <sys/syscall.h>

#include "harness.h"
#include "internal.h"
#include "race/streams.h"

/* streams.c takes so many. */
#define STREAMS	256
#define HERE	0x1000
#define STREAM	(CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC)
#define ROOM	1024

FIXTURE(streams) {
	struct chess_run_result run;
	struct chess_access *all;
	size_t n;
	uint64_t dropped;
};

FIXTURE_SETUP(streams)
{
	self->run.record = chess_record_new();
	self->run.accesses = calloc(ROOM, sizeof(*self->run.accesses));
	ASSERT_TRUE(self->run.record && self->run.accesses);
}

FIXTURE_TEARDOWN(streams)
{
	chess_record_free(self->run.record);
	free(self->run.accesses);
	free(self->all);
}

static void make(struct streams_fixture *self, uint16_t task, uint8_t kind, uint64_t address,
		 uint32_t size)
{
	ASSERT_TRUE(self->run.n_accesses < ROOM);
	self->run.accesses[self->run.n_accesses++] = (struct chess_access) {
		.seq = self->run.n_accesses, .address = address, .size = size, .site = 1,
		.task = task, .kind = kind,
	};
}

static void fork_by(struct streams_fixture *self, uint16_t task)
{
	make(self, task, CHESS_ACCESS_TOLD, 0, CHESS_TOLD_COPIED);
}

static void end_by(struct streams_fixture *self, uint16_t task)
{
	struct chess_event e = {
		.seq = chess_record_length(self->run.record) + 1, .type = CHESS_EVENT_POINT,
		.op = CHESS_OP_EXIT, .nr = SYS_exit_group, .task = task, .chosen = task,
	};

	ASSERT_EQ(0, chess_record_push(self->run.record, &e, 1));
}

static uint8_t same(void *arg, const struct chess_access *a)
{
	(void)arg;
	return a->kind;
}

static void found(struct streams_fixture *self, size_t accesses, uint64_t dropped)
{
	ASSERT_EQ(0, chess_streams_find(&self->run, same, NULL, &self->all, &self->n,
					&self->dropped));
	EXPECT_EQ(accesses, self->n);
	EXPECT_EQ(dropped, self->dropped);
}

/* T1 uses one stream twice, and T2 another one after the fork. */
TEST_F(streams, a_fork_reads_each_stream)
{
	make(self, 1, STREAM, HERE, 1);
	make(self, 1, STREAM, HERE, 1);
	fork_by(self, 0);
	make(self, 2, STREAM, HERE + 8, 1);
	found(self, 2 + 2 + 1 + 1, 0);
	EXPECT_TRUE(self->all[0].kind == CHESS_ACCESS_WRITE && self->all[0].site == 1);
	EXPECT_TRUE(self->all[2].kind == CHESS_ACCESS_READ && self->all[2].address == HERE);
	EXPECT_TRUE(!self->all[2].task && !self->all[2].site);
	EXPECT_TRUE(self->all[3].kind == CHESS_ACCESS_READ && self->all[3].address == HERE + 8);
	EXPECT_TRUE(self->all[4].kind == CHESS_ACCESS_TOLD);
	EXPECT_TRUE(self->all[5].kind == CHESS_ACCESS_WRITE && self->all[5].task == 2);
}

/* A plain move, and an atomic instruction on four bytes. */
TEST_F(streams, other_accesses_are_none)
{
	make(self, 1, STREAM, HERE, 1);
	make(self, 1, CHESS_ACCESS_WRITE, HERE + 8, 1);
	make(self, 1, STREAM, HERE + 16, 4);
	fork_by(self, 0);
	found(self, 1 + 1 + 1, 0);
}

TEST_F(streams, nobody_forks)
{
	make(self, 1, STREAM, HERE, 1);
	found(self, 0, 0);
}

/* T0 ends the process while T1, and only T1, uses a stream: event 1 is before the second call. */
TEST_F(streams, the_end_of_a_process_reads_each_stream)
{
	end_by(self, 0);
	make(self, 1, STREAM, HERE, 1);
	make(self, 1, STREAM, HERE + 8, 1);
	found(self, 2 + 2, 0);
	EXPECT_TRUE(self->all[0].kind == CHESS_ACCESS_READ && self->all[0].address == HERE);
	EXPECT_TRUE(!self->all[0].task && !self->all[0].seq && !self->all[0].site);
	EXPECT_TRUE(self->all[1].kind == CHESS_ACCESS_READ && self->all[1].address == HERE + 8);
}

TEST_F(streams, the_task_that_uses_streams_ends_the_process)
{
	make(self, 1, STREAM, HERE, 1);
	end_by(self, 1);
	found(self, 0, 0);
}

/* It is a call like others, so it can be a point. */
TEST_F(streams, a_call_that_flushes_all_reads_each_stream)
{
	make(self, 1, STREAM, HERE, 1);
	make(self, 0, STREAM, 0, 1);
	found(self, 1 + 1, 0);
	EXPECT_TRUE(self->all[1].kind == CHESS_ACCESS_READ && self->all[1].address == HERE);
	EXPECT_TRUE(!self->all[1].task && self->all[1].site == 1);
}

TEST_F(streams, a_stream_too_many_is_counted)
{
	size_t i;

	for (i = 0; i < STREAMS + 2; i++)
		make(self, 1, STREAM, HERE + 8 * i, 1);
	fork_by(self, 0);
	found(self, STREAMS + 2 + STREAMS + 1, 2);
}

TEST_F(streams, one_too_many_that_is_not_read_is_not)
{
	size_t i;

	for (i = 0; i < STREAMS + 2; i++)
		make(self, 1, STREAM, HERE + 8 * i, 1);
	found(self, 0, 0);
}

TEST_HARNESS_MAIN
