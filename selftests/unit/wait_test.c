// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a wait is called hopeless only when nobody outside the group can
 * end it. The tasks are plain children of the test, really blocked in the
 * kernel; the test itself plays the outsider.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include "wait/wait.h"
#include "../harness.h"

static char state_of(pid_t pid)
{
	char path[64], text[512], *at;
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	at = strrchr(text, ')');
	return at ? at[2] : 0;
}

static void until_state(pid_t pid, char state)
{
	struct timespec nap = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; i < 5000 && state_of(pid) != state; i++)
		nanosleep(&nap, NULL);
	ASSERT_EQ(state, state_of(pid));
}

/* A child that runs @fn and blocks there. */
static pid_t blocked(void (*fn)(int), int arg)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		fn(arg);
		_exit(99);
	}
	until_state(pid, 'S');
	return pid;
}

struct answer {
	struct chess_wait *wait;
	size_t n;
	bool stuck;
};

static struct answer inspect(const pid_t *pid, size_t n, const struct chess_record *r)
{
	struct chess_task_info tasks[4] = { 0 };
	struct answer a;
	size_t i;

	for (i = 0; i < n; i++) {
		tasks[i].id = i;
		tasks[i].pid = pid[i];
		tasks[i].state = CHESS_TASK_STATE_BLOCKED;
	}
	ASSERT_EQ(0, chess_waits_inspect(tasks, n, r, true, &a.wait, &a.n, &a.stuck));
	ASSERT_EQ(n, a.n);
	return a;
}

static void expect_wait(pid_t pid, bool outside, const char *text)
{
	struct answer a = inspect(&pid, 1, NULL);

	EXPECT_EQ(outside, a.wait[0].outside);
	EXPECT_EQ(!outside, a.stuck);
	if (!strstr(a.wait[0].text, text)) {
		TH_LOG("\"%s\" does not say \"%s\"", a.wait[0].text, text);
		EXPECT_TRUE(false);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	chess_waits_free(a.wait, a.n);
}

static void read_own_pipe(int arg)
{
	int fd[2];
	char c;

	(void)arg;
	if (!pipe(fd))
		(void)!read(fd[0], &c, 1);
}

static void read_fd(int fd)
{
	char c[256];	/* a signalfd wants room for 128 */

	(void)!read(fd, c, sizeof(c));
}

static void fill_fd(int fd)
{
	static char page[65536];

	while (write(fd, page, sizeof(page)) > 0)
		;
}

TEST(pipe_that_only_the_group_holds_is_hopeless)
{
	expect_wait(blocked(read_own_pipe, 0), false, "read pipe:[");
}

TEST(pipe_with_the_other_end_outside_is_not)
{
	int fd[2];

	ASSERT_EQ(0, pipe(fd));
	expect_wait(blocked(read_fd, fd[0]), true, "read pipe:[");
	expect_wait(blocked(fill_fd, fd[1]), true, "write pipe:[");
}

TEST(only_the_other_end_counts)
{
	int fd[2];
	pid_t pid;

	ASSERT_EQ(0, pipe(fd));
	pid = blocked(read_fd, fd[0]);
	/* We keep the end the child reads from; the child holds both. */
	close(fd[1]);
	expect_wait(pid, false, "read pipe:[");
	ASSERT_EQ(0, pipe(fd));
	pid = blocked(fill_fd, fd[1]);
	close(fd[0]);
	expect_wait(pid, false, "write pipe:[");
}

static void futex_wait(uint32_t *word, int op, const struct timespec *timeout)
{
	syscall(SYS_futex, word, op, *word, timeout, NULL, 0);
}

static uint32_t *shared_word;

static void wait_private(int arg)
{
	static uint32_t word;

	(void)arg;
	futex_wait(&word, FUTEX_WAIT_PRIVATE, NULL);
}

static void wait_timed(int arg)
{
	static uint32_t word;
	struct timespec t = { .tv_sec = 1000 };

	(void)arg;
	futex_wait(&word, FUTEX_WAIT_PRIVATE, &t);
}

static void wait_shared(int own)
{
	if (own)
		shared_word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				   -1, 0);
	futex_wait(shared_word, FUTEX_WAIT, NULL);
}

TEST(futex_in_private_memory_is_hopeless)
{
	expect_wait(blocked(wait_private, 0), false, "futex 0x");
}

TEST(futex_with_a_time_out_is_not)
{
	expect_wait(blocked(wait_timed, 0), true, "with a time-out");
}

