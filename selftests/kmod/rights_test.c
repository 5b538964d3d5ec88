// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may control whom: a user without privileges has groups and controls tasks
 * of its own, and neither root's tasks nor other people's groups; a program that
 * raises its privileges leaves control, and what it executes stays out. Needs
 * root and the module; the set-user-id programs are copies of this file.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "../harness.h"
#include "raw.h"
#include "user.h"

#define SOMEBODY 65533
#define GOOD 42
#define USER_GROUPS 16

static struct raw r;
static uint32_t group;
static struct message m;

/* --- the set-user-id program --------------------------------------------- */

/* What anything does that writes to its standard output. */
static int relay(void)
{
	static char block[4096];
	ssize_t n = read(0, block, sizeof(block));

	return n > 0 && write(1, block, n) == n ? GOOD : 6;
}

static int helper_main(const char *what)
{
	if (!strcmp(what, "relay"))
		return geteuid() ? 2 : relay();
	if (!strcmp(what, "plain"))
		return helper_work() == GOOD ? GOOD : 1;
	if (geteuid() != 0 || getuid() != NOBODY)
		return 2;
	if (!strcmp(what, "raised"))
		return helper_work() == GOOD ? GOOD : 3;
	/* As su does. */
	if (setresuid(0, 0, 0))
		return 4;
	execl("/bin/cat", "cat", NULL);
	return 5;
}

/* --- surroundings -------------------------------------------------------- */

static void new_group(void)
{
	ASSERT_EQ(0, raw_open(&r));
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 4096));
	group = r.value[CHESS_A_GROUP_ID];
	ASSERT_LT(0U, group);
}

static int task_add(pid_t pid)
{
	message_begin(&m, CHESS_CMD_TASK_ADD, 0);
	message_u32(&m, CHESS_A_TASK_GROUP, group);
	message_u32(&m, CHESS_A_TASK_PID, pid);
	return raw_talk(&r, &m);
}

static int trap_helper(void)
{
	struct chess_probe p = helper_probe();
	int fd = open(helper, O_RDONLY | O_CLOEXEC);

	message_begin(&m, CHESS_CMD_PROBE_ADD, 0);
	message_u32(&m, CHESS_A_PROBE_GROUP, group);
	message_u32(&m, CHESS_A_PROBE_FD, fd);
	message_put(&m, CHESS_A_PROBE_ENTRIES, &p, sizeof(p));
	return raw_talk(&r, &m);
}

static pid_t start(const char *const *argv, int *in)
{
	pid_t pid = spawn(argv, r.fd, in);
	int ret = task_add(pid);

	if (ret)
		TH_LOG("task-add: %s", r.text);
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP, group));
	ASSERT_EQ(1, write(*in, "x", 1));
	return pid;
}

static uint32_t group_value(unsigned int attr)
{
	EXPECT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, group));
	return r.value[attr];
}

static bool wait_state(uint32_t state)
{
	int i;

	for (i = 0; i < 2000 && group_value(CHESS_A_GROUP_STATE) != state; i++)
		usleep(5000);
	return group_value(CHESS_A_GROUP_STATE) == state;
}

static int ends(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* The command a process executes now. */
static bool executes(pid_t pid, const char *name)
{
	char path[64], comm[32] = "";
	int fd, i;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	for (i = 0; i < 2000 && strncmp(comm, name, strlen(name)); i++) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (read(fd, comm, sizeof(comm) - 1) < 0)
			comm[0] = '\0';
		close(fd);
		usleep(5000);
	}
	return !strncmp(comm, name, strlen(name));
}

/* --- the door ------------------------------------------------------------ */

