// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests that are right but come at the wrong time: in the wrong state of the
 * group, for a task that has one already, or for none. Each must be refused with
 * the right error and a sentence, and change nothing. Needs root and the module.
 */
#include <errno.h>
#include <unistd.h>

#include "../harness.h"
#include "module.h"
#include "request.h"

static void refused(const char *what, int error)
{
	EXPECT_TRUE(is_refused(what, error, error));
}

static void good(unsigned int cmd)
{
	begin_without(find_op(cmd), NULL);
	if (raw_talk(&req.raw, &req.message)) {
		TH_LOG("command %u was refused: %s", cmd, req.raw.text);
		EXPECT_TRUE(false);
	}
}

static void bad(const char *what, unsigned int cmd, int error)
{
	begin_without(find_op(cmd), NULL);
	refused(what, error);
}

TEST(wrong_state_idle)
{
	set_up();
	bad("run-stop without a run", CHESS_CMD_RUN_STOP, ENOENT);
	good(CHESS_CMD_TASK_ADD);
	bad("task-add of the same task again", CHESS_CMD_TASK_ADD, EEXIST);
	EXPECT_TRUE(end_cat());
}

TEST(second_task)
{
	pid_t first;
	int first_in;

	set_up();
	good(CHESS_CMD_TASK_ADD);
	first = req.child;
	first_in = req.child_in;
	spawn_cat();
	bad("task-add of a second task", CHESS_CMD_TASK_ADD, EBUSY);
	EXPECT_TRUE(end_cat());
	req.child = first;
	req.child_in = first_in;
	EXPECT_TRUE(end_cat());
}

TEST(task_of_another_group)
{
	uint32_t first;

	set_up();
	good(CHESS_CMD_TASK_ADD);
	first = req.group;
	ASSERT_EQ(0, raw_call(&req.raw, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 64));
	req.group = req.raw.value[CHESS_A_GROUP_ID];
	ASSERT_NE(first, req.group);
	bad("task-add of another group's task", CHESS_CMD_TASK_ADD, EEXIST);
	EXPECT_TRUE(end_cat());
}

TEST(no_such_task)
{
	const struct op *op = find_op(CHESS_CMD_TASK_ADD);

	set_up();
	begin_without(op, find_field(op, CHESS_A_TASK_PID));
	message_u32(&req.message, CHESS_A_TASK_PID, INT32_MAX);
	refused("task-add of a pid nobody has", ESRCH);
	/* kthreadd */
	begin_without(op, find_field(op, CHESS_A_TASK_PID));
	message_u32(&req.message, CHESS_A_TASK_PID, 2);
	refused("task-add of a kernel thread", EINVAL);
	EXPECT_TRUE(end_cat());
}

TEST(wrong_state_armed)
{
	set_up();
	good(CHESS_CMD_RUN_START);
	bad("run-start while armed", CHESS_CMD_RUN_START, EBUSY);
	bad("schedule-set while armed", CHESS_CMD_SCHEDULE_SET, EBUSY);
	bad("probe-add while armed", CHESS_CMD_PROBE_ADD, EBUSY);
	bad("points-set while armed", CHESS_CMD_POINTS_SET, EBUSY);
	good(CHESS_CMD_TASK_ADD);
	good(CHESS_CMD_RUN_STOP);
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	EXPECT_TRUE(end_cat());
}

TEST(wrong_state_running)
{
	set_up();
	good(CHESS_CMD_TASK_ADD);
	good(CHESS_CMD_RUN_START);
	ASSERT_EQ(1, write(req.child_in, "x", 1));
	ASSERT_TRUE(wait_state(CHESS_GROUP_STATE_RUNNING));
	/* Wait until cat waits for input, so that nothing moves by itself. */
	while (group_state() && req.raw.value[CHESS_A_GROUP_TASKS] == 1 &&
	       (raw_call(&req.raw, CHESS_CMD_TASK_GET, NLM_F_DUMP, CHESS_A_TASK_GROUP, req.group),
		req.raw.value[CHESS_A_TASK_STATE] != CHESS_TASK_STATE_BLOCKED))
		usleep(5000);
	bad("run-start while running", CHESS_CMD_RUN_START, EBUSY);
	bad("schedule-set while running", CHESS_CMD_SCHEDULE_SET, EBUSY);
	bad("probe-add while running", CHESS_CMD_PROBE_ADD, EBUSY);
	bad("points-set while running", CHESS_CMD_POINTS_SET, EBUSY);
	bad("task-add while running", CHESS_CMD_TASK_ADD, EBUSY);
	EXPECT_EQ(-EBUSY, module_unload() == -EWOULDBLOCK ? -EBUSY : module_unload());
	good(CHESS_CMD_RECORD_GET);
	good(CHESS_CMD_ACCESS_GET);
	EXPECT_TRUE(end_cat());
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	bad("run-stop after the end", CHESS_CMD_RUN_STOP, ENOENT);
	good(CHESS_CMD_GROUP_DEL);
}

TEST(nothing_left)
{
	EXPECT_TRUE(is_nothing_left());
}

TEST_HARNESS_MAIN
