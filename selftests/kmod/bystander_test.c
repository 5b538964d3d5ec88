// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that are not under control, while somebody has a group: their system calls cost what
 * they cost without one, and other tracers of system calls see every task as before, whether
 * they come before the group, after it, or stay when it is gone. Needs root and the module.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>

#include "../harness.h"
#include "now.h"
#include "raw.h"

#define TRACING "/sys/kernel/tracing"
#define DEBUGGING "/sys/kernel/debug"
#define CALLS 1000

static struct raw r;

static void open_group(void)
{
	ASSERT_EQ(0, raw_open(&r));
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 4096));
	ASSERT_LT(0U, r.value[CHESS_A_GROUP_ID]);
}

static void make_calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

/* A counter of the system calls that @pid enters, or -1. */
static int count_calls(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .sample_period = 1,
	};
	char id[32] = "";
	int fd;

	mount("tracefs", TRACING, "tracefs", 0, NULL);
	fd = open(TRACING "/events/raw_syscalls/sys_enter/id", O_RDONLY);
	if (fd < 0 || read(fd, id, sizeof(id) - 1) <= 0)
		SKIP_TEST("this kernel has no event for system calls");
	close(fd);
	attr.config = atoi(id);
	return syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0);
}

static uint64_t counted(int fd)
{
	uint64_t n = 0;

	EXPECT_EQ((ssize_t)sizeof(n), read(fd, &n, sizeof(n)));
	return n;
}

/* How many calls of ours a counter sees. */
static void expect_all_seen(int fd)
{
	uint64_t before = counted(fd);

	make_calls(CALLS);
	/* And the read that ends it. */
	EXPECT_EQ(before + CALLS + 1, counted(fd));
}

/*
 * A counter of how often we are at the entry of the function that all calls of a task with
 * the flag go through, and no others: what it costs is what the tracepoints cost.
 */
static int count_slow_calls(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1 };
	int fd = open("/sys/bus/event_source/devices/kprobe/type", O_RDONLY);
	char type[32] = "";

	if (fd < 0 || read(fd, type, sizeof(type) - 1) <= 0)
		SKIP_TEST("this kernel has no counters of kprobes");
	close(fd);
	attr.type = atoi(type);
	attr.config1 = (uintptr_t)"syscall_trace_enter";
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0)
		SKIP_TEST("this kernel has no function syscall_trace_enter()");
	return fd;
}

/* A ratio of times would depend on how the machine translates this code; make bench has it. */
TEST(calls_of_others_go_the_fast_way)
{
	int slow = count_slow_calls(), all;
	uint64_t before;

	make_calls(CALLS);
	EXPECT_EQ(0ul, counted(slow));
	open_group();
	/* One finds out that it is not meant; those of opening the group may be. */
	before = counted(slow);
	make_calls(CALLS);
	EXPECT_LE(counted(slow), before + 1);
	/* With another tracer there is no such way, and without it there is again. */
	all = count_calls(0);
	ASSERT_LE(0, all);
	before = counted(slow);
	make_calls(CALLS);
	EXPECT_LE(before + CALLS, counted(slow));
	close(all);
	make_calls(1);
	before = counted(slow);
	make_calls(CALLS);
	EXPECT_LE(counted(slow), before + 1);
	raw_close(&r);
}

TEST(a_tracer_that_was_there_goes_on)
{
	int fd = count_calls(0);

	ASSERT_LE(0, fd);
	expect_all_seen(fd);
	open_group();
	expect_all_seen(fd);
	expect_all_seen(fd);
	raw_close(&r);
	expect_all_seen(fd);
}

TEST(a_tracer_that_comes_sees_all)
{
	int i, fd;

	open_group();
	for (i = 0; i < 20; i++) {
		/* None of these calls leaves the flag. */
		make_calls(10);
		fd = count_calls(0);
		ASSERT_LE(0, fd);
		expect_all_seen(fd);
		close(fd);
	}
	fd = count_calls(0);
	raw_close(&r);
	for (i = 0; i < 20; i++) {
		expect_all_seen(fd);
		usleep(20000);
	}
}

/* It makes no request while the tracer comes: its flag is set from outside. */
TEST(a_tracer_sees_tasks_that_sleep_and_their_children)
{
	int go[2], fd, i;
	char c = 'x';
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		while (read(go[0], &c, 1) == 1) {
			pid = fork();
			if (!pid) {
				make_calls(CALLS);
				_exit(0);
			}
			waitpid(pid, NULL, 0);
			make_calls(CALLS);
		}
		_exit(0);
	}
	open_group();
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(1, write(go[1], &c, 1));
		usleep(100000);
	}
	fd = count_calls(pid);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, write(go[1], &c, 1));
	/* The last one of these is the next read: it waits there. */
	for (i = 0; i < 500 && counted(fd) < CALLS; i++)
		usleep(20000);
	EXPECT_LE((uint64_t)CALLS, counted(fd));
	raw_close(&r);
	close(go[1]);
}

/* Is our probe of get_signal() in the kernel's list? */
static bool is_attached(void)
{
	char line[256];
	bool found = false;
	FILE *list;

	mount("debugfs", DEBUGGING, "debugfs", 0, NULL);
	list = fopen(DEBUGGING "/kprobes/list", "r");
	if (!list)
		SKIP_TEST("this kernel has no list of kprobes");
	while (fgets(line, sizeof(line), list))
		found |= strstr(line, " get_signal+") != NULL;
	fclose(list);
	return found;
}

TEST(probes_stay_for_the_next_group_and_then_go)
{
	int slow = count_slow_calls(), all = count_calls(0), i;
	uint64_t before;
	bool there;
	double end;

	ASSERT_LE(0, all);
	open_group();
	EXPECT_TRUE(is_attached());
	raw_close(&r);
	end = chess_now();
	there = is_attached();
	/* On a machine that stood still meanwhile they may be gone. */
	EXPECT_TRUE(there || chess_now() - end > 4);
	for (i = 0; is_attached() && i < 600; i++)
		usleep(100000);
	EXPECT_FALSE(is_attached());
	expect_all_seen(all);
	close(all);
	before = counted(slow);
	make_calls(CALLS);
	EXPECT_EQ(before, counted(slow));
	/* They come again. */
	open_group();
	EXPECT_TRUE(is_attached());
	raw_close(&r);
}

TEST_HARNESS_MAIN
