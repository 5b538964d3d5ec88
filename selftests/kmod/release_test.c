// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing hangs (invariant I4): whatever ends or disturbs a program under
 * control, its controller or the module, the program goes on or is gone, its text
 * has no traps left, it may use all processors again, no group is left and the
 * module can be unloaded. Each situation $TIMES times, 20 by default. Needs root and the module.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../harness.h"
#include "control.h"
#include "module.h"
#include "raw.h"

/* For 20 rounds: with 300 tasks, or with gdb, they take ten minutes on a busy debug kernel. */
#define SECONDS 1500

static unsigned int unloads, unload_tries;

static int times(void)
{
	const char *text = getenv("TIMES");

	return text ? atoi(text) : 20;
}

/* --- afterwards ---------------------------------------------------------- */

static bool nobody_in_process_group(pid_t pgid)
{
	int i;

	for (i = 0; i < 10000 && !kill(-pgid, 0); i++) {
		/* Orphans come to us. */
		while (waitpid(-pgid, NULL, WNOHANG) > 0)
			;
		usleep(2000);
	}
	return kill(-pgid, 0) < 0 && errno == ESRCH;
}

static void reload(void)
{
	unsigned int tries;

	ASSERT_EQ(0, module_unload_soon(&tries));
	unload_tries += tries;
	unloads++;
	ASSERT_EQ(0, module_load());
}

static void expect_nothing_left(struct control *c)
{
	struct chess_group_info *groups = NULL;
	struct chess_ctl *other;

	EXPECT_TRUE(nobody_in_process_group(c->pid));
	control_close(c);
	other = chess_ctl_open();
	ASSERT_TRUE(other);
	EXPECT_EQ(0, chess_group_list(other, &groups));
	free(groups);
	chess_ctl_close(other);
}

/* The controller is gone; the program has to go on as if it had never been. */
static void expect_goes_on(struct control *c)
{
	EXPECT_EQ(0L, text_differs(c->pid));
	c->page->bound = 0;
	c->page->go = 1;
	control_go(c);
	close(c->pipe[1]);
	c->pipe[1] = -1;
	EXPECT_EQ(SUBJECT_GOOD, control_end(c->pid));
	EXPECT_EQ(0, c->page->bound);
	expect_nothing_left(c);
}

static void expect_ends_under_control(struct control *c, int code)
{
	c->page->go = 1;
	control_go(c);
	EXPECT_EQ(code, control_end(c->pid));
	EXPECT_TRUE(wait_notice(c, CHESS_NOTICE_END));
	expect_nothing_left(c);
}

static void begin(struct control *c, const char *mode)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	control_page(c);
	control_open(c);
	control_start(c, mode);
}

static void begin_parked(struct control *c)
{
	begin(c, "gates");
	ASSERT_TRUE(wait_tasks(c, CHESS_TASK_STATE_PARKED, 3));
	ASSERT_TRUE(wait_tasks(c, CHESS_TASK_STATE_BLOCKED, 1));
}

#define SITUATION(name)								\
	static void name##_once(void);						\
	TEST_TIMEOUT(name, SECONDS)						\
	{									\
		int i, n = times();						\
										\
		for (i = 0; i < n && harness_result != HARNESS_FAIL; i++)	\
			name##_once();						\
		if (i < n)							\
			TH_LOG("failed in round %d of %d", i, n);		\
		if (harness_result == HARNESS_PASS)				\
			reload();						\
		printf("# %d rounds; unloaded %u times, after %u refusals\n", i,	\
		       unloads, unload_tries);					\
	}									\
	static void name##_once(void)

/* --- signals ------------------------------------------------------------- */

SITUATION(kill_parked_process)
{
	struct control c;

	begin_parked(&c);
	ASSERT_EQ(0, kill(c.page->child, SIGKILL));
	expect_ends_under_control(&c, SUBJECT_CHILD_DIED);
}

/* The only one that wakes another dies without the token, which nobody has. */
SITUATION(kill_child_while_all_wait)
{
	struct control c;

	begin(&c, "waits");
	ASSERT_TRUE(wait_tasks(&c, CHESS_TASK_STATE_BLOCKED, 2));
	ASSERT_EQ(0, kill(c.page->child, SIGKILL));
	expect_ends_under_control(&c, SUBJECT_CHILD_DIED);
}