TEST(futex_in_shared_memory_depends_on_who_maps_it)
{
	expect_wait(blocked(wait_shared, 1), false, "futex 0x");
	shared_word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	expect_wait(blocked(wait_shared, 0), true, "futex 0x");
}

static void pause_for(int arg)
{
	(void)arg;
	pause();
}

static void sleep_for(int arg)
{
	(void)arg;
	sleep(1000);
}

TEST(waits_for_signals_and_time_end_from_outside)
{
	pid_t pid;

	expect_wait(blocked(pause_for, 0), false, "pause");
	expect_wait(blocked(sleep_for, 0), true, "nanosleep");
	pid = blocked(pause_for, 0);
	kill(pid, SIGSTOP);
	until_state(pid, 'T');
	expect_wait(pid, true, "stopped");
}

static void poll_own_pipe(int timeout)
{
	struct pollfd p = { .events = POLLIN };
	int fd[2];

	if (pipe(fd))
		return;
	p.fd = fd[0];
	poll(&p, 1, timeout);
}

static void epoll_own_eventfd(int outside)
{
	struct epoll_event e = { .events = EPOLLIN };
	int set = epoll_create1(0);

	e.data.fd = outside >= 0 ? outside : eventfd(0, 0);
	epoll_ctl(set, EPOLL_CTL_ADD, e.data.fd, &e);
	epoll_wait(set, &e, 1, -1);
}

TEST(poll_is_as_hopeless_as_what_it_polls)
{
	expect_wait(blocked(poll_own_pipe, -1), false, "poll pipe:[");
	expect_wait(blocked(poll_own_pipe, 1000000), true, "with a time-out");
}

TEST(epoll_is_as_hopeless_as_what_is_in_the_set)
{
	expect_wait(blocked(epoll_own_eventfd, -1), false, "[eventfd]");
	expect_wait(blocked(epoll_own_eventfd, eventfd(0, 0)), true, "[eventfd]");
}

static void poll_pidfd(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	poll(&p, 1, -1);
}

TEST(pidfd_of_the_group_ends_with_the_group_alone)
{
	pid_t child = blocked(read_own_pipe, 0), both[2], other = blocked(read_own_pipe, 0);
	int fd = syscall(SYS_pidfd_open, child, 0);
	struct answer a;

	ASSERT_LE(0, fd);
	both[0] = blocked(poll_pidfd, fd);
	both[1] = child;
	a = inspect(both, 2, NULL);
	EXPECT_FALSE(a.wait[0].outside);
	EXPECT_TRUE(a.stuck);
	EXPECT_EQ(1U, a.wait[0].n_holders);
	EXPECT_TRUE(strstr(a.wait[0].text, "[pidfd]"));
	chess_waits_free(a.wait, a.n);
	/* One that the group knows nothing of may end at any time. */
	both[1] = other;
	a = inspect(both, 2, NULL);
	EXPECT_TRUE(a.wait[0].outside);
	EXPECT_FALSE(a.stuck);
	chess_waits_free(a.wait, a.n);
	kill(both[0], SIGKILL);
	kill(child, SIGKILL);
	kill(other, SIGKILL);
}

static void read_own_eventfd(int outside)
{
	read_fd(outside >= 0 ? outside : eventfd(0, 0));
}

TEST(eventfds_are_told_apart)
{
	int other = eventfd(0, 0);

	/* We hold an eventfd, but not this one. */
	expect_wait(blocked(read_own_eventfd, -1), false, "read");
	expect_wait(blocked(read_own_eventfd, other), true, "read");
}

static void read_own_timerfd(int seconds)
{
	struct itimerspec in = { .it_value.tv_sec = seconds };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);

	timerfd_settime(fd, 0, &in, NULL);
	read_fd(fd);
}

TEST(timerfd_is_hopeless_where_nothing_is_armed)
{
	expect_wait(blocked(read_own_timerfd, 0), false, "[timerfd]");
	expect_wait(blocked(read_own_timerfd, 1000), true, "[timerfd]");
}

/*
 * 0: nothing is watched; 1: what everybody has mounted; 2: what nobody else has. For what never
 * happens to it: other tests create files there.
 */
static void read_own_inotify(int what)
{
	int fd = inotify_init();

	if (what == 2 && (unshare(CLONE_NEWUSER | CLONE_NEWNS) ||
			  mount("tmpfs", "/tmp", "tmpfs", 0, NULL)))
		_exit(4);
	if (what && inotify_add_watch(fd, "/tmp", IN_DELETE_SELF) < 0)
		_exit(5);
	read_fd(fd);
}

