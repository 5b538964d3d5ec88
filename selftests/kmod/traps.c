// SPDX-License-Identifier: GPL-2.0-only
/*
 * See traps.h.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "../harness.h"
#include "traps.h"

struct raw r;
uint32_t group;
static struct message m;

void new_group(void)
{
	ASSERT_EQ(0, raw_open(&r));
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 4096));
	group = r.value[CHESS_A_GROUP_ID];
	ASSERT_LT(0U, group);
}

struct chess_probe trap_at(uint64_t offset)
{
	return (struct chess_probe) {
		.offset = offset, .id = 1, .op = CHESS_OP_LOCK, .orig_len = 1, .slot_len = 15,
		.nfixups = 1, .orig = { NOP }, .slot = { NOP, 0xff, 0x25, 0, 0, 0, 0 },
		.fixups = { { .kind = CHESS_FIXUP_ABS64, .pos = 7, .addend = 1 } },
	};
}

int probe_add(int fd, const struct chess_probe *p, size_t n, bool append)
{
	message_begin(&m, CHESS_CMD_PROBE_ADD, 0);
	message_u32(&m, CHESS_A_PROBE_GROUP, group);
	message_u32(&m, CHESS_A_PROBE_FD, fd);
	message_put(&m, CHESS_A_PROBE_ENTRIES, p, n * sizeof(*p));
	if (append)
		message_u32(&m, CHESS_A_PROBE_FLAGS, CHESS_PROBE_FLAGS_APPEND);
	return raw_talk(&r, &m);
}

int run_start(void)
{
	return raw_call(&r, CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP, group);
}

int run_stop(void)
{
	return raw_call(&r, CHESS_CMD_RUN_STOP, 0, CHESS_A_RUN_GROUP, group);
}

int task_op(unsigned int cmd, pid_t pid)
{
	message_begin(&m, cmd, 0);
	message_u32(&m, CHESS_A_TASK_GROUP, group);
	message_u32(&m, CHESS_A_TASK_PID, pid);
	return raw_talk(&r, &m);
}

bool wait_idle(void)
{
	int i;

	for (i = 0; i < 4000; i++) {
		if (raw_call(&r, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, group))
			return false;
		if (r.value[CHESS_A_GROUP_STATE] == CHESS_GROUP_STATE_IDLE)
			return true;
		usleep(5000);
	}
	return false;
}

int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}
