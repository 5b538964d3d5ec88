// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs in which a short sleep orders threads, or a long time-out is one that is meant to
 * pass only if something hangs: late WHAT. late.sh says what is expected of them.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile int done;
static sem_t posted;

static struct timespec in_ms(long ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += ms % 1000 * 1000000;
	t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void *work(void *arg)
{
	getppid();
	done = 1;
	return arg;
}

static void *wait_for_long(void *arg)
{
	struct timespec end = in_ms(5000);

	assert(!sem_timedwait(&posted, &end));
	return arg;
}

/* Ten milliseconds are enough for the worker, are they not? */
static void nap(void)
{
	pthread_t t, u;

	pthread_create(&u, NULL, wait_for_long, NULL);
	pthread_create(&t, NULL, work, NULL);
	usleep(10000);
	assert(done);
	sem_post(&posted);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

static void *post(void *arg)
{
	usleep(1000);
	sem_post(&posted);
	return arg;
}

/* Five seconds are the time limit of a test. */
static void limit(void)
{
	pthread_t t;

	pthread_create(&t, NULL, post, NULL);
	wait_for_long(NULL);
	pthread_join(t, NULL);
}

/* The first tick comes in three seconds, the others soon after it. */
static void tick(void)
{
	const struct itimerspec its = { .it_value.tv_sec = 3, .it_interval.tv_nsec = 1000000 };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	pthread_t t;
	uint64_t n;

	timerfd_settime(fd, 0, &its, NULL);
	assert(read(fd, &n, sizeof(n)) == sizeof(n));
	pthread_create(&t, NULL, work, NULL);
	assert(read(fd, &n, sizeof(n)) == sizeof(n));
	assert(done);
	pthread_join(t, NULL);
}

/* It is set far ahead: no worker needs as long. */
static void alarm_clock(void)
{
	const struct itimerspec its = { .it_value.tv_sec = 3 };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	pthread_t t;
	uint64_t n;

	pthread_create(&t, NULL, work, NULL);
	timerfd_settime(fd, 0, &its, NULL);
	assert(read(fd, &n, sizeof(n)) == sizeof(n));
	assert(done);
	pthread_join(t, NULL);
}

static void *yield(void *arg)
{
	while (!done)
		sched_yield();
	return arg;
}

/* Two take turns in yielding until a third one has waited for its time. */
static void spin(void)
{
	struct timespec end = in_ms(2);
	pthread_t t, u;

	pthread_create(&t, NULL, yield, NULL);
	pthread_create(&u, NULL, yield, NULL);
	assert(sem_timedwait(&posted, &end) < 0);
	done = 1;
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*what)(void);
	} all[] = {
		{ "nap", nap }, { "limit", limit }, { "tick", tick }, { "alarm", alarm_clock },
		{ "spin", spin },
	};
	size_t i;

	sem_init(&posted, 0, 0);
	for (i = 0; argc == 2 && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(argv[1], all[i].name))
			continue;
		all[i].what();
		return 0;
	}
	return 2;
}