static const struct {
	const char *name;
	unsigned int cmd, flags, attr;
} commands[] = {
	{ "group-new", CHESS_CMD_GROUP_NEW, 0, 0 },
	{ "group-get", CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID },
	{ "list of groups", CHESS_CMD_GROUP_GET, NLM_F_DUMP, 0 },
	{ "group-del", CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID },
	{ "task-add", CHESS_CMD_TASK_ADD, 0, CHESS_A_TASK_GROUP },
	{ "task-adopt", CHESS_CMD_TASK_ADOPT, 0, CHESS_A_TASK_GROUP },
	{ "task-get", CHESS_CMD_TASK_GET, NLM_F_DUMP, CHESS_A_TASK_GROUP },
	{ "probe-add", CHESS_CMD_PROBE_ADD, 0, CHESS_A_PROBE_GROUP },
	{ "schedule-set", CHESS_CMD_SCHEDULE_SET, 0, CHESS_A_SCHEDULE_GROUP },
	{ "run-start", CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP },
	{ "run-stop", CHESS_CMD_RUN_STOP, 0, CHESS_A_RUN_GROUP },
	{ "run-release", CHESS_CMD_RUN_RELEASE, 0, CHESS_A_RUN_GROUP },
	{ "record-get", CHESS_CMD_RECORD_GET, NLM_F_DUMP, CHESS_A_RECORD_GROUP },
	{ "points-set", CHESS_CMD_POINTS_SET, 0, CHESS_A_ACCESS_GROUP },
	{ "access-get", CHESS_CMD_ACCESS_GET, NLM_F_DUMP, CHESS_A_ACCESS_GROUP },
};

/* Every command is refused, with a sentence that has @text in it. */
static void all_refused(uint32_t of, const char *text)
{
	size_t i;
	int ret;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		ret = raw_call(&r, commands[i].cmd, commands[i].flags, commands[i].attr, of);
		if (ret != -EPERM || !strstr(r.text, text))
			TH_LOG("%s: %d \"%s\"", commands[i].name, ret, r.text);
		EXPECT_EQ(-EPERM, ret);
		EXPECT_TRUE(strstr(r.text, text));
	}
}

/* The first test of all: nobody has changed a parameter yet. */
TEST(module_is_closed_by_default)
{
	new_group();
	drop_to(NOBODY);
	all_refused(group, "closed");
	raw_close(&r);
	ASSERT_EQ(0, raw_open(&r));
	all_refused(1, "closed");
}

TEST(module_closes_at_run_time)
{
	int stop[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(stop));
	pid = fork();
	if (!pid) {
		become(NOBODY);
		new_group();
		if (write(stop[1], "x", 1) != 1)
			_exit(1);
		while (!raw_call(&r, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, group))
			usleep(5000);
		all_refused(group, "closed");
		_exit(harness_result ? 1 : GOOD);
	}
	ASSERT_EQ(1, read(stop[0], &c, 1));
	EXPECT_EQ(0, set_parameter("unprivileged", "0"));
	EXPECT_EQ(GOOD, ends(pid));
}

TEST(root_of_a_user_namespace_is_an_ordinary_user)
{
	EXPECT_EQ(0, set_parameter("unprivileged", "0"));
	drop_to(NOBODY);
	if (unshare(CLONE_NEWUSER))
		SKIP_TEST("no user namespace: %s", strerror(errno));
	ASSERT_EQ(0, raw_open(&r));
	all_refused(1, "closed");
}

static int group_new_as(uid_t uid, gid_t member)
{
	pid_t pid = fork();

	if (!pid) {
		ASSERT_EQ(0, setgroups(1, &member));
		ASSERT_EQ(0, setresgid(uid, uid, uid));
		ASSERT_EQ(0, setresuid(uid, uid, uid));
		ASSERT_EQ(0, raw_open(&r));
		_exit(-raw_call(&r, CHESS_CMD_GROUP_NEW, 0, 0, 0));
	}
	return ends(pid);
}

