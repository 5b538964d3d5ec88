// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an ordinary user can take from others: memory, groups, what was in memory before.
 * Needs root and the module.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "../harness.h"
#include "raw.h"
#include "user.h"

#define USER_GROUPS 16
#define EVENT_BYTES 64

static struct raw r;
static struct message m;

static uint32_t new_group(uint32_t events)
{
	int ret = raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, events);

	ASSERT_EQ(0, ret);
	return r.value[CHESS_A_GROUP_ID];
}

static uint32_t state_of(uint32_t group)
{
	EXPECT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, group));
	return r.value[CHESS_A_GROUP_STATE];
}

static bool wait_state(uint32_t group, uint32_t state)
{
	int i;

	for (i = 0; i < 2000 && state_of(group) != state; i++)
		usleep(5000);
	return state_of(group) == state;
}

/* A program under control; @in: what keeps it from its execve, and then its stdin. */
static pid_t start(uint32_t group, const char *const *argv, int *in)
{
	pid_t pid = spawn(argv, r.fd, in);

	message_begin(&m, CHESS_CMD_TASK_ADD, 0);
	message_u32(&m, CHESS_A_TASK_GROUP, group);
	message_u32(&m, CHESS_A_TASK_PID, pid);
	ASSERT_EQ(0, raw_talk(&r, &m));
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP, group));
	ASSERT_EQ(1, write(*in, "x", 1));
	return pid;
}

TEST(memory_of_a_user_has_a_limit)
{
	const uint32_t events = 8 * 1048576 / EVENT_BYTES;
	int i, ret = 0;

	EXPECT_EQ(0, set_parameter("memory", "64"));
	become(NOBODY);
	ASSERT_EQ(0, raw_open(&r));
	ret = raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 8 * events);
	EXPECT_EQ(-ENOMEM, ret);
	EXPECT_TRUE(strstr(r.text, "one user"));
	/* 64 MiB are not quite eight times eight. */
	for (i = 0, ret = 0; i < USER_GROUPS && !ret; i++)
		ret = raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, events);
	EXPECT_EQ(-ENOMEM, ret);
	EXPECT_EQ(7, raw_groups(&r));
	message_begin(&m, CHESS_CMD_RUN_START, 0);
	message_u32(&m, CHESS_A_RUN_GROUP, r.value[CHESS_A_GROUP_ID]);
	message_u32(&m, CHESS_A_RUN_MAX_ACCESSES, 2 * events);
	EXPECT_EQ(-ENOMEM, raw_talk(&r, &m));
	EXPECT_TRUE(r.text[0]);
	/* What is given back can be had again. */
	raw_close(&r);
	ASSERT_EQ(0, raw_open(&r));
	for (i = 0, ret = -1; i < 1000 && ret; i++) {
		ret = raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 7 * events);
		usleep(5000);
	}
	EXPECT_EQ(0, ret);
}

TEST(memory_of_root_has_no_such_limit)
{
	EXPECT_EQ(0, set_parameter("memory", "1"));
	ASSERT_EQ(0, raw_open(&r));
	new_group(1048576 / EVENT_BYTES);
	EXPECT_EQ(0, set_parameter("memory", "0"));
}

static bool is_stopped(pid_t pid)
{
	char path[64], text[512] = "";
	const char *state;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	state = strrchr(text, ')');
	return state && state[2] == 'T';
}

/* A group whose owner is gone, and whose task is stopped and cannot leave. */
static pid_t abandon_group(void)
{
	const char *const sleeper[] = { "/bin/sleep", "1000", NULL };
	uint32_t group;
	int in, i;
	pid_t pid;

	ASSERT_EQ(0, raw_open(&r));
	group = new_group(64);
	pid = start(group, sleeper, &in);
	EXPECT_TRUE(wait_state(group, CHESS_GROUP_STATE_RUNNING));
	kill(pid, SIGSTOP);
	for (i = 0; i < 2000 && !is_stopped(pid); i++)
		usleep(5000);
	EXPECT_TRUE(is_stopped(pid));
	return pid;
}

TEST(groups_count_until_their_tasks_are_gone)
{
	pid_t pids[USER_GROUPS], owner;
	int i, ret, told[2];

	ASSERT_EQ(0, pipe(told));
	become(NOBODY);
	for (i = 0; i < USER_GROUPS; i++) {
		owner = fork();
		if (!owner) {
			pids[i] = abandon_group();
			_exit(write(told[1], &pids[i], sizeof(pids[i])) != sizeof(pids[i]));
		}
		ASSERT_EQ((ssize_t)sizeof(pids[i]), read(told[0], &pids[i], sizeof(pids[i])));
	}
	for (i = 0; i < USER_GROUPS; i++)
		ASSERT_LT(0, wait(NULL));
	ASSERT_EQ(0, raw_open(&r));
	EXPECT_EQ(0, raw_groups(&r));
	EXPECT_EQ(-EDQUOT, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 64));
	EXPECT_TRUE(strstr(r.text, "stopped"));
	for (i = 0; i < USER_GROUPS; i++)
		kill(pids[i], SIGKILL);
	for (i = 0, ret = -EDQUOT; i < 400 && ret == -EDQUOT; i++)
		ret = raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 64);
	EXPECT_EQ(0, ret);
}

