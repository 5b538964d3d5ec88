// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what chessctl status works out of a group: states in words, unknown ones included;
 * which tasks are enabled and which has the token; what the blocked ones wait in; names of
 * the processes, which are this one. Text and JSON of status only write what is tested here.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cli/status.h"
#include "harness.h"

static struct chess_task_info task(uint32_t id, uint32_t state)
{
	return (struct chess_task_info){ .group = 7, .pid = getpid(), .id = id, .state = state };
}

TEST(tasks_of_a_group)
{
	const struct chess_task_info tasks[] = {
		task(0, CHESS_TASK_STATE_BLOCKED), task(1, CHESS_TASK_STATE_RUNNING),
		task(2, CHESS_TASK_STATE_PARKED), task(3, CHESS_TASK_STATE_PENDING),
	};
	const struct chess_group_info info = {
		.id = 7, .state = CHESS_GROUP_STATE_RUNNING, .owner_pid = getpid(), .token = 1,
	};
	struct chess_wait *waits = calloc(1, sizeof(*waits));
	struct status_group g;

	ASSERT_TRUE(waits);
	waits->text = strdup("read pipe:[1]");
	status_group_of(&info, tasks, 4, waits, 1, &g);
	EXPECT_EQ(0, strcmp("running", g.state));
	EXPECT_EQ(0, strncmp("status_test", g.owner, 11));
	EXPECT_TRUE(g.has_token);
	ASSERT_EQ(4, (int)g.n);
	EXPECT_EQ(2, (int)g.n_enabled);
	EXPECT_FALSE(g.task[0].enabled || g.task[3].enabled);
	EXPECT_TRUE(g.task[1].enabled && g.task[2].enabled);
	EXPECT_TRUE(g.task[1].token && !g.task[0].token && !g.task[2].token);
	ASSERT_TRUE(g.task[0].wait);
	EXPECT_EQ(0, strcmp("read pipe:[1]", g.task[0].wait->text));
	EXPECT_TRUE(!g.task[1].wait && !g.task[2].wait && !g.task[3].wait);
	EXPECT_EQ(0, strcmp("blocked", g.task[0].state));
	EXPECT_EQ(0, strcmp("pending", g.task[3].state));
	EXPECT_EQ(0, strncmp("status_test", g.task[2].name, 11));
	EXPECT_EQ(0, (int)g.task[2].inside);
	status_group_clear(&g);
	status_group_clear(&g);
}

/* Nobody has the token; states of a newer module; a process that is gone. */
TEST(what_is_not_known)
{
	struct chess_task_info gone = task(0, 4711);
	const struct chess_group_info info = {
		.state = 4711, .owner_pid = 999999999, .token = CHESS_TASK_NONE,
	};
	struct status_group g;

	gone.pid = 999999999;
	status_group_of(&info, &gone, 1, NULL, 0, &g);
	EXPECT_EQ(0, strcmp("?", g.state));
	EXPECT_EQ(0, strcmp("?", g.owner));
	EXPECT_EQ(0, strcmp("?", g.task[0].state));
	EXPECT_EQ(0, strcmp("?", g.task[0].name));
	EXPECT_FALSE(g.has_token || g.task[0].token || g.task[0].enabled);
	EXPECT_EQ(0, (int)g.n_enabled);
	status_group_clear(&g);
	status_group_of(&info, NULL, 0, NULL, 0, &g);
	EXPECT_EQ(0, (int)g.n);
	status_group_clear(&g);
}

TEST_HARNESS_MAIN