TEST(module_is_open_to_a_group)
{
	EXPECT_EQ(0, set_parameter("unprivileged", "0"));
	EXPECT_EQ(-EINVAL, set_parameter("gid", "-2"));
	EXPECT_EQ(-EINVAL, set_parameter("gid", "users"));
	EXPECT_EQ(EPERM, group_new_as(NOBODY, 4711));
	EXPECT_EQ(0, set_parameter("gid", "4711"));
	EXPECT_EQ(0, group_new_as(NOBODY, 4711));
	EXPECT_EQ(EPERM, group_new_as(NOBODY, 4712));
	EXPECT_EQ(0, set_parameter("gid", "65534"));
	EXPECT_EQ(0, group_new_as(NOBODY, 4712));
	EXPECT_EQ(0, set_parameter("gid", "-1"));
	EXPECT_EQ(EPERM, group_new_as(NOBODY, 4711));
}

/* A controller that gives up its rights has none over what it created with them. */
TEST(socket_of_root_is_of_no_use_to_a_user)
{
	new_group();
	become(NOBODY);
	all_refused(group, "other rights");
}

/* --- rights -------------------------------------------------------------- */

/* The answer to the last message, which somebody else sends. */
static int answer(void)
{
	static char block[8192] __attribute__((aligned(8)));
	struct timeval patience = { .tv_sec = 20 };
	struct nlmsghdr *h = (struct nlmsghdr *)block;
	int error;

	setsockopt(r.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	do {
		if (recv(r.fd, block, sizeof(block), 0) < 0)
			return -errno;
	} while (h->nlmsg_type != NLMSG_ERROR || h->nlmsg_seq != m.head.nlmsg_seq);
	memcpy(&error, h + 1, sizeof(error));
	return error;
}

/* A set-user-id program that has the socket as its standard output sends the message. */
static int sent_by_root(void)
{
	int fd[2];
	pid_t pid;

	m.head.nlmsg_len = m.len;
	m.head.nlmsg_type = r.family;
	m.head.nlmsg_seq = ++r.seq;
	ASSERT_EQ(0, pipe(fd));
	ASSERT_EQ((ssize_t)m.len, write(fd[1], m.bytes, m.len));
	pid = fork();
	if (!pid) {
		dup2(fd[0], 0);
		dup2(r.fd, 1);
		execl(helper, helper, "--helper", "relay", NULL);
		_exit(127);
	}
	close(fd[0]);
	close(fd[1]);
	EXPECT_EQ(GOOD, ends(pid));
	return answer();
}

TEST(setuid_program_opens_no_door)
{
	const char *const cat[] = { "/bin/cat", NULL };
	pid_t victim;
	int in;

	r.fd = -1;
	make_helper();
	victim = spawn(cat, r.fd, &in);
	become(NOBODY);
	new_group();
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP, group));
	message_begin(&m, CHESS_CMD_TASK_ADOPT, 0);
	message_u32(&m, CHESS_A_TASK_GROUP, group);
	message_u32(&m, CHESS_A_TASK_PID, victim);
	EXPECT_EQ(-EPERM, sent_by_root());
	message_begin(&m, CHESS_CMD_TASK_ADD, 0);
	message_u32(&m, CHESS_A_TASK_GROUP, group);
	message_u32(&m, CHESS_A_TASK_PID, victim);
	EXPECT_EQ(-EPERM, sent_by_root());
	message_begin(&m, CHESS_CMD_GROUP_NEW, 0);
	EXPECT_EQ(-EPERM, sent_by_root());
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_ARMED, group_value(CHESS_A_GROUP_STATE));
	close(in);
	EXPECT_EQ(1, ends(victim));
}