static bool may_mount(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(unshare(CLONE_NEWUSER | CLONE_NEWNS) ||
		      mount("tmpfs", "/tmp", "tmpfs", 0, NULL));
	return waitpid(pid, &status, 0) == pid && !status;
}

TEST(inotify_is_hopeless_where_nobody_else_has_mounted_what_it_watches)
{
	expect_wait(blocked(read_own_inotify, 0), false, "inotify");
	expect_wait(blocked(read_own_inotify, 1), true, "inotify");
	if (!may_mount())
		SKIP_TEST("nothing can be mounted in a namespace of one's own");
	expect_wait(blocked(read_own_inotify, 2), false, "inotify");
}

static void read_own_signalfd(int arg)
{
	sigset_t set;

	(void)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	read_fd(signalfd(-1, &set, 0));
}

TEST(signalfd_waits_for_signals)
{
	expect_wait(blocked(read_own_signalfd, 0), false, "[signalfd]");
}

static void read_own_socket(int timed)
{
	struct timeval t = { .tv_sec = 1000 };
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return;
	if (timed)
		setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	read_fd(fd[0]);
}

TEST(socket_with_its_peer_or_a_time_out_outside_is_not_hopeless)
{
	int fd[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	expect_wait(blocked(read_fd, fd[0]), true, "socket:[");
	expect_wait(blocked(read_own_socket, 1), true, "socket:[");
}

static char fifo_path[] = "/tmp/chess-fifo-test-XXXXXX";

static void open_fifo(int arg)
{
	(void)arg;
	(void)!open(fifo_path, O_RDONLY);
}

static void accept_one(int timed)
{
	struct sockaddr_un own = { .sun_family = AF_UNIX };
	struct timeval t = { .tv_sec = 1000 };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (timed)
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	if (!bind(fd, (struct sockaddr *)&own, sizeof(own.sun_family)) && !listen(fd, 1))
		accept(fd, NULL, NULL);
}

static void expect_anybody(pid_t pid, bool anybody, const char *text)
{
	struct answer a = inspect(&pid, 1, NULL);

	EXPECT_EQ(anybody, a.wait[0].for_anybody);
	chess_waits_free(a.wait, a.n);
	expect_wait(pid, true, text);
}

TEST(who_waits_for_somebody_to_come_is_not_hopeless)
{
	int fd[2];

	close(mkstemp(fifo_path));
	unlink(fifo_path);
	ASSERT_EQ(0, mkfifo(fifo_path, 0600));
	expect_anybody(blocked(open_fifo, 0), true, fifo_path);
	unlink(fifo_path);
	expect_anybody(blocked(accept_one, 0), true, "accept socket:[");
	expect_anybody(blocked(accept_one, 1), false, "accept socket:[");
	ASSERT_EQ(0, pipe(fd));
	expect_anybody(blocked(read_fd, fd[0]), false, "read pipe:[");
}

static char lock_path[] = "/tmp/chess-wait-test-XXXXXX";

/* A description of its own for each, or they would share the lock. */
static int lock_fd(void)
{
	return open(lock_path, O_RDWR);
}

static void take_flock(int hold)
{
	flock(lock_fd(), LOCK_EX);
	if (hold)
		pause();
}

static void take_record_lock(int hold)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	fcntl(lock_fd(), F_SETLKW, &l);
	if (hold)
		pause();
}

/* T0 holds, T1 waits: hopeless while T0 is of the group, whatever T0 does. */
static void expect_lock(void (*take)(int))
{
	pid_t pid[2];
	struct answer a;

	pid[0] = blocked(take, 1);
	pid[1] = blocked(take, 0);
	a = inspect(pid, 2, NULL);
	EXPECT_FALSE(a.wait[1].outside);
	EXPECT_NE(NULL, strstr(a.wait[1].text, "held by T0"));
	EXPECT_TRUE(a.stuck);
	a = inspect(&pid[1], 1, NULL);
	EXPECT_TRUE(a.wait[0].outside);
	kill(pid[0], SIGKILL);
	kill(pid[1], SIGKILL);
	waitpid(pid[0], NULL, 0);
	waitpid(pid[1], NULL, 0);
}

TEST(file_locks_name_their_holder)
{
	int fd = mkstemp(lock_path);

	ASSERT_LE(0, fd);
	close(fd);
	expect_lock(take_flock);
	expect_lock(take_record_lock);
	unlink(lock_path);
}

