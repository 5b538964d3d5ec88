// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that deceive those who look on: calls about timers that are never executed,
 * arguments that the kernel overwrites, sets that end before the number they are given
 * with, expirations by the million. Each is right alone, and has to be right, and harmless,
 * under "chessctl run". Needs root, the module and chessctl; started with --mode this file
 * is the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>

#include "../harness.h"

#define GOOD 42
#define SECOND 1000000000LL
#define NO_TIMER 7

/* --- the programs ---------------------------------------------------------- */

/* From now on call @nr is not executed and has the result 0. */
static int skip_call(unsigned int nr)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int wait_ns(long long ns)
{
	struct timespec time = { ns / SECOND, ns % SECOND };

	while (nanosleep(&time, &time))
		if (errno != EINTR)
			return 1;
	return 0;
}

static int make_file(const char *kind)
{
	struct io_uring_params params = {0};
	sigset_t set;
	int fd[2];

	sigemptyset(&set);
	if (!strcmp(kind, "file"))
		return open("/etc/passwd", O_RDONLY);
	if (!strcmp(kind, "directory"))
		return open("/", O_RDONLY | O_DIRECTORY);
	if (!strcmp(kind, "path"))
		return open("/etc/passwd", O_PATH);
	if (!strcmp(kind, "null"))
		return open("/dev/null", O_RDWR);
	if (!strcmp(kind, "pipe"))
		return pipe(fd) ? -1 : fd[0];
	if (!strcmp(kind, "socket"))
		return socket(AF_UNIX, SOCK_STREAM, 0);
	if (!strcmp(kind, "memfd"))
		return memfd_create("memory", 0);
	if (!strcmp(kind, "eventfd"))
		return eventfd(0, 0);
	if (!strcmp(kind, "epoll"))
		return epoll_create1(0);
	if (!strcmp(kind, "signalfd"))
		return signalfd(-1, &set, 0);
	if (!strcmp(kind, "pidfd"))
		return syscall(SYS_pidfd_open, getpid(), 0);
	if (!strcmp(kind, "uring"))
		return syscall(SYS_io_uring_setup, 4, &params);
	return -1;
}

/* Descriptor 0 is no timerfd, whatever timerfd_create() returns. */
static int not_a_timerfd(const char *kind)
{
	const struct itimerspec often = { { 0, 1000 }, { 0, 1000 } };

	close(0);
	if (make_file(kind))
		return 2;
	if (skip_call(SYS_timerfd_create) || syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0))
		return 3;
	if (!timerfd_settime(0, 0, &often, NULL) || (errno != EINVAL && errno != EBADF))
		return 4;
	return wait_ns(SECOND / 10) ? 5 : GOOD;
}

static int not_a_timer(const char *victim, int signo)
{
	const struct itimerspec often = { { 0, 1000 }, { 0, 1000 } };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signo };
	int id = NO_TIMER;

	event._sigev_un._tid = atoi(victim);
	if (skip_call(SYS_timer_create) || syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &id))
		return 2;
	if (!syscall(SYS_timer_settime, NO_TIMER, 0, &often, NULL) || errno != EINVAL)
		return 3;
	return wait_ns(SECOND / 10) ? 4 : GOOD;
}

static volatile int handled;

static void handle(int signo)
{
	(void)signo;
	handled++;
}

static bool goes_off(int id)
{
	const struct itimerspec soon = { { 0, 0 }, { 0, 1000 } };
	int before = handled;

	return !syscall(SYS_timer_settime, id, 0, &soon, NULL) && !wait_ns(SECOND / 10) &&
	       handled == before + 1;
}

/* The number of the timer lands in its own sigevent, where the signal was. */
static int signal_overwritten(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL };
	int i, id;

	signal(SIGUSR1, handle);
	for (i = 0; i < 70; i++) {
		event.sigev_signo = SIGUSR1;
		if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &event.sigev_signo))
			return 2;
		id = event.sigev_signo;
		if (id == i && !goes_off(id))
			return 3;
		if (syscall(SYS_timer_delete, id))
			return 4;
	}
	return GOOD;
}

/* The same, where the thread was: as soon as the number is that of the victim. */
static int thread_overwritten(const char *victim)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	int i, id = -1, wanted = atoi(victim);

	signal(SIGUSR1, handle);
	for (i = 0; i <= wanted && id != wanted; i++) {
		if (id >= 0 && syscall(SYS_timer_delete, id))
			return 2;
		event._sigev_un._tid = gettid();
		if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &event._sigev_un._tid))
			return 3;
		id = event._sigev_un._tid;
	}
	return id == wanted && goes_off(id) ? GOOD : 4;
}