/* A socket of its own that has this port; it waits until nobody else has. */
static void open_port(struct raw *to, uint32_t port)
{
	struct sockaddr_nl want = { .nl_family = AF_NETLINK, .nl_pid = port };
	int on = 1;

	ASSERT_EQ(0, raw_open(to));
	close(to->fd);
	to->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	ASSERT_LE(0, to->fd);
	setsockopt(to->fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	while (bind(to->fd, (struct sockaddr *)&want, sizeof(want)))
		ASSERT_EQ(EADDRINUSE, errno);
}

/*
 * While the tasks of a group are waited for the socket that owned it is closed, its port is
 * free, and its other groups are still there.
 */
TEST(port_of_a_closed_socket_gives_no_rights)
{
	const char *const cat[] = { "/bin/cat", NULL };
	uint32_t port = 0x7e57c4e5, second = 0;
	struct raw thief;
	pid_t owner, pid = 0;
	int in, ret, to[2];

	ASSERT_EQ(0, pipe(to));
	owner = fork();
	if (!owner) {
		open_port(&r, port);
		ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 4096));
		group = r.value[CHESS_A_GROUP_ID];
		pid = start(cat, &in);
		wait_state(CHESS_GROUP_STATE_RUNNING);
		executes(pid, "cat");
		kill(pid, SIGSTOP);
		ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, 0, 0));
		second = r.value[CHESS_A_GROUP_ID];
		ASSERT_EQ((ssize_t)sizeof(pid), write(to[1], &pid, sizeof(pid)));
		ASSERT_EQ((ssize_t)sizeof(second), write(to[1], &second, sizeof(second)));
		_exit(0);
	}
	ASSERT_EQ((ssize_t)sizeof(pid), read(to[0], &pid, sizeof(pid)));
	ASSERT_EQ((ssize_t)sizeof(second), read(to[0], &second, sizeof(second)));
	open_port(&thief, port);
	ret = raw_call(&thief, CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP, second);
	TH_LOG("run-start through the port: %d \"%s\"", ret, thief.text);
	EXPECT_NE(0, ret);
	/* And what the new one has is not ended with the old one. */
	EXPECT_EQ(0, raw_call(&thief, CHESS_CMD_GROUP_NEW, 0, 0, 0));
	second = thief.value[CHESS_A_GROUP_ID];
	kill(pid, SIGKILL);
	EXPECT_EQ(0, ends(owner));
	EXPECT_EQ(0, raw_call(&thief, CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP, second));
}

TEST(user_controls_own_task)
{
	const char *const cat[] = { "/bin/cat", NULL };
	pid_t pid;
	int in;

	become(NOBODY);
	new_group();
	pid = start(cat, &in);
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_RUNNING));
	close(in);
	EXPECT_EQ(0, ends(pid));
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	EXPECT_LT(0U, group_value(CHESS_A_GROUP_EVENTS));
	EXPECT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID, group));
}

TEST(user_does_not_control_roots_task)
{
	const char *const cat[] = { "/bin/cat", NULL };
	pid_t pid;
	int in;

	r.fd = -1;
	pid = spawn(cat, r.fd, &in);
	become(NOBODY);
	new_group();
	EXPECT_EQ(-EPERM, task_add(pid));
	EXPECT_TRUE(strstr(r.text, "ptrace"));
	EXPECT_EQ(-EPERM, task_add(1));
	EXPECT_TRUE(strstr(r.text, "ptrace"));
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_IDLE, group_value(CHESS_A_GROUP_STATE));
	EXPECT_EQ(0, raw_call(&r, CHESS_CMD_TASK_GET, NLM_F_DUMP, CHESS_A_TASK_GROUP, group));
	EXPECT_EQ(0U, r.messages);
	close(in);
	EXPECT_EQ(1, ends(pid));
}

static void no_rights_over(uint32_t other)
{
	static const struct {
		unsigned int cmd, flags, attr;
	} calls[] = {
		{ CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID },
		{ CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID },
		{ CHESS_CMD_TASK_GET, NLM_F_DUMP, CHESS_A_TASK_GROUP },
		{ CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP },
		{ CHESS_CMD_RUN_STOP, 0, CHESS_A_RUN_GROUP },
		{ CHESS_CMD_RECORD_GET, NLM_F_DUMP, CHESS_A_RECORD_GROUP },
		{ CHESS_CMD_ACCESS_GET, NLM_F_DUMP, CHESS_A_ACCESS_GROUP },
	};
	size_t i;
	int ret;

	EXPECT_EQ(0, raw_open(&r));
	EXPECT_EQ(0, raw_groups(&r));
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		ret = raw_call(&r, calls[i].cmd, calls[i].flags, calls[i].attr, other);
		if (ret != -EPERM || !r.text[0])
			TH_LOG("command %u: %d \"%s\"", calls[i].cmd, ret, r.text);
		EXPECT_EQ(-EPERM, ret);
		EXPECT_TRUE(r.text[0]);
	}
	raw_close(&r);
}

