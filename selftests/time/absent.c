// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls whose times are in pages that nobody has touched yet, each in pages of its own: the
 * kernel brings them in when it reads them. Each call waits for NANOSECONDS, or sets a timer
 * that is waited for, and says that the time is over. Then calls with an address that cannot
 * be read: each says EFAULT.
 *
 * Usage: absent NANOSECONDS; it prints how many waits ended because their time was over.
 */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* Farther apart than the kernel maps pages around one that is asked for. */
#define APART	(1 << 20)
#define SLOTS	32
/* At the end of a page, so that the second half is in another. */
#define SPLIT	(4096 - 8)

static char *pages;
static int file, slots, waits;
static struct timespec length;	/* of each wait */
static sigset_t signals;	/* of timers; they are blocked */

/* A place where nobody has read. */
static void *put(const void *what, size_t len, size_t offset)
{
	off_t at = (off_t)slots++ * APART + offset;

	assert(slots <= SLOTS);
	assert(pwrite(file, what, len, at) == (ssize_t)len);
	return pages + at;
}

static void *time_at(size_t offset)
{
	return put(&length, sizeof(length), offset);
}

static void *later(clockid_t clock)
{
	struct timespec t;

	assert(!clock_gettime(clock, &t));
	t.tv_sec += length.tv_sec;
	t.tv_nsec += length.tv_nsec;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return put(&t, sizeof(t), 0);
}

static void *once(void)
{
	const struct itimerspec t = { .it_value = length };

	return put(&t, sizeof(t), SPLIT);
}

/* By syscall(), as the C library copies the times of some calls to its stack. */
#define OVER(call, ret, err) do { \
	errno = 0; \
	assert((call) == (ret) && errno == (err)); \
	waits++; \
} while (0)

static void sleep_and_poll(void)
{
	const struct pollfd none[2] = { { .fd = -1 }, { .fd = -1 } };
	const struct timeval tv = { length.tv_sec, length.tv_nsec / 1000 };
	int epoll = epoll_create1(0);
	struct epoll_event e;

	OVER(syscall(SYS_nanosleep, time_at(0), NULL), 0, 0);
	OVER(syscall(SYS_nanosleep, time_at(SPLIT), NULL), 0, 0);
	OVER(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, later(CLOCK_MONOTONIC),
		     NULL), 0, 0);
	OVER(syscall(SYS_ppoll, put(none, sizeof(none), SPLIT), 2, time_at(0), NULL, 8), 0, 0);
	OVER(syscall(SYS_select, 0, NULL, NULL, NULL, put(&tv, sizeof(tv), 0)), 0, 0);
	OVER(syscall(SYS_pselect6, 0, NULL, NULL, NULL, time_at(0), NULL), 0, 0);
	OVER(syscall(SYS_epoll_pwait2, epoll, &e, 1, time_at(0), NULL, 8), 0, 0);
	close(epoll);
}

static void wait_for_others(void)
{
	const struct sembuf down = { .sem_op = -1 };
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	int sem = semget(IPC_PRIVATE, 1, 0600), pair[2];
	struct mmsghdr m = { 0 };
	uint32_t word = 0;
	char byte;
	mqd_t mq;

	OVER(syscall(SYS_rt_sigtimedwait, put(&signals, 8, 0), NULL, time_at(0), 8), -1, EAGAIN);
	OVER(syscall(SYS_semtimedop, sem, &down, 1, time_at(0)), -1, EAGAIN);
	semctl(sem, 0, IPC_RMID);
	mq = mq_open("/absent", O_RDWR | O_CREAT, 0600, &attr);
	assert(mq >= 0);
	mq_unlink("/absent");
	OVER(syscall(SYS_mq_timedreceive, mq, &byte, 1, NULL, later(CLOCK_REALTIME)), -1,
	     ETIMEDOUT);
	OVER(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, time_at(0), NULL, 0), -1, ETIMEDOUT);
	OVER(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, later(CLOCK_MONOTONIC), NULL,
		     1), -1, ETIMEDOUT);
	/* Its time is looked at after a datagram; there is one, and a wait that may not last. */
	assert(!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
	assert(send(pair[1], "", 1, 0) == 1);
	assert(syscall(SYS_recvmmsg, pair[0], &m, 1, 0, time_at(0)) == 1);
}

