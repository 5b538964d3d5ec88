// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that fail only where a timer goes off while others could still go on, each with
 * its mended twin: early WHAT wrong|mended. early.sh says what is expected of them.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool mended;
static volatile int done, first, second;
static const struct itimerspec in_a_second = { .it_value.tv_sec = 1 };

static void *work(void *arg)
{
	getppid();
	done = 1;
	return arg;
}

/* A second is enough for the worker, is it not? */
static void wait_for_worker(void (*wait)(void))
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	wait();
	if (mended)
		pthread_join(t, NULL);
	assert(done);
	if (!mended)
		pthread_join(t, NULL);
}

static void read_timerfd(void)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t n;

	timerfd_settime(fd, 0, &in_a_second, NULL);
	assert(read(fd, &n, sizeof(n)) == sizeof(n) && n == 1);
	close(fd);
}

static void *map(int ring, size_t size, off_t offset)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, offset);

	assert(p != MAP_FAILED);
	return p;
}

static void wait_in_ring(void)
{
	static struct __kernel_timespec ts = { .tv_sec = 1 };
	struct io_uring_params p = { 0 };
	int ring = syscall(SYS_io_uring_setup, 1, &p);
	struct io_uring_sqe *sqe;
	unsigned int *tail;
	char *sq;

	assert(ring >= 0);
	sq = map(ring, p.sq_off.array + p.sq_entries * sizeof(*tail), IORING_OFF_SQ_RING);
	sqe = map(ring, p.sq_entries * sizeof(*sqe), IORING_OFF_SQES);
	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = IORING_OP_TIMEOUT;
	sqe->addr = (unsigned long)&ts;
	sqe->len = 1;
	tail = (unsigned int *)(sq + p.sq_off.tail);
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	assert(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
	close(ring);
}

/* The handler finds two halves that do not fit. */
static void check_halves(int sig)
{
	(void)sig;
	assert(first == second);
}

/* @late: until it has a handler, the alarm limits the time of the process. */
static void change_halves(int late)
{
	sigset_t alrm, old;

	sigemptyset(&alrm);
	sigaddset(&alrm, SIGALRM);
	if (late)
		alarm(1000);
	signal(SIGALRM, check_halves);
	if (!late)
		alarm(1);
	if (mended)
		sigprocmask(SIG_BLOCK, &alrm, &old);
	first++;
	getppid();
	second++;
	if (mended)
		sigprocmask(SIG_SETMASK, &old, NULL);
}

static void *take_alarm(void *arg)
{
	int sig;

	sigwait(arg, &sig);
	check_halves(sig);
	return NULL;
}

/* A thread waits for the signal, which would end the process but is blocked. */
static void wait_for_alarm(void)
{
	sigset_t alrm;
	pthread_t t;

	sigemptyset(&alrm);
	sigaddset(&alrm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alrm, NULL);
	pthread_create(&t, NULL, take_alarm, &alrm);
	if (!mended)
		alarm(1000);
	first++;
	getppid();
	second++;
	if (mended)
		alarm(1000);
	pthread_join(t, NULL);
}

/* Three seconds, of which the process has two. */
static void outlive_alarm(void)
{
	int i;

	alarm(mended ? 4 : 2);
	for (i = 0; i < 3; i++)
		sleep(1);
}

/* The signal comes after the look at the flag and before the wait for it. */
static void set_done(int sig)
{
	(void)sig;
	done = 1;
}

static void pause_for_it(void)
{
	const struct itimerval tv = { .it_value.tv_usec = 1000 };
	sigset_t alrm, old;

	sigemptyset(&alrm);
	sigaddset(&alrm, SIGALRM);
	signal(SIGALRM, set_done);
	setitimer(ITIMER_REAL, &tv, NULL);
	if (mended)
		sigprocmask(SIG_BLOCK, &alrm, &old);
	while (!done) {
		if (mended)
			sigsuspend(&old);
		else
			pause();
	}
}

/* A signal for a thread ends its wait, which was for something else. */
static sem_t sem;

static void *post(void *arg)
{
	first = 1;
	sem_post(&sem);
	return arg;
}

static void interrupt_thread(void)
{
	const struct sigaction sa = { .sa_handler = set_done };
	struct sigevent ev = {
		.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1,
	};
	timer_t timer;
	pthread_t t;

	ev._sigev_un._tid = gettid();
	sigaction(SIGUSR1, &sa, NULL);
	sem_init(&sem, 0, 0);
	assert(!timer_create(CLOCK_MONOTONIC, &ev, &timer));
	timer_settime(timer, 0, &in_a_second, NULL);
	pthread_create(&t, NULL, post, NULL);
	while (sem_wait(&sem) && mended)
		assert(errno == EINTR);
	assert(first);
	pthread_join(t, NULL);
}

/* A thread of the C library's adds one as main does. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add_one(union sigval value)
{
	int old;

	(void)value;
	if (mended)
		pthread_mutex_lock(&lock);
	old = first;
	getppid();
	first = old + 1;
	if (mended)
		pthread_mutex_unlock(&lock);
}

static void add_and_post(union sigval value)
{
	add_one(value);
	sem_post(&sem);
}

static void run_thread(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_THREAD };
	timer_t timer;

	ev.sigev_notify_function = add_and_post;
	sem_init(&sem, 0, 0);
	assert(!timer_create(CLOCK_MONOTONIC, &ev, &timer));
	timer_settime(timer, 0, &in_a_second, NULL);
	add_one((union sigval){ 0 });
	sem_wait(&sem);
	assert(first == 2);
}

/* Nothing was received, and that goes for an answer. */
static int ends[2];

static void *answer(void *arg)
{
	assert(write(ends[1], "a", 1) == 1);
	return arg;
}

static void receive(void)
{
	const struct timeval tv = { .tv_sec = 1 };
	char c = 0;
	pthread_t t;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	pthread_create(&t, NULL, answer, NULL);
	while (read(ends[0], &c, 1) < 0 && mended)
		assert(errno == EAGAIN);
	assert(c == 'a');
	pthread_join(t, NULL);
}

/*
 * The alarm ends the wait, unless it comes before that begins. But it comes: a task that slept
 * for two seconds, or was woken so early, has seen it.
 */
static void outwait_alarm(void)
{
	struct timespec ts = { .tv_sec = 2 };
	sigset_t alrm, old;
	pthread_t t;
	int ret;

	sigemptyset(&alrm);
	sigaddset(&alrm, SIGALRM);
	signal(SIGALRM, set_done);
	/* It is for main: the other thread would take it when it gets on. */
	sigprocmask(SIG_BLOCK, &alrm, &old);
	pthread_create(&t, NULL, answer, NULL);
	sigprocmask(SIG_SETMASK, &old, NULL);
	alarm(1);
	ret = nanosleep(&ts, NULL);
	assert(done && (mended || ret));
	pthread_join(t, NULL);
}

/* Many steps of which none is late; the parent cannot know. */
static void child(void)
{
	int i;

	for (i = 0; i < 3; i++)
		getppid();
	_exit(0);
}

static pid_t pid;

static void kill_child(int sig)
{
	(void)sig;
	if (mended)
		alarm(1);
	else
		kill(pid, SIGKILL);
}

/* As the harness of the kernel's selftests does. */
static bool is_over_by_poll(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 1000) == 1;
}

