// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps of fuzzed programs that wait for time, or ask for it: each has one outcome,
 * however long it took. See program.h.
 */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

#define MS 1000000L

static struct timespec after_ms(clockid_t clock, long ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += ms * MS;
	t.tv_sec += t.tv_nsec / (1000 * MS);
	t.tv_nsec %= 1000 * MS;
	return t;
}

static long nanoseconds(const struct timespec *t)
{
	return t->tv_sec * 1000 * MS + t->tv_nsec;
}

static int naps(struct ctx *c)
{
	struct timespec nap = { 0, 1 + below(c, 2000000) }, from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	if (below(c, 2)) {
		while (nanosleep(&nap, &nap) && errno == EINTR)
			;
		note(c, 1);
	} else {
		to = after_ms(CLOCK_MONOTONIC, 1);
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &to, NULL) == EINTR)
			;
		nap.tv_nsec = MS;
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	note(c, nanoseconds(&to) - nanoseconds(&from) >= nap.tv_nsec);
	nap.tv_nsec = 1000000000;
	return result_of(nanosleep(&nap, NULL));
}

static int poll_times_out(struct ctx *c)
{
	struct pollfd p = { .fd = c->fd[0], .events = POLLIN };
	struct timespec t = { 0, MS };
	sigset_t none;

	sigemptyset(&none);
	note(c, poll(&p, 1, below(c, 3)));
	note(c, ppoll(&p, 1, &t, &none));
	p.events = POLLOUT;
	p.fd = c->fd[1];
	note(c, poll(&p, 1, 1));
	return p.revents;
}

static int select_times_out(struct ctx *c)
{
	struct timeval t = { 0, 1000 };
	struct timespec s = { 0, MS };
	fd_set in, out;

	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(c->fd[0], &in);
	note(c, select(c->fd[1] + 1, &in, NULL, NULL, &t));
	note(c, FD_ISSET(c->fd[0], &in));
	FD_SET(c->fd[0], &in);
	FD_SET(c->fd[1], &out);
	note(c, pselect(c->fd[1] + 1, &in, &out, NULL, &s, NULL));
	return FD_ISSET(c->fd[1], &out) && !FD_ISSET(c->fd[0], &in);
}

static int epoll_times_out(struct ctx *c)
{
	struct epoll_event e = { .events = EPOLLIN };
	int set = epoll_create1(EPOLL_CLOEXEC), ms = 1 + below(c, 2);

	note(c, epoll_ctl(set, EPOLL_CTL_ADD, c->fd[0], &e));
	/* Being stopped and continued ends this wait, without a handler too (signal(7)). */
	note(c, TEMP_FAILURE_RETRY(epoll_wait(set, &e, 1, ms)));
	note(c, result_of(epoll_ctl(set, EPOLL_CTL_ADD, set, &e)));
	return close(set);
}

static int locks_time_out(struct ctx *c)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec t = after_ms(CLOCK_REALTIME, 1);
	sem_t s;

	sem_init(&s, 0, 0);
	note(c, result_of(sem_timedwait(&s, &t)));
	pthread_mutex_lock(&m);
	t = after_ms(CLOCK_REALTIME, 1);
	note(c, pthread_cond_timedwait(&cond, &m, &t));
	note(c, pthread_mutex_trylock(&m));
	return pthread_mutex_unlock(&m);
}

static int futex_times_out(struct ctx *c)
{
	struct timespec t = { 0, 1 + below(c, 1000000) };
	uint32_t word = 3;

	note(c, result_of(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 3, &t, NULL, 0)));
	note(c, result_of(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 4, &t, NULL, 0)));
	t = after_ms(CLOCK_MONOTONIC, 1);
	return result_of(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 3, &t, NULL, 1));
}

static int timerfds(struct ctx *c)
{
	struct itimerspec t = { .it_value.tv_nsec = MS };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), other;
	uint64_t n = 0;

	note(c, timerfd_settime(fd, 0, &t, NULL));
	note(c, TEMP_FAILURE_RETRY(read(fd, &n, sizeof(n))));
	note(c, n);
	other = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	t.it_value.tv_sec = 1000;
	note(c, timerfd_settime(other, 0, &t, NULL));
	note(c, result_of(read(other, &n, sizeof(n))));
	note(c, timerfd_gettime(other, &t));
	note(c, t.it_value.tv_sec >= 999);
	if (below(c, 2))
		note(c, dup2(other, fd) == fd);
	close(other);
	return close(fd);
}

/* A timer that tells this thread, which waits for its signal. */
static int timer_signals(struct ctx *c)
{
	struct sigevent e = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 1 };
	struct itimerspec t = { .it_value.tv_nsec = 1 + below(c, 1000000) };
	siginfo_t info;
	sigset_t set;
	timer_t timer;

	e._sigev_un._tid = syscall(SYS_gettid);
	e.sigev_value.sival_int = 33;
	note(c, timer_create(CLOCK_MONOTONIC, &e, &timer));
	note(c, timer_settime(timer, 0, &t, NULL));
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	note(c, TEMP_FAILURE_RETRY(sigwaitinfo(&set, &info)) == SIGRTMIN + 1);
	note(c, info.si_value.sival_int);
	note(c, info.si_code == SI_TIMER);
	t.it_value.tv_sec = 1000;
	note(c, timer_settime(timer, 0, &t, NULL));
	note(c, timer_gettime(timer, &t));
	note(c, t.it_value.tv_sec >= 999);
	note(c, timer_getoverrun(timer));
	return timer_delete(timer);
}