static int invalid_events(const char *victim)
{
	const struct {
		int notify, signo, tid;
	} bad[] = {
		{ SIGEV_SIGNAL, 0, 0 }, { SIGEV_SIGNAL, 65, 0 }, { SIGEV_SIGNAL, -1, 0 },
		{ SIGEV_SIGNAL, INT_MAX, 0 }, { 99, SIGUSR1, 0 }, { -1, SIGUSR1, 0 },
		{ SIGEV_THREAD_ID, SIGUSR1, atoi(victim) }, { SIGEV_THREAD_ID, SIGUSR1, 0 },
		{ SIGEV_THREAD_ID, SIGUSR1, -1 }, { SIGEV_THREAD_ID, 65, gettid() },
		{ SIGEV_THREAD_ID | SIGEV_NONE, SIGUSR1, gettid() },
	};
	struct itimerspec soon = { { 0, 0 }, { 0, 1000 } };
	struct sigevent event = {0};
	size_t i;
	int id;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		event.sigev_notify = bad[i].notify;
		event.sigev_signo = bad[i].signo;
		event._sigev_un._tid = bad[i].tid;
		id = 0;
		if (!syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &id) || errno != EINVAL ||
		    !syscall(SYS_timer_settime, id, 0, &soon, NULL))
			return 2 + i;
	}
	/* Of one that notifies nobody the signal may be anything. */
	event.sigev_notify = SIGEV_NONE;
	event.sigev_signo = INT_MAX;
	if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &id) ||
	    syscall(SYS_timer_settime, id, 0, &soon, NULL))
		return 2 + i;
	return wait_ns(SECOND / 10) ? 3 + i : GOOD;
}

/* Sets of 1024 descriptors, and select() gets 65536 as their number. */
static int short_sets(bool pselect_too)
{
	static struct {
		fd_set set;
		unsigned char guard[65536 / 8];
	} sets[3];
	const struct timespec short_time = { 0, 1000000 };
	struct timeval time = { 0, 1000 };
	struct rlimit limit = { 1024, 1024 };
	size_t i, k;
	int fd[2], ret;

	/* What is open by now keeps the table of descriptors as it is. */
	if (pipe(fd) || setrlimit(RLIMIT_NOFILE, &limit))
		return 2;
	for (i = 0; i < 3; i++) {
		memset(sets[i].guard, 0x55, sizeof(sets[i].guard));
		FD_SET(fd[i == 1], &sets[i].set);
	}
	if (pselect_too)
		ret = syscall(SYS_pselect6, 65536, &sets[0], NULL, &sets[2], &short_time, NULL);
	else
		ret = select(65536, &sets[0].set, NULL, &sets[2].set, &time);
	if (ret)
		return 3;
	for (i = 0; i < 3; i++) {
		for (k = 0; k < sizeof(sets[i].guard); k++)
			if (sets[i].guard[k] != 0x55)
				return 4;
		if (!FD_ISSET(fd[i == 1], &sets[i].set) != (i != 1))
			return 5;
	}
	return GOOD;
}

/* Each nanosecond one, that nobody takes. */
static int untaken(long seconds)
{
	const struct itimerspec often = { { 0, 1 }, { 0, 1 } };
	const struct itimerval alarms = { { 0, 1 }, { 0, 1 } };
	struct sigevent none = { .sigev_notify = SIGEV_NONE };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0), id, i;
	struct timespec begin, end;
	uint64_t ticks = 0;
	long long took;

	signal(SIGALRM, SIG_IGN);
	if (fd < 0 || setitimer(ITIMER_REAL, &alarms, NULL))
		return 2;
	for (i = 0; i < 100; i++)
		if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &none, &id) ||
		    syscall(SYS_timer_settime, id, 0, &often, NULL))
			return 3;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (timerfd_settime(fd, 0, &often, NULL) || wait_ns(seconds * SECOND) ||
	    read(fd, &ticks, sizeof(ticks)) != sizeof(ticks))
		return 4;
	clock_gettime(CLOCK_MONOTONIC, &end);
	took = (end.tv_sec - begin.tv_sec) * SECOND + end.tv_nsec - begin.tv_nsec;
	return (long long)ticks >= seconds * SECOND && (long long)ticks <= took ? GOOD : 5;
}

/* The second time the clock has no room for the longest interval any more. */
static int longest(void)
{
	const struct itimerspec far = { { LONG_MAX, 0 }, { LONG_MAX, 0 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	uint64_t ticks = 0;

	if (fd < 0 || timerfd_settime(fd, 0, &far, NULL))
		return 2;
	if (poll(&wait, 1, -1) != 1 || read(fd, &ticks, sizeof(ticks)) < 0 || ticks != 1)
		return 3;
	return poll(&wait, 1, 1000) ? 4 : GOOD;
}

/* Whoever waits in a socket takes its time-out out; it is back when they are dead. */
static int killed_in_socket(void)
{
	struct timeval time = { 1000, 0 }, other = { 2000, 0 }, seen;
	socklen_t len = sizeof(seen);
	int fd[2], status, i;
	pid_t pid;
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return 2;
	for (i = 0; i < 2; i++) {
		if (setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time)))
			return 3;
		pid = fork();
		if (!pid)
			_exit(read(fd[0], &c, 1));
		wait_ns(SECOND / 10);
		/* The second time it is set again meanwhile. */
		if (i && setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &other, sizeof(other)))
			return 4;
		if (kill(pid, SIGKILL) || waitpid(pid, &status, 0) != pid)
			return 5;
		if (getsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &seen, &len) ||
		    seen.tv_sec != (i ? other.tv_sec : time.tv_sec))
			return 6;
	}
	return GOOD;
}