static bool is_over_by_epoll(int fd)
{
	struct epoll_event e = { .events = EPOLLIN };
	int set = epoll_create1(0);
	bool over;

	epoll_ctl(set, EPOLL_CTL_ADD, fd, &e);
	over = epoll_wait(set, &e, 1, 1000) == 1;
	close(set);
	return over;
}

static bool is_over_by_signal(int fd)
{
	const struct timespec ts = { .tv_sec = 1 };
	sigset_t chld;

	(void)fd;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	return sigtimedwait(&chld, NULL, &ts) == SIGCHLD;
}

/* A test has a second: then it is killed, or, mended, has another one. */
static void limit_child(bool (*is_over)(int fd))
{
	sigset_t chld;
	int fd, status;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	pid = fork();
	if (!pid)
		child();
	fd = syscall(SYS_pidfd_open, pid, 0);
	while (!is_over(fd))
		if (!mended)
			kill(pid, SIGKILL);
	assert(waitpid(pid, &status, 0) == pid);
	assert(status == 0);
	close(fd);
}

static void limit_child_by_alarm(void)
{
	int status;

	pid = fork();
	if (!pid)
		child();
	signal(SIGALRM, kill_child);
	alarm(1);
	assert(waitpid(pid, &status, 0) == pid);
	alarm(0);
	assert(status == 0);
}

/* What limits the time of a child is no reason for a deadline of the child's to wait. */
static void limit_sleeper(void)
{
	struct timespec ts = { .tv_nsec = 1 };
	struct pollfd p = { .events = POLLIN };
	int status, answers[2];
	char c = 0;

	assert(!pipe(answers));
	pid = fork();
	if (!pid) {
		/* The sleep is over, is it not? */
		struct pollfd in = { .fd = answers[0], .events = POLLIN };

		if (!fork()) {
			nanosleep(&ts, NULL);
			_exit(write(answers[1], &c, 1) != 1);
		}
		assert(poll(&in, 1, mended ? -1 : 500) == 1);
		_exit(0);
	}
	p.fd = syscall(SYS_pidfd_open, pid, 0);
	if (poll(&p, 1, 1000) != 1)
		_exit(3);
	assert(waitpid(pid, &status, 0) == pid);
	assert(status == 0);
}

