// SPDX-License-Identifier: GPL-2.0-only
/*
 * What reports and status say of the object a blocked task waits on. A child blocks, and
 * the text has to be the one derived here; it inherits our descriptors, so both of us
 * have them. We are T0, the child is T1.
 */
#include <mqueue.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include "fixture.h"

static int fds[2], other;

/* Of a child in @fn, asleep in system call @nr. */
static void expect_text(struct look_fixture *self, void (*fn)(void *), long nr,
			unsigned int n_tasks, const char *format, ...)
{
	struct chess_wait wait = { .task = 1 };
	struct chess_task_info tasks[2] = { { .id = 1 }, { .id = 0, .pid = getpid() } };
	char *text;
	va_list args;

	wait.pid = blocked_in(fn, NULL);
	tasks[0].pid = wait.pid;
	await(self, (pid_t[]) { wait.pid }, 1, nr);
	ASSERT_SAME(0, chess_waits_look(self->look, tasks, n_tasks, &wait, 1));
	kill(wait.pid, SIGKILL);
	waitpid(wait.pid, NULL, 0);
	ASSERT_TRUE(wait.kernel);
	va_start(args, format);
	ASSERT_MOST(0, vasprintf(&text, format, args));
	va_end(args);
	if (*text)
		EXPECT_STREQ(text, wait.object ? wait.object : "nothing");
	else
		EXPECT_FALSE(wait.object);
	free(text);
	free(wait.object);
	free(wait.kernel);
}

static void reads(void *arg)
{
	/* A signalfd gives no less. */
	char c[sizeof(struct signalfd_siginfo)];

	(void)arg;
	if (read(fds[0], c, sizeof(c)) < 0)
		perror("# read");
}

static void writes(void *arg)
{
	(void)arg;
	if (write(fds[1], "x", 1) < 0)
		perror("# write");
}

static void fill(int fd)
{
	static char page[4096];

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (write(fd, page, sizeof(page)) > 0)
		;
	fcntl(fd, F_SETFL, 0);
}

TEST_F(look, pipe_is_told)
{
	ASSERT_SAME(0, pipe(fds));
	expect_text(self, reads, SYS_read, 2,
		    "pipe, 0 of 16 slots full; written through fd %d of T0's process, fd %d of T1's process",
		    fds[1], fds[1]);
	/* Who is not in the group is named as the system does. */
	expect_text(self, reads, SYS_read, 1,
		    "pipe, 0 of 16 slots full; written through fd %d of pid %d (object_test), fd %d of T1's process",
		    fds[1], getpid(), fds[1]);
	fill(fds[1]);
	expect_text(self, writes, SYS_write, 2,
		    "pipe, 16 of 16 slots full; read through fd %d of T0's process, fd %d of T1's process",
		    fds[0], fds[0]);
}

TEST_F(look, sockets_are_told)
{
	ASSERT_SAME(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	expect_text(self, reads, SYS_read, 2,
		    "unix socket, 0 bytes to be received; other end: fd %d of T0's process, fd %d of T1's process",
		    fds[1], fds[1]);
	fds[0] = socket(AF_INET, SOCK_DGRAM, 0);
	expect_text(self, reads, SYS_read, 2,
		    "socket, 0 bytes to be received; other end: not open here");
}

static void polls(void *arg)
{
	struct epoll_event e;

	(void)arg;
	epoll_wait(other, &e, 1, -1);
}

TEST_F(look, anonymous_files_are_told)
{
	struct epoll_event e = { .events = EPOLLIN };
	sigset_t set;
	int timer;

	fds[0] = eventfd(0, 0);
	expect_text(self, reads, SYS_read, 2,
		    "eventfd, count 0; written through fd %d of T0's process, fd %d of T1's process",
		    fds[0], fds[0]);
	other = epoll_create1(0);
	ASSERT_SAME(0, epoll_ctl(other, EPOLL_CTL_ADD, fds[0], &e));
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	ASSERT_SAME(0, epoll_ctl(other, EPOLL_CTL_ADD, timer, &e));
	expect_text(self, polls, SYS_epoll_wait, 2,
		    "epoll set with 2 members: fd %d eventfd written through fd %d of T0's process, fd %d of T1's process, fd %d timerfd",
		    fds[0], fds[0], fds[0], timer);
	fds[0] = timer;
	expect_text(self, reads, SYS_read, 2, "timerfd, not armed");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	fds[0] = signalfd(-1, &set, 0);
	expect_text(self, reads, SYS_read, 2, "signalfd for SIGUSR1, SIGCHLD");
}

static void locks(void *arg)
{
	hold_flock(arg ? arg : &other);
}

static void locks_range(void *arg)
{
	struct flock l = { .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 15, .l_len = 10 };

	(void)arg;
	fcntl(other, F_SETLKW, &l);
}

TEST_F(look, locks_are_told)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 10 };

	other = scratch_file();
	ASSERT_SAME(0, flock(other, LOCK_EX));
	expect_text(self, locks, SYS_flock, 2, "flock lock for writing; held by T0's process");
	ASSERT_SAME(0, fcntl(other, F_SETLK, &l));
	expect_text(self, locks_range, SYS_fcntl, 2,
		    "record lock for reading, bytes 15 to 24; held by T0's process");
}