/* Nobody will ever go on, and a timer goes off that nobody hears. */
static int for_good(void)
{
	const struct itimerval alarms = { { 0, 1 }, { 0, 1 } };

	signal(SIGALRM, SIG_IGN);
	if (setitimer(ITIMER_REAL, &alarms, NULL))
		return 2;
	pause();
	return GOOD;
}

static int program(const char *mode, const char *arg, const char *more)
{
	if (!strcmp(mode, "not-a-timerfd"))
		return not_a_timerfd(arg);
	if (!strcmp(mode, "not-a-timer"))
		return not_a_timer(arg, atoi(more));
	if (!strcmp(mode, "signal-overwritten"))
		return signal_overwritten();
	if (!strcmp(mode, "thread-overwritten"))
		return thread_overwritten(arg);
	if (!strcmp(mode, "invalid-events"))
		return invalid_events(arg);
	if (!strcmp(mode, "short-sets"))
		return short_sets(!strcmp(arg, "pselect"));
	if (!strcmp(mode, "untaken"))
		return untaken(atol(arg));
	if (!strcmp(mode, "longest"))
		return longest();
	if (!strcmp(mode, "killed-in-socket"))
		return killed_in_socket();
	return !strcmp(mode, "for-good") ? for_good() : 99;
}

/* --- the tests ------------------------------------------------------------- */

static char self[PATH_MAX], chessctl[PATH_MAX];

/* Exit code of the program, 128 and the signal, or -1. */
static int run(bool controlled, const char *mode, const char *arg, const char *more)
{
	const char *const argv[] = {
		chessctl, "run", "--host", "--host-pids", "--run-timeout", "20", "--",
		self, "--mode", mode, arg, more, NULL,
	};
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (controlled)
			dup2(2, 1);
		execv(controlled ? chessctl : self,
		      (char *const *)(controlled ? argv : argv + 7));
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void good(const char *mode, const char *arg, const char *more)
{
	int alone = run(false, mode, arg, more), controlled = run(true, mode, arg, more);

	EXPECT_EQ(GOOD, alone);
	EXPECT_EQ(GOOD, controlled);
	if (alone != GOOD || controlled != GOOD)
		TH_LOG("of %s %s %s", mode, arg, more);
}

/* Somebody who has nothing to do with it. */
static pid_t victim(char text[16])
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	ASSERT_LT(0, pid);
	snprintf(text, 16, "%d", pid);
	return pid;
}

static void end_victim(pid_t pid)
{
	int status;

	/* Nothing has reached it. */
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

TEST(results_of_timerfd_create_that_are_none)
{
	static const char *const kinds[] = {
		"file", "directory", "path", "null", "pipe", "socket", "memfd", "eventfd",
		"epoll", "signalfd", "pidfd", "uring",
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		good("not-a-timerfd", kinds[i], "");
}

TEST(timers_that_were_not_made)
{
	static const char *const signals[] = { "0", "9", "10", "65", "1000000", "-1" };
	char text[16];
	pid_t pid = victim(text);
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		good("not-a-timer", text, signals[i]);
	end_victim(pid);
}

TEST(sigevent_overwritten_by_the_kernel)
{
	char text[16];
	pid_t pid = victim(text);

	good("signal-overwritten", "", "");
	good("thread-overwritten", text, "");
	end_victim(pid);
}

TEST(invalid_sigevents)
{
	char text[16];
	pid_t pid = victim(text);

	good("invalid-events", text, "");
	end_victim(pid);
}

TEST(sets_shorter_than_select_is_told)
{
	good("short-sets", "select", "");
	good("short-sets", "pselect", "");
}

TEST(expirations_by_the_billion)
{
	EXPECT_EQ(GOOD, run(false, "untaken", "1", ""));
	EXPECT_EQ(GOOD, run(true, "untaken", "3600", ""));
}

/* Nobody waits for it alone. */
TEST(end_of_the_clock)
{
	EXPECT_EQ(GOOD, run(true, "longest", "", ""));
}

/* A deadlock, at which chessctl ends the program, and not the limit of a run. */
TEST(timer_that_nobody_hears)
{
	time_t begin = time(NULL);

	EXPECT_EQ(124, run(true, "for-good", "", ""));
	EXPECT_GT(20, time(NULL) - begin);
}

TEST(killed_in_a_socket_with_a_time_out)
{
	good("killed-in-socket", "", "");
}

int main(int argc, char **argv)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		return 1;
	self[n] = '\0';
	if (argc > 2 && !strcmp(argv[1], "--mode"))
		return program(argv[2], argc > 3 ? argv[3] : "", argc > 4 ? argv[4] : "");
	snprintf(chessctl, sizeof(chessctl), "%.*s/../../chessctl",
		 (int)(strrchr(self, '/') - self), self);
	return harness_main(argc, argv);
}