/*
 * A process leaves timers behind that are due while its parent sleeps. It has not read its
 * constants before, so that their page is not there when the kernel is given them.
 */
static void leave_timers(void)
{
	static const struct timespec nap = { .tv_sec = 2, .tv_nsec = 500000000 };
	struct itimerval t = { .it_value.tv_sec = 1, .it_interval.tv_sec = 1 };
	struct sigevent e = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	int status;
	timer_t id;

	signal(SIGALRM, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	pid = fork();
	assert(pid >= 0);
	if (!pid) {
		assert(!setitimer(ITIMER_REAL, &t, NULL));
		assert(!timer_create(CLOCK_MONOTONIC, &e, &id));
		assert(!timer_settime(id, 0, &in_a_second, NULL));
		if (mended)
			nanosleep(&nap, NULL);
		_exit(0);
	}
	assert(waitpid(pid, &status, 0) == pid && !status);
	nanosleep(&nap, NULL);
}

/* A timerfd that has expired is closed in each way: its epoll set is empty then. */
static void leave_epoll(void)
{
	int how, fd, epoll = epoll_create1(0);
	struct epoll_event e = { .events = EPOLLIN };

	for (how = 0; how < 4; how++) {
		fd = timerfd_create(CLOCK_MONOTONIC, 0);
		assert(fd >= 0 && !timerfd_settime(fd, 0, &in_a_second, NULL));
		assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e));
		assert(epoll_wait(epoll, &e, 1, 2000) == 1);
		if (how == 0)
			close(fd);
		else if (how == 1)
			close_range(fd, fd, 0);
		else
			assert((how == 2 ? dup2(epoll, fd) : dup3(epoll, fd, O_CLOEXEC)) == fd);
		assert(epoll_wait(epoll, &e, 1, 0) == 0);
	}
}

/* More timers than a run can have at a time have ended: none goes off, and one more does. */
static void end_many(void)
{
	const struct itimerspec each_second = { { 1, 0 }, { 1, 0 } };
	const struct timespec nap = { .tv_sec = 5 };
	uint64_t times;
	int i, fd;

	for (i = 0; i < 300; i++) {
		pid = fork();
		assert(pid >= 0);
		if (!pid) {
			alarm(1);
			_exit(0);
		}
		assert(waitpid(pid, NULL, 0) == pid);
		fd = timerfd_create(CLOCK_MONOTONIC, 0);
		assert(fd >= 0 && !timerfd_settime(fd, 0, &each_second, NULL));
		close(fd);
	}
	nanosleep(&nap, NULL);
	leave_epoll();
	fd = timerfd_create(CLOCK_MONOTONIC, 0);
	assert(fd >= 0 && !timerfd_settime(fd, 0, &in_a_second, NULL));
	assert(read(fd, &times, sizeof(times)) == sizeof(times) && times == 1);
}

static void *set_alarm(void *arg)
{
	alarm(1000);
	alarm(2000);
	return arg;
}

/* It ends the process at a point of one thread, while another one may be at a point, too. */
static void die_of_alarm(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, set_alarm, NULL);
	pthread_create(&u, NULL, set_alarm, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc == 3 ? argv[1] : "";

	mended = argc == 3 && !strcmp(argv[2], "mended");
	if (!strcmp(what, "timerfd"))
		wait_for_worker(read_timerfd);
	else if (!strcmp(what, "ring"))
		wait_for_worker(wait_in_ring);
	else if (!strcmp(what, "alarm"))
		change_halves(0);
	else if (!strcmp(what, "handle-late"))
		change_halves(1);
	else if (!strcmp(what, "sigwait"))
		wait_for_alarm();
	else if (!strcmp(what, "outlive"))
		outlive_alarm();
	else if (!strcmp(what, "setitimer"))
		pause_for_it();
	else if (!strcmp(what, "timer-signal"))
		interrupt_thread();
	else if (!strcmp(what, "timer-thread"))
		run_thread();
	else if (!strcmp(what, "socket"))
		receive();
	else if (!strcmp(what, "outwait") && !socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		outwait_alarm();
	else if (!strcmp(what, "limit-poll"))
		limit_child(is_over_by_poll);
	else if (!strcmp(what, "limit-epoll"))
		limit_child(is_over_by_epoll);
	else if (!strcmp(what, "limit-signal"))
		limit_child(is_over_by_signal);
	else if (!strcmp(what, "limit-alarm"))
		limit_child_by_alarm();
	else if (!strcmp(what, "limit-sleeper"))
		limit_sleeper();
	else if (!strcmp(what, "left-behind"))
		leave_timers();
	else if (!strcmp(what, "many"))
		end_many();
	else if (!strcmp(what, "killed"))
		die_of_alarm();
	else
		return 2;
	return 0;
}