/* So many requests for a group in one call; how many were answered until one by -EAGAIN. */
static int ask_at_once(unsigned int n)
{
	static char block[65536] __attribute__((aligned(8)));
	struct timeval patience = { .tv_sec = 60 };
	static char bytes[65536];
	size_t length = 0;
	unsigned int i;
	int error;

	for (i = 0; i < n; i++) {
		message_begin(&m, CHESS_CMD_GROUP_NEW, NLM_F_ACK);
		message_u32(&m, CHESS_A_GROUP_MAX_EVENTS, 64);
		m.head.nlmsg_type = r.family;
		m.head.nlmsg_len = m.len;
		m.head.nlmsg_seq = 4711;
		memcpy(bytes + length, m.bytes, m.len);
		length += NLMSG_ALIGN(m.len);
	}
	setsockopt(r.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	ASSERT_EQ((ssize_t)length, send(r.fd, bytes, length, 0));
	for (i = 0; i < n; i++) {
		struct nlmsghdr *h = (struct nlmsghdr *)block;

		ASSERT_LT(0, recv(r.fd, block, sizeof(block), 0));
		memcpy(&error, h + 1, sizeof(error));
		EXPECT_EQ(NLMSG_ERROR, h->nlmsg_type);
		if (error == -EAGAIN)
			break;
		EXPECT_EQ(-EDQUOT, error);
	}
	return i;
}

/*
 * A request for one group too many waits a little for another to go; the rest of its call
 * does not, as all of generic netlink may have to wait for that.
 */
TEST(requests_of_one_call_wait_once)
{
	int i;

	become(NOBODY);
	ASSERT_EQ(0, raw_open(&r));
	for (i = 0; i < USER_GROUPS; i++)
		new_group(64);
	EXPECT_EQ(1, ask_at_once(100));
}

/* Read messages until the end of dump @seq; what it ends with. @parts: of the dump. */
static int rest_of_dump(uint32_t seq, unsigned int most, unsigned int *parts)
{
	static char block[65536] __attribute__((aligned(8)));
	struct timeval patience = { .tv_sec = 20 };
	int error = 1;

	setsockopt(r.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	*parts = 0;
	while (error > 0 && *parts < most) {
		struct nlmsghdr *h = (struct nlmsghdr *)block;
		ssize_t n = recv(r.fd, block, sizeof(block), 0);

		ASSERT_LT(0, n);
		for (; NLMSG_OK(h, (size_t)n); h = NLMSG_NEXT(h, n)) {
			if (h->nlmsg_seq != seq)
				continue;
			++*parts;
			if (h->nlmsg_type == NLMSG_DONE || h->nlmsg_type == NLMSG_ERROR)
				memcpy(&error, h + 1, sizeof(error));
		}
	}
	return error;
}

TEST(dump_ends_where_another_run_begins)
{
	const char *const argv[] = {
		"/bin/dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=4000", "status=none", NULL
	};
	uint32_t group, seq;
	unsigned int parts;
	int in, status;
	pid_t pid;

	become(NOBODY);
	ASSERT_EQ(0, raw_open(&r));
	group = new_group(65536);
	pid = start(group, argv, &in);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(wait_state(group, CHESS_GROUP_STATE_IDLE));
	message_begin(&m, CHESS_CMD_RECORD_GET, NLM_F_DUMP);
	message_u32(&m, CHESS_A_RECORD_GROUP, group);
	m.head.nlmsg_type = r.family;
	m.head.nlmsg_len = m.len;
	m.head.nlmsg_seq = seq = 4711;
	ASSERT_EQ((ssize_t)m.len, send(r.fd, m.bytes, m.len, 0));
	EXPECT_EQ(1, rest_of_dump(seq, 1, &parts));
	message_begin(&m, CHESS_CMD_RUN_START, NLM_F_ACK);
	message_u32(&m, CHESS_A_RUN_GROUP, group);
	m.head.nlmsg_type = r.family;
	m.head.nlmsg_len = m.len;
	m.head.nlmsg_seq = 4712;
	ASSERT_EQ((ssize_t)m.len, send(r.fd, m.bytes, m.len, 0));
	EXPECT_EQ(-ESTALE, rest_of_dump(seq, 1000, &parts));
	/* And the next dump is one of the new run: nothing but the end. */
	EXPECT_EQ(0, raw_call(&r, CHESS_CMD_RECORD_GET, NLM_F_DUMP, CHESS_A_RECORD_GROUP, group));
	EXPECT_EQ(0U, r.messages);
}

TEST_HARNESS_MAIN