static void takes_semaphore(void *arg)
{
	struct sembuf op = { .sem_num = 1, .sem_op = -2 };

	(void)arg;
	semop(other, &op, 1);
}

static void receives(void *arg)
{
	char message[64];

	(void)arg;
	msgrcv(other, message, 8, 7, 0);
}

static void receives_posix(void *arg)
{
	char message[8192];

	(void)arg;
	mq_receive(other, message, sizeof(message), NULL);
}

TEST_F(look, ipc_is_told)
{
	struct { long type; char text[8]; } message = { 5, "abcdefg" };
	struct mq_attr attr = { .mq_maxmsg = 3, .mq_msgsize = 8 };

	other = semget(IPC_PRIVATE, 2, 0600);
	ASSERT_MOST(0, other);
	ASSERT_SAME(0, semctl(other, 1, SETVAL, 1));
	expect_text(self, takes_semaphore, SYS_semtimedop, 2,
		    "semaphore 1 is 1, the operation is -2; last changed by T0's process");
	semctl(other, 0, IPC_RMID);

	other = msgget(IPC_PRIVATE, 0600);
	ASSERT_MOST(0, other);
	ASSERT_SAME(0, msgsnd(other, &message, sizeof(message.text), 0));
	expect_text(self, receives, SYS_msgrcv, 2,
		    "message queue, 8 of 16384 bytes; last sent to by T0's process");
	msgctl(other, IPC_RMID, NULL);

	other = mq_open("/object-test", O_CREAT | O_RDONLY, 0600, &attr);
	ASSERT_MOST(0, other);
	mq_unlink("/object-test");
	expect_text(self, receives_posix, SYS_mq_timedreceive, 2,
		    "message queue, 0 of 3 messages");
}

static void waits_for_child(void *arg)
{
	siginfo_t info = { 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		do_pause(arg);
	}
	if (!fork())
		_exit(0);
	/*
	 * The one that ends is left as it is.  Not waited for asleep: a look takes the
	 * first waitid() he sees us asleep in.
	 */
	while (!info.si_pid) {
		waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | WNOHANG);
		usleep(1000);
	}
	waitid(P_ALL, 0, &info, WSTOPPED);
}

static void waits_for_signal(void *arg)
{
	sigset_t set;

	(void)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigdelset(&set, SIGUSR2);
	raise(SIGUSR2);
	sigwaitinfo(&set, NULL);
}

static void sleeps(void *arg)
{
	(void)arg;
	sleep(1000);
}

TEST_F(look, others_are_told)
{
	expect_text(self, waits_for_child, SYS_waitid, 2, "2 children, 1 ended");
	expect_text(self, waits_for_signal, SYS_rt_sigtimedwait, 2, "signals pending: SIGUSR2");
	/* Nothing to be said. */
	expect_text(self, sleeps, SYS_clock_nanosleep, 2, "");
}

TEST_HARNESS_MAIN