static int silent_timer(struct ctx *c)
{
	struct sigevent e = { .sigev_notify = SIGEV_NONE };
	struct itimerspec t = { .it_value.tv_nsec = 1 };
	struct timespec nap = { 0, MS };
	timer_t timer;

	note(c, timer_create(CLOCK_REALTIME, &e, &timer));
	note(c, timer_settime(timer, 0, &t, NULL));
	nanosleep(&nap, NULL);
	note(c, timer_gettime(timer, &t));
	note(c, t.it_value.tv_nsec);
	note(c, timer_delete(timer));
	return result_of(syscall(SYS_timer_delete, 999));
}

static volatile int alarms;

static void count_alarm(int sig)
{
	(void)sig;
	alarms++;
}

static int wait_alarms(struct ctx *c, int sig, int n)
{
	sigset_t none, block;

	sigemptyset(&none);
	sigemptyset(&block);
	sigaddset(&block, sig);
	sigprocmask(SIG_BLOCK, &block, NULL);
	while (alarms < n)
		note(c, result_of(sigsuspend(&none)));
	return alarms >= n;
}

static int interval(struct ctx *c)
{
	struct itimerval t = { .it_value.tv_usec = 1000, .it_interval.tv_usec = 0 };

	sigset_t block;

	signal(SIGALRM, count_alarm);
	sigemptyset(&block);
	sigaddset(&block, SIGALRM);
	sigprocmask(SIG_BLOCK, &block, NULL);
	note(c, setitimer(ITIMER_REAL, &t, NULL));
	return wait_alarms(c, SIGALRM, 1);
}

static int rings(struct ctx *c)
{
	signal(SIGALRM, SIG_DFL);
	note(c, alarm(1000));
	note(c, alarm(1000) > 998);
	if (below(c, 2)) {
		struct itimerval t = { .it_value.tv_usec = 1000 };

		setitimer(ITIMER_REAL, &t, NULL);
		for (;;)
			pause();
	}
	return alarm(0) > 998 ? 0 : 1;
}

static int spends(struct ctx *c)
{
	struct itimerval t = { .it_value.tv_usec = 1000 };

	signal(SIGVTALRM, count_alarm);
	note(c, setitimer(ITIMER_VIRTUAL, &t, NULL));
	while (!alarms)
		;
	return alarms > 0;
}

static int signal_times_out(struct ctx *c)
{
	struct timespec t = { 0, 1 + below(c, 1000000) };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 2);
	/* A stop ends it as it does epoll_wait(). */
	note(c, result_of(TEMP_FAILURE_RETRY(sigtimedwait(&set, NULL, &t))));
	t.tv_nsec = 0;
	return result_of(sigtimedwait(&set, NULL, &t));
}

static int receive_times_out(struct ctx *c)
{
	struct timeval t = { 0, 1000 };
	char byte;

	note(c, setsockopt(c->fd[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)));
	note(c, result_of(TEMP_FAILURE_RETRY(recv(c->fd[0], &byte, 1, 0))));
	return result_of(recv(c->fd[0], &byte, 1, MSG_DONTWAIT));
}

static int clocks(struct ctx *c)
{
	static const clockid_t ids[] = { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME,
					 CLOCK_MONOTONIC_COARSE };
	clockid_t id = ids[below(c, 4)];
	struct timespec a, b;
	struct timeval v;

	note(c, clock_gettime(id, &a));
	sched_yield();
	note(c, clock_gettime(id, &b));
	note(c, nanoseconds(&b) >= nanoseconds(&a));
	note(c, result_of(clock_gettime(77, &a)));
	note(c, gettimeofday(&v, NULL));
	/* It is read from a tick, which may be of the second before. */
	return time(NULL) >= v.tv_sec - 1;
}

static int interrupted(struct ctx *c)
{
	struct sigaction sa = { .sa_handler = count_alarm };
	/* Again and again: the first may come before the wait. */
	struct itimerval t = { .it_value.tv_usec = 1000, .it_interval.tv_usec = 1000 };
	struct pollfd p = { .fd = c->fd[0], .events = POLLIN };
	char byte;

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
	switch (below(c, 4)) {
	case 0:
		note(c, result_of(read(c->fd[0], &byte, 1)));
		break;
	case 1:
		/* The deadline may pass early, but not before the timers that are due first. */
		note(c, result_of(poll(&p, 1, 1000000)));
		break;
	case 2:
		note(c, result_of(select(0, NULL, NULL, NULL, NULL)));
		break;
	default:
		note(c, result_of(pause()));
	}
	return alarms > 0;
}

static const struct op table[] = {
	{ "naps",		SOLO,	NOTHING,	4, naps },
	{ "poll_times_out",	SOLO,	A_PIPE,		3, poll_times_out },
	{ "select_times_out",	SOLO,	A_PIPE,		3, select_times_out },
	{ "epoll_times_out",	SOLO,	A_PIPE,		3, epoll_times_out },
	{ "locks_time_out",	SOLO,	NOTHING,	3, locks_time_out },
	{ "futex_times_out",	SOLO,	NOTHING,	3, futex_times_out },
	{ "timerfds",		SOLO,	NOTHING,	3, timerfds },
	{ "timer_signals",	SOLO,	NOTHING,	3, timer_signals },
	{ "silent_timer",	SOLO,	NOTHING,	2, silent_timer },
	{ "interval",		CHILD,	NOTHING,	3, interval },
	{ "rings",		CHILD,	NOTHING,	2, rings },
	{ "spends",		CHILD,	NOTHING,	1, spends },
	{ "signal_times_out",	SOLO,	NOTHING,	3, signal_times_out },
	{ "receive_times_out",	SOLO,	A_SOCKET,	2, receive_times_out },
	{ "clocks",		SOLO,	NOTHING,	3, clocks },
	{ "interrupted",	CHILD,	A_PIPE,		3, interrupted },
};

const struct ops time_ops = { table, sizeof(table) / sizeof(*table) };