static void other_peoples_group(uid_t owner)
{
	int ready[2], stop[2];
	uint32_t other = 0;
	pid_t holder, looker;
	char c;

	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(stop));
	holder = fork();
	if (!holder) {
		become(owner);
		new_group();
		if (write(ready[1], &group, sizeof(group)) != sizeof(group) ||
		    read(stop[0], &c, 1) != 1)
			_exit(1);
		/* Still there, and still ours. */
		_exit(group_value(CHESS_A_GROUP_STATE) == CHESS_GROUP_STATE_IDLE ? GOOD : 2);
	}
	ASSERT_EQ((ssize_t)sizeof(other), read(ready[0], &other, sizeof(other)));
	looker = fork();
	if (!looker) {
		become(NOBODY);
		no_rights_over(other);
		_exit(harness_result ? 1 : GOOD);
	}
	EXPECT_EQ(GOOD, ends(looker));
	EXPECT_EQ(1, write(stop[1], "x", 1));
	EXPECT_EQ(GOOD, ends(holder));
}

TEST(user_does_not_see_other_peoples_groups)
{
	other_peoples_group(0);
	other_peoples_group(SOMEBODY);
}

/* Writes to descriptor @fd of process @pid, which is another user's. */
static void write_there(pid_t pid, int fd)
{
	char path[64];
	int to, i;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	to = open(path, O_WRONLY | O_CLOEXEC);
	for (i = 0; i < 5; i++) {
		usleep(30000);
		if (write(to, "y", 1) != 1)
			_exit(1);
	}
	usleep(30000);
	_exit(0);
}

/* Whoever wakes a task from outside is named, but not to those it is none of. */
TEST(other_users_are_not_named)
{
	const char *const dd[] = { "/bin/dd", "of=/dev/null", "status=none", NULL };
	bool named = false;
	int in, fd[2], i;
	pid_t pid, other;

	ASSERT_EQ(0, pipe(fd));
	other = fork();
	if (!other) {
		if (read(fd[0], &in, sizeof(in)) != sizeof(in))
			_exit(1);
		write_there(getppid(), in);
	}
	become(NOBODY);
	new_group();
	pid = start(dd, &in);
	EXPECT_TRUE(executes(pid, "dd"));
	/* An interrupt may be the last one. */
	for (i = 0; i < 50 && !named; i++) {
		EXPECT_EQ(1, write(in, "x", 1));
		usleep(20000);
		named = group_value(CHESS_A_GROUP_OUTSIDE_PID) == (uint32_t)getpid();
	}
	EXPECT_TRUE(named);
	ASSERT_EQ((ssize_t)sizeof(in), write(fd[1], &in, sizeof(in)));
	for (named = false; !waitpid(other, &i, WNOHANG); usleep(5000))
		named |= group_value(CHESS_A_GROUP_OUTSIDE_PID) == (uint32_t)other;
	EXPECT_EQ(0, i);
	EXPECT_FALSE(named);
	close(in);
	EXPECT_EQ(0, ends(pid));
}

TEST(user_has_a_limit_of_groups)
{
	int i, ret = 0;

	become(NOBODY);
	ASSERT_EQ(0, raw_open(&r));
	for (i = 0; i < USER_GROUPS + 1 && !ret; i++)
		ret = raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 16);
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_TRUE(r.text[0]);
	EXPECT_EQ(USER_GROUPS, raw_groups(&r));
}

/* --- programs that raise their privileges -------------------------------- */

