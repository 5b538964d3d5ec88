// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may control whom: a user without privileges has groups and controls tasks
 * of its own, and neither root's tasks nor other people's groups; a program that
 * raises its privileges leaves control, and what it executes stays out. Needs
 * root and the module; the set-user-id programs are copies of this file.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "../harness.h"
#include "raw.h"

#define NOBODY 65534
#define SOMEBODY 65533
#define GOOD 42
#define USER_GROUPS 16

static struct raw r;
static uint32_t group;
static struct message m;
static char helper[] = "/tmp/rights_test.XXXXXX";

/* --- the set-user-id program --------------------------------------------- */

/* A function to put a trap on: its first instruction is one byte. */
int helper_work(void);
__asm__(".text\n.globl helper_work\n.type helper_work, @function\n"
	"helper_work: nop\n\tmov $42, %eax\n\tret\n");

static int helper_main(const char *what)
{
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

static int note_base(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uintptr_t *)data = info->dlpi_addr;
	return 1;
}

/* The trap on helper_work() of this file; its bytes are as far from the start of
 * the file as from the load address, because the text segment is.
 */
static struct chess_probe helper_probe(void)
{
	struct chess_probe p = {
		.id = 1, .op = CHESS_OP_LOCK, .orig_len = 1, .slot_len = 15, .nfixups = 1,
		.orig = { 0x90 },
		/* nop; jmp *0(%rip) */
		.slot = { 0x90, 0xff, 0x25, 0, 0, 0, 0 },
		.fixups = { { .kind = CHESS_FIXUP_ABS64, .pos = 7, .addend = 1 } },
	};
	uintptr_t base = 0;

	dl_iterate_phdr(note_base, &base);
	p.offset = (uintptr_t)helper_work - base;
	return p;
}

static void make_helper(void)
{
	char block[65536];
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), out = mkstemp(helper);
	ssize_t n;

	ASSERT_LE(0, in);
	ASSERT_LE(0, out);
	while ((n = read(in, block, sizeof(block))) > 0)
		ASSERT_EQ(n, write(out, block, n));
	ASSERT_EQ(0, fchown(out, 0, 0));
	ASSERT_EQ(0, fchmod(out, 04755));
	close(in);
	close(out);
}

static void become(uid_t uid)
{
	ASSERT_EQ(0, setresgid(uid, uid, uid));
	ASSERT_EQ(0, setresuid(uid, uid, uid));
	/* What a process of this user's has from its execve. */
	ASSERT_EQ(0, prctl(PR_SET_DUMPABLE, 1));
}

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

/* A child that executes @argv with the read end of a pipe as stdin, once there is
 * something in it.
 */
static pid_t spawn(const char *const *argv, int *in)
{
	int fd[2];
	pid_t pid;

	ASSERT_EQ(0, pipe2(fd, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		char c;

		close(r.fd);
		close(fd[1]);
		if (read(fd[0], &c, 1) != 1)
			_exit(1);
		dup2(fd[0], 0);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(fd[0]);
	*in = fd[1];
	return pid;
}

static pid_t start(const char *const *argv, int *in)
{
	pid_t pid = spawn(argv, in);
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

/* --- rights -------------------------------------------------------------- */

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
	pid = spawn(cat, &in);
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
		/* The shell was under control, and that it left is told. */
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