static void wait_for_child(int arg)
{
	pid_t pid = fork();

	(void)arg;
	if (!pid) {
		pause();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

TEST(child_outside_the_group_can_end_a_wait_for_it)
{
	pid_t pid[2] = { blocked(wait_for_child, 0) };
	char path[64], text[64] = "";
	struct answer a;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid[0], pid[0]);
	f = fopen(path, "r");
	if (!f)
		SKIP_TEST("this kernel does not list children");
	ASSERT_NE(NULL, fgets(text, sizeof(text), f));
	fclose(f);
	pid[1] = atoi(text);
	until_state(pid[1], 'S');
	a = inspect(pid, 2, NULL);
	EXPECT_FALSE(a.wait[0].outside);
	EXPECT_NE(NULL, strstr(a.wait[0].text, "for T1"));
	a = inspect(pid, 1, NULL);
	EXPECT_TRUE(a.wait[0].outside);
	kill(pid[1], SIGKILL);
}

TEST(task_that_is_not_blocked_means_no_deadlock)
{
	struct chess_task_info t[2] = {
		{ .id = 0, .pid = blocked(wait_private, 0), .state = CHESS_TASK_STATE_BLOCKED },
		{ .id = 1, .pid = getpid(), .state = CHESS_TASK_STATE_PARKED },
	};
	struct answer a;

	ASSERT_EQ(0, chess_waits_inspect(t, 2, NULL, true, &a.wait, &a.n, &a.stuck));
	EXPECT_EQ((size_t)1, a.n);
	EXPECT_FALSE(a.stuck);
	ASSERT_EQ(0, chess_waits_inspect(t, 1, NULL, true, &a.wait, &a.n, &a.stuck));
	EXPECT_TRUE(a.stuck);
	ASSERT_EQ(0, chess_waits_inspect(t, 0, NULL, true, &a.wait, &a.n, &a.stuck));
	EXPECT_FALSE(a.stuck);
	kill(t[0].pid, SIGKILL);
}

TEST(alarm_that_was_asked_for_can_end_a_wait)
{
	pid_t pid = blocked(wait_private, 0);
	struct chess_record *r = chess_record_new();
	struct chess_event e = { .seq = 1, .type = CHESS_EVENT_POINT, .nr = SYS_getpid };
	struct answer a;

	ASSERT_EQ(0, chess_record_push(r, &e, 1));
	a = inspect(&pid, 1, r);
	EXPECT_TRUE(a.stuck);
	EXPECT_EQ(1U, a.wait[0].seq);
	e.seq = 2;
	e.nr = SYS_alarm;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
	a = inspect(&pid, 1, r);
	EXPECT_FALSE(a.stuck);
	kill(pid, SIGKILL);
}

static struct chess_event decision(uint8_t type, uint16_t task, uint16_t chosen, uint32_t nr,
				   uint64_t timed)
{
	return (struct chess_event){ .type = type, .task = task, .chosen = chosen, .nr = nr,
				     .timed = timed };
}

static void do_pause(int arg)
{
	(void)arg;
	pause();
}

/* What the module makes of a sleep under virtual time: no argument says how long. */
TEST(wait_that_the_record_gives_a_deadline_is_not_hopeless)
{
	pid_t pid = blocked(do_pause, 0);
	struct chess_record *r = chess_record_new();
	struct chess_event e[] = {
		decision(CHESS_EVENT_POINT, 0, 0, SYS_clock_nanosleep, 0),
		decision(CHESS_EVENT_BLOCK, 0, 1, 0, 1),
		{ .type = CHESS_EVENT_TIMEOUT, .task = 0, .chosen = CHESS_TASK_NONE },
		{ .type = CHESS_EVENT_WAKE, .task = 0, .chosen = CHESS_TASK_NONE },
	};
	struct answer a;

	chess_record_push(r, e, 1);
	a = inspect(&pid, 1, r);
	EXPECT_TRUE(a.stuck);
	EXPECT_STREQ("pause", a.wait[0].text);
	chess_record_push(r, e + 1, 1);
	a = inspect(&pid, 1, r);
	EXPECT_FALSE(a.stuck);
	EXPECT_TRUE(a.wait[0].outside);
	EXPECT_STREQ("clock_nanosleep, with a time-out", a.wait[0].text);
	/* and then it passed, or something else ended the wait */
	chess_record_push(r, e + 2, 1);
	EXPECT_TRUE(inspect(&pid, 1, r).stuck);
	chess_record_push(r, e + 1, 1);
	EXPECT_FALSE(inspect(&pid, 1, r).stuck);
	chess_record_push(r, e + 3, 1);
	EXPECT_TRUE(inspect(&pid, 1, r).stuck);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST_HARNESS_MAIN
