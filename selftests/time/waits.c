// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits for long and looks at the clocks: each wait must take as long as was asked by
 * every clock, and no clock may go back. waits NAME [TICKS]; prints one line, exit 0
 * when all of it held. Correct with and without control, and under control the wait
 * takes no real time. time.sh runs it.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND	1000000000LL
#define HOUR	(3600 * SECOND)
#define DAY	(24 * HOUR)

static const clockid_t clocks[] = {
	CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI, CLOCK_MONOTONIC_RAW,
};
#define CLOCKS (sizeof(clocks) / sizeof(clocks[0]))

static long long start[CLOCKS], last[CLOCKS];
static const char *fault;

static void fail(const char *what)
{
	if (!fault)
		fault = what;
}

static long long now(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t))
		fail("a clock cannot be read");
	return t.tv_sec * SECOND + t.tv_nsec;
}

static void read_clocks(void)
{
	size_t i;

	for (i = 0; i < CLOCKS; i++) {
		long long t = now(clocks[i]);

		if (t < last[i])
			fail("a clock went back");
		last[i] = t;
		if (!start[i])
			start[i] = t;
	}
}

/*
 * Not less than asked, and no more than a hundredth too long; but what is short runs
 * without control too, where a busy machine may take its time.
 */
static void check_elapsed(long long asked)
{
	size_t i;

	read_clocks();
	for (i = 0; i < CLOCKS; i++) {
		if (last[i] - start[i] < asked)
			fail("less time passed than was asked for");
		if (asked >= 100 * SECOND && last[i] - start[i] > asked + asked / 100)
			fail("more time passed than was asked for");
	}
	printf("asked %lld s, elapsed %lld.%03lld s\n", asked / SECOND,
	       (last[1] - start[1]) / SECOND, (last[1] - start[1]) / 1000000 % 1000);
}

static struct timespec spec(long long ns)
{
	return (struct timespec){ .tv_sec = ns / SECOND, .tv_nsec = ns % SECOND };
}

/* The deadline is a day away, on either clock, and nobody signals. */
static long long wait_for_condition(int ticks)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_condattr_t attr;
	pthread_cond_t cond[2];
	struct timespec t;

	(void)ticks;
	pthread_condattr_init(&attr);
	pthread_cond_init(&cond[0], &attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&cond[1], &attr);
	pthread_mutex_lock(&lock);
	t = spec(now(CLOCK_REALTIME) + DAY);
	if (pthread_cond_timedwait(&cond[0], &lock, &t) != ETIMEDOUT)
		fail("the wait on CLOCK_REALTIME did not time out");
	t = spec(now(CLOCK_MONOTONIC) + DAY);
	if (pthread_cond_timedwait(&cond[1], &lock, &t) != ETIMEDOUT)
		fail("the wait on CLOCK_MONOTONIC did not time out");
	pthread_mutex_unlock(&lock);
	return 2 * DAY;
}

static void *signal_later(void *arg)
{
	pthread_cond_t *cond = arg;

	sleep(12 * 3600);
	pthread_cond_signal(cond);
	return NULL;
}

/* The signal comes at half of the time, by the clock of both threads. */
static long long wait_for_signal(int ticks)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec t = spec(now(CLOCK_REALTIME) + DAY);
	pthread_t thread;

	(void)ticks;
	pthread_mutex_lock(&lock);
	pthread_create(&thread, NULL, signal_later, &cond);
	if (pthread_cond_timedwait(&cond, &lock, &t))
		fail("the wait timed out before the signal");
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	return DAY / 2;
}

static long long sleep_an_hour(int ticks)
{
	(void)ticks;
	if (sleep(3600))
		fail("sleep ended early");
	return HOUR;
}

/* An event loop whose ticks are the time-outs of epoll_wait. */
static long long tick_by_epoll(int ticks)
{
	int epoll = epoll_create1(0), i;
	struct epoll_event e;

	for (i = 0; i < ticks; i++) {
		if (epoll_wait(epoll, &e, 1, 1000))
			fail("epoll_wait saw an event");
		read_clocks();
	}
	return ticks * SECOND;
}

