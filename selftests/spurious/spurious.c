// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits that may end without a wake-up: spurious WAY CHECK. A task waits until another one has set
 * ready, in one of the ways below, and aborts where it goes on without.
 *
 * CHECK if: it looks at ready once, and then waits. There is one signal, and none is sent
 * before it waits, so that it goes on too early only where no wake-up ended the wait. One that
 * says that its time is over is believed.
 * CHECK while: it looks again, and is right.
 * CHECK two: two of these wait, and one signal is sent for each: where one that woke up for
 * nothing leaves the condition variable in a state that takes a signal from the other, nobody
 * ends.
 * CHECK self: nobody is there who could wake it, and its time is not over: timed ways only.
 *
 * spurious.sh says what is expected.
 */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static mtx_t c11_lock;
static cnd_t c11_cond;
static struct timespec later;
static int ready;
static sem_t here;

static void take(void)
{
	pthread_mutex_lock(&lock);
}

static void give(void)
{
	pthread_mutex_unlock(&lock);
}

static void wake(void)
{
	pthread_cond_signal(&cond);
}

/* Each returns whether it was not for its time. */
static bool wait_cond(void)
{
	assert(!pthread_cond_wait(&cond, &lock));
	return true;
}

static bool wait_timed(void)
{
	int ret = pthread_cond_timedwait(&cond, &lock, &later);

	assert(!ret || ret == ETIMEDOUT);
	return !ret;
}

static bool wait_clock(void)
{
	int ret = pthread_cond_clockwait(&cond, &lock, CLOCK_MONOTONIC, &later);

	assert(!ret || ret == ETIMEDOUT);
	return !ret;
}

static void c11_take(void)
{
	mtx_lock(&c11_lock);
}

static void c11_give(void)
{
	mtx_unlock(&c11_lock);
}

static void c11_wake(void)
{
	cnd_signal(&c11_cond);
}

static bool wait_c11(void)
{
	assert(cnd_wait(&c11_cond, &c11_lock) == thrd_success);
	return true;
}

static bool wait_c11_timed(void)
{
	int ret = cnd_timedwait(&c11_cond, &c11_lock, &later);

	assert(ret == thrd_success || ret == thrd_timedout);
	return ret == thrd_success;
}

static void nothing(void)
{
}

static void wake_futex(void)
{
	syscall(SYS_futex, &ready, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static bool wait_futex(void)
{
	assert(!syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) ||
	       errno == EAGAIN);
	return true;
}

static bool wait_futex_timed(void)
{
	struct timespec long_time = { .tv_sec = 1000 };
	int ret = syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, &long_time, NULL, 0);

	assert(!ret || errno == EAGAIN || errno == ETIMEDOUT);
	return !ret || errno == EAGAIN;
}

static const struct way {
	const char *name;
	void (*take)(void);
	void (*give)(void);
	bool (*wait)(void);
	void (*wake)(void);
} ways[] = {
	{ "cond", take, give, wait_cond, wake },
	{ "timed", take, give, wait_timed, wake },
	{ "clock", take, give, wait_clock, wake },
	{ "c11", c11_take, c11_give, wait_c11, c11_wake },
	{ "c11timed", c11_take, c11_give, wait_c11_timed, c11_wake },
	{ "futex", nothing, nothing, wait_futex, wake_futex },
	{ "futextimed", nothing, nothing, wait_futex_timed, wake_futex },
};

static const struct way *way;

static void *work(void *arg)
{
	(void)arg;
	way->take();
	__atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
	way->wake();
	way->give();
	return NULL;
}

static void *wait_for_one(void *arg)
{
	(void)arg;
	way->take();
	sem_post(&here);
	while (!ready)
		way->wait();
	ready--;
	way->give();
	return NULL;
}

static void two(void)
{
	pthread_t task[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&task[i], NULL, wait_for_one, NULL);
	for (i = 0; i < 2; i++)
		sem_wait(&here);
	for (i = 0; i < 2; i++) {
		way->take();
		ready++;
		way->wake();
		way->give();
	}
	for (i = 0; i < 2; i++)
		pthread_join(task[i], NULL);
}

static bool is_ready(void)
{
	return __atomic_load_n(&ready, __ATOMIC_SEQ_CST);
}

int main(int argc, char **argv)
{
	pthread_t task;
	size_t i;

	for (i = 0; argc == 3 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			way = &ways[i];
	if (!way)
		return 2;
	mtx_init(&c11_lock, mtx_plain);
	cnd_init(&c11_cond);
	clock_gettime(strcmp(way->name, "clock") ? CLOCK_REALTIME : CLOCK_MONOTONIC, &later);
	later.tv_sec += 1000;
	if (!strcmp(argv[2], "two")) {
		two();
		return 0;
	}
	if (!strcmp(argv[2], "self")) {
		way->take();
		if (way->wait())
			abort();
		way->give();
		return 0;
	}
	pthread_create(&task, NULL, work, NULL);
	way->take();
	if (!strcmp(argv[2], "while"))
		while (!is_ready())
			way->wait();
	else if (!is_ready() && way->wait() && !is_ready())
		abort();
	way->give();
	pthread_join(task, NULL);
	return 0;
}