static void wait_for_ring(void)
{
	struct io_uring_params params = { 0 };
	int ring = syscall(SYS_io_uring_setup, 1, &params);
	const struct io_uring_getevents_arg arg = { .ts = (uintptr_t)time_at(SPLIT) };

	assert(ring >= 0);
	OVER(syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG,
		 put(&arg, sizeof(arg), SPLIT), sizeof(arg)), -1, ETIME);
	close(ring);
}

static void set_timers(void)
{
	struct sigevent e = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	const struct itimerval t = { .it_value = { length.tv_sec, length.tv_nsec / 1000 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0), id;
	uint64_t times;

	assert(!syscall(SYS_timerfd_settime, fd, 0, once(), NULL));
	OVER(read(fd, &times, 8), 8, 0);
	assert(!syscall(SYS_timer_create, CLOCK_MONOTONIC, &e, &id));
	assert(!syscall(SYS_timer_settime, id, 0, once(), NULL));
	OVER(sigwaitinfo(&signals, NULL), SIGUSR1, 0);
	assert(!syscall(SYS_setitimer, ITIMER_REAL, put(&t, sizeof(t), SPLIT), NULL));
	OVER(sigwaitinfo(&signals, NULL), SIGALRM, 0);
}

#define REFUSED(call) do { \
	assert((call) == -1 && errno == EFAULT); \
} while (0)

static void *refuse(void *unused)
{
	void *bad = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct epoll_event e;
	uint32_t word = 0;
	cpu_set_t set;
	int i;

	/* More than once, from the same place. */
	for (i = 0; i < 3; i++) {
		getppid();
		REFUSED(syscall(SYS_nanosleep, bad, NULL));
		REFUSED(syscall(SYS_rt_sigprocmask, SIG_BLOCK, bad, NULL, 8));
		REFUSED(syscall(SYS_ppoll, bad, 1, bad, NULL, 8));
		REFUSED(syscall(SYS_epoll_pwait2, -1, &e, 1, bad, NULL, 8));
		REFUSED(syscall(SYS_rt_sigtimedwait, bad, NULL, bad, 8));
		REFUSED(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, bad, NULL, 0));
		REFUSED(syscall(SYS_timerfd_settime, 0, 0, bad, NULL));
		REFUSED(syscall(SYS_timer_settime, 0, 0, bad, NULL));
		REFUSED(syscall(SYS_setitimer, ITIMER_REAL, bad, NULL));
		REFUSED(syscall(SYS_sched_setaffinity, 0, 8, bad));
	}
	/* The same where it can be read. */
	assert(sched_getaffinity(0, sizeof(set), &set) == 0);
	assert(!syscall(SYS_sched_setaffinity, 0, sizeof(set), put(&set, sizeof(set), SPLIT)));
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 2)
		return 2;
	length.tv_sec = atoll(argv[1]) / 1000000000;
	length.tv_nsec = atoll(argv[1]) % 1000000000;
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGALRM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	file = memfd_create("absent", 0);
	assert(file >= 0 && !ftruncate(file, (off_t)SLOTS * APART));
	pages = mmap(NULL, (size_t)SLOTS * APART, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	assert(pages != MAP_FAILED);
	sleep_and_poll();
	wait_for_others();
	wait_for_ring();
	set_timers();
	assert(!pthread_create(&thread, NULL, refuse, NULL));
	refuse(NULL);
	assert(!pthread_join(thread, NULL));
	printf("%d\n", waits);
	return 0;
}
