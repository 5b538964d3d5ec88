// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that are adopted with CHESS_ADOPT_FLAGS_HOLD, and run-release.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "harness.h"

/* In milliseconds; until something happens that has to. */
#define PATIENCE_MS 10000

/* A process that counts, and sleeps a little in between. */
FIXTURE(hold) {
	volatile unsigned int *count;
	pid_t pid;
	struct chess_ctl *ctl;
	uint32_t group;
};

FIXTURE_SETUP(hold)
{
	memset(self, 0, sizeof(*self));
	self->count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(self->count != MAP_FAILED);
	self->pid = fork();
	while (!self->pid) {
		++*self->count;
		usleep(1000);
	}
	self->ctl = chess_ctl_open();
	ASSERT_TRUE(self->ctl);
	ASSERT_EQ(0, chess_group_new(self->ctl, 0, 0, &self->group));
}

FIXTURE_TEARDOWN(hold)
{
	chess_ctl_close(self->ctl);
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	munmap((void *)self->count, 4096);
}

static int take(struct hold_fixture *self, uint32_t flags)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o), .flags = flags };
	struct chess_adopted taken;
	int ret = chess_run_start(self->ctl, self->group, 0, 1, NULL, 0);

	return ret ? ret : chess_task_adopt(self->ctl, self->group, self->pid, &o, &taken);
}

static bool counts_on(struct hold_fixture *self)
{
	unsigned int before = *self->count, ms;

	for (ms = 0; ms < PATIENCE_MS && *self->count == before; ms++)
		usleep(1000);
	return *self->count != before;
}

static bool is_parked(struct hold_fixture *self)
{
	struct chess_task_info *tasks;
	int n = chess_task_list(self->ctl, self->group, &tasks);
	bool parked = n == 1 && tasks[0].state == CHESS_TASK_STATE_PARKED;

	if (n >= 0)
		free(tasks);
	return parked;
}

TEST_F(hold, nobody_goes_on_before_it_is_released)
{
	struct chess_group_info info;
	unsigned int ms, before;

	ASSERT_EQ(0, take(self, CHESS_ADOPT_FLAGS_HOLD));
	/* It could go on: its sleep is over. */
	for (ms = 0; ms < PATIENCE_MS && !is_parked(self); ms++)
		usleep(1000);
	ASSERT_TRUE(is_parked(self));
	before = *self->count;
	usleep(100000);
	EXPECT_EQ(before, *self->count);
	ASSERT_EQ(0, chess_group_get(self->ctl, self->group, &info));
	EXPECT_EQ(0U, info.decisions);
	ASSERT_EQ(0, chess_run_release(self->ctl, self->group));
	EXPECT_TRUE(counts_on(self));
}

TEST_F(hold, it_is_let_go_without_being_released)
{
	ASSERT_EQ(0, take(self, CHESS_ADOPT_FLAGS_HOLD));
	ASSERT_EQ(0, chess_run_leave(self->ctl, self->group, PATIENCE_MS));
	EXPECT_TRUE(counts_on(self));
	/* The next run is none that is held. */
	ASSERT_EQ(0, take(self, 0));
	EXPECT_TRUE(counts_on(self));
}

TEST_F(hold, goes_on_when_the_owner_is_gone)
{
	ASSERT_EQ(0, take(self, CHESS_ADOPT_FLAGS_HOLD | CHESS_ADOPT_FLAGS_LATCH));
	chess_ctl_close(self->ctl);
	EXPECT_TRUE(counts_on(self));
	self->ctl = chess_ctl_open();
	ASSERT_TRUE(self->ctl);
}

TEST_F(hold, refuses_a_release_of_nothing)
{
	struct chess_ctl *other = chess_ctl_open();

	EXPECT_EQ(-ENOENT, chess_run_release(self->ctl, self->group));
	EXPECT_TRUE(strstr(chess_error(), "is held"));
	ASSERT_EQ(0, take(self, CHESS_ADOPT_FLAGS_HOLD));
	EXPECT_TRUE(chess_run_release(other, self->group) < 0);
	EXPECT_TRUE(chess_run_release(self->ctl, self->group + 1) < 0);
	EXPECT_EQ(0, chess_run_release(self->ctl, self->group));
	EXPECT_EQ(-ENOENT, chess_run_release(self->ctl, self->group));
	chess_ctl_close(other);
}

TEST_HARNESS_MAIN