/* One whose ticks are those of a timerfd. */
static long long tick_by_timerfd(int ticks)
{
	struct itimerspec every = { .it_value.tv_sec = 1, .it_interval.tv_sec = 1 };
	int epoll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
	struct epoll_event e = { .events = EPOLLIN };
	uint64_t count, sum = 0;

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &e) || timerfd_settime(timer, 0, &every, NULL))
		fail("no timer can be had");
	while (sum < (uint64_t)ticks && !fault) {
		if (epoll_wait(epoll, &e, 1, -1) != 1)
			fail("epoll_wait saw no event");
		if (read(timer, &count, sizeof(count)) != sizeof(count))
			fail("the timer did not go off");
		if (count != 1)
			fail("the timer went off more than once");
		sum += count;
		read_clocks();
	}
	return ticks * SECOND;
}

/* The same with a second thread that works on each tick. */
static int to_worker[2], from_worker[2];

static void *answer(void *arg)
{
	char c;

	while (read(to_worker[0], &c, 1) == 1 && write(from_worker[1], &c, 1) == 1)
		;
	return arg;
}

static long long tick_for_worker(int ticks)
{
	int epoll = epoll_create1(0), i;
	struct epoll_event e = { .events = EPOLLIN };
	pthread_t thread;
	char c = 0;

	if (pipe(to_worker) || pipe(from_worker) ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, from_worker[0], &e))
		fail("no pipe can be had");
	pthread_create(&thread, NULL, answer, NULL);
	for (i = 0; i < ticks; i++) {
		if (epoll_wait(epoll, &e, 1, 1000))
			fail("epoll_wait saw an event before the tick");
		if (write(to_worker[1], &c, 1) != 1 || epoll_wait(epoll, &e, 1, 1000) != 1 ||
		    read(from_worker[0], &c, 1) != 1)
			fail("the worker did not answer");
		read_clocks();
	}
	close(to_worker[1]);
	pthread_join(thread, NULL);
	return ticks * SECOND;
}

/* Ends only by what the other thread does, and never waits for that. */
static volatile int answered;

static void *answer_once(void *arg)
{
	char c;

	answered = read(to_worker[0], &c, 1) == 1;
	return arg;
}

static long long poll_until_answered(int ticks)
{
	struct pollfd p[2] = { { .events = POLLIN }, { .events = POLLIN } };
	pthread_t thread;
	char c = 0;

	if (pipe(to_worker) || pipe(from_worker))
		fail("no pipe can be had");
	p[0].fd = to_worker[0];
	p[1].fd = from_worker[0];
	pthread_create(&thread, NULL, answer_once, NULL);
	if (write(to_worker[1], &c, 1) != 1)
		fail("the pipe takes nothing");
	while (!answered)
		if (poll(&p[0], 1, answered ? 0 : 1) < 0 || poll(&p[1], 1, 0))
			fail("a poll of an empty pipe saw something");
	pthread_join(thread, NULL);
	return ticks * 0LL;
}

/* A loop of yields lets time pass, one tick after the other. */
static long long yield_until_ticks(int ticks)
{
	struct itimerspec every = { .it_value.tv_sec = 1, .it_interval.tv_sec = 1 };
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	uint64_t count, sum = 0;

	if (timerfd_settime(timer, 0, &every, NULL))
		fail("no timer can be had");
	while (sum < (uint64_t)ticks && !fault) {
		sched_yield();
		if (read(timer, &count, sizeof(count)) != sizeof(count))
			continue;
		if (count != 1)
			fail("the timer went off more than once");
		sum += count;
		read_clocks();
	}
	return ticks * SECOND;
}

static const struct {
	const char *name;
	long long (*wait)(int ticks);
} waits[] = {
	{ "sleep", sleep_an_hour },
	{ "condition", wait_for_condition },
	{ "signal", wait_for_signal },
	{ "epoll", tick_by_epoll },
	{ "timerfd", tick_by_timerfd },
	{ "worker", tick_for_worker },
	{ "poll", poll_until_answered },
	{ "yield", yield_until_ticks },
};

int main(int argc, char **argv)
{
	int ticks = argc > 2 ? atoi(argv[2]) : 1;
	size_t i;

	for (i = 0; i < sizeof(waits) / sizeof(waits[0]) && argc > 1; i++) {
		if (strcmp(waits[i].name, argv[1]))
			continue;
		read_clocks();
		check_elapsed(waits[i].wait(ticks));
		if (fault)
			printf("%s: %s\n", argv[1], fault);
		return !!fault;
	}
	fprintf(stderr, "usage: waits NAME [TICKS]\n");
	return 2;
}