/* The pid of a task that is a thread, not the first of its process. */
static pid_t find_thread(struct control *c, uint32_t state)
{
	struct chess_task_info *tasks;
	int i, n = chess_task_list(c->ctl, c->group, &tasks);
	pid_t found = 0;

	for (i = 0; i < n; i++)
		if (tasks[i].state == state && (pid_t)tasks[i].pid != c->pid &&
		    (pid_t)tasks[i].pid != c->page->child)
			found = tasks[i].pid;
	free(tasks);
	return found;
}

SITUATION(kill_parked_thread)
{
	struct control c;
	pid_t tid;

	begin_parked(&c);
	tid = find_thread(&c, CHESS_TASK_STATE_PARKED);
	ASSERT_LT(0, tid);
	ASSERT_EQ(0L, syscall(SYS_tgkill, c.pid, tid, SIGKILL));
	expect_ends_under_control(&c, 1000 + SIGKILL);
}

SITUATION(kill_all_while_parked)
{
	struct control c;

	begin_parked(&c);
	ASSERT_EQ(0, kill(-c.pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, control_end(c.pid));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	expect_nothing_left(&c);
}

SITUATION(kill_all_while_blocked)
{
	struct control c;

	begin(&c, "blocked");
	ASSERT_TRUE(wait_tasks(&c, CHESS_TASK_STATE_BLOCKED, 2));
	ASSERT_EQ(0, kill(-c.pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, control_end(c.pid));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	expect_nothing_left(&c);
}

SITUATION(stop_with_kill)
{
	struct control c;

	begin_parked(&c);
	ASSERT_EQ(0, chess_run_stop(c.ctl, c.group, CHESS_STOP_FLAGS_KILL));
	EXPECT_EQ(1000 + SIGKILL, control_end(c.pid));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	expect_nothing_left(&c);
}

static bool all_stopped(pid_t pid)
{
	char path[300], text[512];
	struct dirent *d;
	bool all = true;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return false;
	while ((d = readdir(dir))) {
		const char *state;
		ssize_t n;
		int fd;

		if (d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", pid, d->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
		text[n > 0 ? n : 0] = '\0';
		state = strrchr(text, ')');
		all &= state && state[1] == ' ' && state[2] == 'T';
	}
	closedir(dir);
	return all;
}

static void stop_all(pid_t pid)
{
	int i;

	ASSERT_EQ(0, kill(pid, SIGSTOP));
	for (i = 0; i < 5000 && !all_stopped(pid); i++)
		usleep(2000);
	ASSERT_TRUE(all_stopped(pid));
}

SITUATION(stop_and_continue)
{
	struct control c;

	begin_parked(&c);
	stop_all(c.pid);
	ASSERT_EQ(0, kill(c.pid, SIGCONT));
	expect_ends_under_control(&c, SUBJECT_GOOD);
}

/* The return of each of them from its stop is seen. */
SITUATION(stop_and_continue_many)
{
	struct chess_group_info info;
	struct control c;

	begin(&c, "throng");
	ASSERT_TRUE(wait_tasks(&c, CHESS_TASK_STATE_BLOCKED, SUBJECT_THRONG));
	stop_all(c.pid);
	ASSERT_EQ(0, kill(c.pid, SIGCONT));
	c.page->go = 1;
	EXPECT_EQ(SUBJECT_GOOD, control_end(c.pid));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	ASSERT_EQ(0, chess_group_get(c.ctl, c.group, &info));
	EXPECT_EQ(0U, info.lost);
	expect_nothing_left(&c);
}

SITUATION(stopped_while_group_goes)
{
	struct control c;
	int i;

	begin_parked(&c);
	stop_all(c.pid);
	ASSERT_EQ(0, chess_group_del(c.ctl, c.group));
	ASSERT_EQ(0, kill(c.pid, SIGCONT));
	/* Stopped tasks leave when they go on. */
	for (i = 0; i < 5000 && text_differs(c.pid); i++)
		usleep(2000);
	expect_goes_on(&c);
}

/* --- the end of the group ------------------------------------------------ */

SITUATION(stop_while_parked)
{
	struct control c;

	begin_parked(&c);
	ASSERT_EQ(0, chess_run_stop(c.ctl, c.group, 0));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	expect_goes_on(&c);
}

/* It learns that it has it, and gets it. */
SITUATION(stop_who_asked_for_a_processor)
{
	struct control c;

	begin(&c, "asks");
	ASSERT_EQ(0, chess_run_stop(c.ctl, c.group, 0));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	expect_goes_on(&c);
}

SITUATION(stop_twice)
{
	struct control c;

	begin_parked(&c);
	ASSERT_EQ(0, chess_run_stop(c.ctl, c.group, 0));
	chess_run_stop(c.ctl, c.group, 0);
	ASSERT_EQ(0, chess_group_del(c.ctl, c.group));
	expect_goes_on(&c);
}

SITUATION(storm_of_forks_while_stopped)
{
	struct control c;

	begin(&c, "storm");
	ASSERT_EQ(0, chess_run_stop(c.ctl, c.group, 0));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	expect_goes_on(&c);
}

SITUATION(storm_of_forks_while_killed)
{
	struct control c;

	begin(&c, "storm");
	ASSERT_EQ(0, chess_run_stop(c.ctl, c.group, CHESS_STOP_FLAGS_KILL));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	EXPECT_EQ(1000 + SIGKILL, control_end(c.pid));
	expect_nothing_left(&c);
}

/* --- the end of the controller ------------------------------------------- */

/*
 * A controller in a process of its own, which brings the program to where it is
 * wanted and then is killed. Afterwards the program is ours.
 */
static void controller_killed(struct control *c, void (*get_there)(struct control *c))
{
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	control_page(c);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		control_open(c);
		get_there(c);
		c->page->there = 1;
		pause();
		_exit(1);
	}
	EXPECT_TRUE(wait_flag(&c->page->there));
	EXPECT_EQ(0, kill(pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, control_end(pid));
	c->pid = c->page->program;
	ASSERT_LT(0, c->pid);
	/* Not executed yet? */
	if (!c->page->ready)
		control_go(c);
	ASSERT_TRUE(wait_flag(&c->page->ready));
}

#define CONTROLLER_KILLED(where)						\
	SITUATION(controller_killed_while_##where)				\
	{									\
		struct control c;						\
										\
		controller_killed(&c, get_##where);				\
		expect_goes_on(&c);						\
	}

static void get_idle(struct control *c)
{
	control_spawn(c, "gates");
	control_register(c);
}

CONTROLLER_KILLED(idle)

static void get_armed(struct control *c)
{
	get_idle(c);
	control_arm(c);
}

CONTROLLER_KILLED(armed)

static void get_parked(struct control *c)
{
	control_start(c, "gates");
	wait_tasks(c, CHESS_TASK_STATE_PARKED, 3);
	wait_tasks(c, CHESS_TASK_STATE_BLOCKED, 1);
}

CONTROLLER_KILLED(parked)

static void get_blocked(struct control *c)
{
	control_start(c, "blocked");
	wait_tasks(c, CHESS_TASK_STATE_BLOCKED, 2);
}

CONTROLLER_KILLED(blocked)

static void get_draining(struct control *c)
{
	control_start(c, "vforks");
	if (chess_run_stop(c->ctl, c->group, 0) ||
	    !wait_group_state(c, CHESS_GROUP_STATE_DRAINING))
		_exit(1);
}

CONTROLLER_KILLED(draining)

/* The socket of the controller's library is the group's owner, so the request for
 * the record goes out there.
 */
static void get_reading(struct control *c)
{
	static struct message m;
	static char part[65536];
	int fd = 3;
	struct raw r;

	control_start(c, "many");
	if (raw_open(&r))
		_exit(1);
	message_begin(&m, CHESS_CMD_RECORD_GET, NLM_F_DUMP);
	message_u32(&m, CHESS_A_RECORD_GROUP, c->group);
	m.head.nlmsg_type = r.family;
	m.head.nlmsg_len = m.len;
	while (send(fd, m.bytes, m.len, 0) < 0 && fd < r.fd)
		fd++;
	/* There is more than this. */
	if (fd == r.fd || recv(fd, part, sizeof(part), 0) < 4096)
		_exit(1);
}

CONTROLLER_KILLED(reading)

/* --- debuggers ----------------------------------------------------------- */

static void trace_task(pid_t tid, int steps)
{
	int status;

	ASSERT_EQ(0L, ptrace(PTRACE_SEIZE, tid, 0, 0));
	ASSERT_EQ(0L, ptrace(PTRACE_INTERRUPT, tid, 0, 0));
	ASSERT_EQ(tid, waitpid(tid, &status, __WALL));
	EXPECT_TRUE(WIFSTOPPED(status));
	while (steps--) {
		ASSERT_EQ(0L, ptrace(PTRACE_SINGLESTEP, tid, 0, 0));
		ASSERT_EQ(tid, waitpid(tid, &status, __WALL));
		EXPECT_TRUE(WIFSTOPPED(status));
	}
	ASSERT_EQ(0L, ptrace(PTRACE_DETACH, tid, 0, 0));
}

SITUATION(debugger_steps_running_task)
{
	struct control c;

	begin_parked(&c);
	trace_task(c.pid, 10);
	trace_task(c.pid, 0);
	expect_ends_under_control(&c, SUBJECT_GOOD);
}

SITUATION(debugger_stops_waiting_tasks)
{
	struct chess_task_info *tasks;
	struct control c;
	int i, n;

	begin_parked(&c);
	n = chess_task_list(c.ctl, c.group, &tasks);
	ASSERT_EQ(5, n);
	for (i = 0; i < n; i++)
		if (tasks[i].state != CHESS_TASK_STATE_RUNNING)
			trace_task(tasks[i].pid, 0);
	free(tasks);
	expect_ends_under_control(&c, SUBJECT_GOOD);
}

SITUATION(debugger_dies)
{
	struct control c;
	pid_t debugger, tid;

	begin_parked(&c);
	tid = find_thread(&c, CHESS_TASK_STATE_PARKED);
	debugger = fork();
	if (!debugger) {
		if (ptrace(PTRACE_SEIZE, tid, 0, 0) || ptrace(PTRACE_SEIZE, c.pid, 0, 0) ||
		    ptrace(PTRACE_INTERRUPT, tid, 0, 0) ||
		    ptrace(PTRACE_INTERRUPT, c.pid, 0, 0) ||
		    waitpid(tid, NULL, __WALL) != tid || waitpid(c.pid, NULL, __WALL) != c.pid)
			_exit(1);
		raise(SIGKILL);
	}
	EXPECT_EQ(1000 + SIGKILL, control_end(debugger));
	expect_ends_under_control(&c, SUBJECT_GOOD);
}

SITUATION(gdb_attaches)
{
	char pid[16];
	struct control c;
	pid_t gdb;

	if (access("/usr/bin/gdb", X_OK))
		SKIP_TEST("gdb is not installed");
	begin_parked(&c);
	snprintf(pid, sizeof(pid), "%d", c.pid);
	gdb = fork();
	if (!gdb) {
		dup2(open("/dev/null", O_RDWR), 0);
		dup2(0, 1);
		dup2(0, 2);
		execl("/usr/bin/gdb", "gdb", "-nx", "-q", "-batch", "-iex",
		      "set auto-load off", "-iex", "set auto-solib-add off", "-p", pid, "-ex",
		      "thread apply all backtrace 2", "-ex", "stepi", "-ex", "stepi", "-ex",
		      "detach", NULL);
		_exit(127);
	}
	EXPECT_EQ(0, control_end(gdb));
	expect_ends_under_control(&c, SUBJECT_GOOD);
}

/* --- what the program does to itself -------------------------------------- */

SITUATION(exec_from_thread)
{
	struct control c;

	begin(&c, "exec");
	expect_ends_under_control(&c, SUBJECT_GOOD);
}

/* Once; it takes long enough. */
TEST_TIMEOUT(more_tasks_than_numbers, SECONDS)
{
	struct chess_group_info info;
	struct control c;

	begin(&c, "crowd");
	EXPECT_EQ(SUBJECT_GOOD, control_end(c.pid));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	EXPECT_EQ(5000, c.page->ready);
	ASSERT_EQ(0, chess_group_get(c.ctl, c.group, &info));
	EXPECT_EQ(0U, info.lost);
	expect_nothing_left(&c);
}

static void set_core_pattern(const char *text)
{
	int fd = open("/proc/sys/kernel/core_pattern", O_WRONLY | O_CLOEXEC);

	ASSERT_EQ((ssize_t)strlen(text), write(fd, text, strlen(text)));
	close(fd);
}

SITUATION(crash_with_core)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	char path[64];
	struct control c;
	struct stat st;

	ASSERT_EQ(0, setrlimit(RLIMIT_CORE, &unlimited));
	set_core_pattern("/tmp/release_test.core.%p");
	begin(&c, "crashes");
	ASSERT_TRUE(wait_tasks(&c, CHESS_TASK_STATE_PARKED, 2));
	c.page->go = 1;
	EXPECT_EQ(2000 + SIGSEGV, control_end(c.pid));
	EXPECT_TRUE(wait_notice(&c, CHESS_NOTICE_END));
	snprintf(path, sizeof(path), "/tmp/release_test.core.%d", c.pid);
	EXPECT_EQ(0, stat(path, &st));
	EXPECT_LT(4096, st.st_size);
	unlink(path);
	expect_nothing_left(&c);
}

/* --- what others share with the program ----------------------------------- */

/* One page of nops with a trap at one of them, registered. */
static int add_text(struct control *c)
{
	struct chess_probe probe = {
		.offset = SUBJECT_TRAP, .id = 1, .op = CHESS_OP_LOCK, .object_arg = 1,
		.orig_len = 1, .slot_len = 12, .nfixups = 1, .orig = { 0x90 }, .slot = { 0x90 },
		.fixups = { { .kind = CHESS_FIXUP_ABS64, .pos = 4 } },
	};
	char nops[4096];
	int fd;

	memset(nops, 0x90, sizeof(nops));
	strcpy(c->page->path, "/tmp/release_test.XXXXXX");
	fd = mkstemp(c->page->path);
	ASSERT_LE(0, fd);
	ASSERT_EQ((ssize_t)sizeof(nops), write(fd, nops, sizeof(nops)));
	close(fd);
	fd = open(c->page->path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, chess_probe_add(c->ctl, c->group, fd, &probe, 1));
	return fd;
}

SITUATION(text_mapped_shared)
{
	struct chess_group_info info;
	unsigned char byte = 0;
	struct control c;
	int fd;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	control_page(&c);
	control_open(&c);
	fd = add_text(&c);
	control_start(&c, "maps");
	EXPECT_EQ(0x90, c.page->shared);
	EXPECT_EQ(0xcc, c.page->private);
	EXPECT_EQ(1, pread(fd, &byte, 1, SUBJECT_TRAP));
	EXPECT_EQ(0x90, byte);
	unlink(c.page->path);
	close(fd);
	ASSERT_EQ(0, chess_group_get(c.ctl, c.group, &info));
	EXPECT_LT(0U, info.lost);
	expect_ends_under_control(&c, SUBJECT_GOOD);
}

/* --- the end of the module ----------------------------------------------- */

SITUATION(unload_while_running)
{
	struct control c;
	int ret;

	begin_parked(&c);
	ret = module_unload();
	/* EAGAIN is what delete_module(2) says of a module in use. */
	EXPECT_TRUE(ret == -EAGAIN || ret == -EBUSY);
	EXPECT_TRUE(wait_tasks(&c, CHESS_TASK_STATE_PARKED, 3));
	expect_ends_under_control(&c, SUBJECT_GOOD);
	reload();
}

/*
 * The group and its tasks are gone when the one who ended it goes on; but this request waits
 * 50 ms for them, in which a busy machine may not let them leave.
 */
SITUATION(unload_directly_after_group_del)
{
	struct control c;
	unsigned int tries;

	begin_parked(&c);
	ASSERT_EQ(0, chess_group_del(c.ctl, c.group));
	ASSERT_EQ(0, module_unload_soon(&tries));
	ASSERT_EQ(0, module_load());
	expect_goes_on(&c);
}

SITUATION(unload_directly_after_close)
{
	struct control c;

	begin_parked(&c);
	chess_ctl_close(c.ctl);
	c.ctl = NULL;
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, module_load());
	expect_goes_on(&c);
}

SITUATION(unload_directly_after_controller_died)
{
	struct control c;

	controller_killed(&c, get_parked);
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, module_load());
	expect_goes_on(&c);
}

TEST_HARNESS_MAIN