TEST(trap_in_plain_program)
{
	const char *const argv[] = { helper, "--helper", "plain", NULL };
	pid_t pid;
	int in;

	/* Proves that the trap is good, so that the tests below mean something. */
	make_helper();
	ASSERT_EQ(0, chmod(helper, 0755));
	become(NOBODY);
	new_group();
	ASSERT_EQ(0, trap_helper());
	pid = start(argv, &in);
	EXPECT_EQ(GOOD, ends(pid));
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	EXPECT_EQ(0U, group_value(CHESS_A_GROUP_LOST));
	EXPECT_LT(1U, group_value(CHESS_A_GROUP_DECISIONS));
}

TEST(setuid_program_is_not_controlled)
{
	const char *const argv[] = { helper, "--helper", "raised", NULL };
	pid_t pid;
	int in;

	make_helper();
	become(NOBODY);
	new_group();
	ASSERT_EQ(0, trap_helper());
	pid = start(argv, &in);
	EXPECT_EQ(GOOD, ends(pid));
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	EXPECT_EQ(0U, group_value(CHESS_A_GROUP_DECISIONS));
}

TEST(program_leaves_when_it_executes_setuid)
{
	char script[128];
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	pid_t pid;
	int in, i;

	make_helper();
	become(NOBODY);
	new_group();
	ASSERT_EQ(0, trap_helper());
	snprintf(script, sizeof(script), "(exit 0); exec %s --helper raised", helper);
	for (i = 0; i < 20; i++) {
		pid = start(argv, &in);
		EXPECT_EQ(GOOD, ends(pid));
		EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
		/* The shell was under control, and that it left is reported. */
		EXPECT_LT(1U, group_value(CHESS_A_GROUP_DECISIONS));
		EXPECT_EQ(1U, group_value(CHESS_A_GROUP_LOST));
		close(in);
	}
}

/* The one that leaves is not the last: the run goes on without it. */
TEST(program_leaves_while_others_stay)
{
	char script[160];
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	pid_t pid;
	int in, i;

	make_helper();
	become(NOBODY);
	new_group();
	ASSERT_EQ(0, trap_helper());
	snprintf(script, sizeof(script), "exec 3<&0; cat <&3 & exec %s --helper raised 3<&-",
		 helper);
	for (i = 0; i < 20; i++) {
		pid = start(argv, &in);
		EXPECT_EQ(GOOD, ends(pid));
		EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_RUNNING, group_value(CHESS_A_GROUP_STATE));
		EXPECT_EQ(1U, group_value(CHESS_A_GROUP_TASKS));
		close(in);
		EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	}
}

/* What may be executed but not read may not be traced either. */
TEST(unreadable_program_is_not_controlled)
{
	const char *const argv[] = { helper, "--helper", "plain", NULL };
	pid_t pid;
	int in;

	make_helper();
	ASSERT_EQ(0, chmod(helper, 0711));
	become(NOBODY);
	new_group();
	pid = start(argv, &in);
	EXPECT_EQ(GOOD, ends(pid));
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	EXPECT_EQ(0U, group_value(CHESS_A_GROUP_DECISIONS));
}

static void stays_out(const char *const *argv)
{
	pid_t pid;
	int in;

	pid = start(argv, &in);
	EXPECT_TRUE(executes(pid, "cat"));
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	EXPECT_EQ(0U, group_value(CHESS_A_GROUP_TASKS));
	close(in);
	EXPECT_EQ(0, ends(pid));
}

TEST(what_setuid_program_executes_stays_out)
{
	char script[128];
	const char *const first[] = { helper, "--helper", "execute", NULL };
	const char *const later[] = { "/bin/sh", "-c", script, NULL };

	make_helper();
	become(NOBODY);
	new_group();
	stays_out(first);
	snprintf(script, sizeof(script), "(exit 0); exec %s --helper execute", helper);
	stays_out(later);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--helper"))
		return helper_main(argv[2]);
	return harness_main(argc, argv);
}
