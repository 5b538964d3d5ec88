// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads take two locks in opposite order, a third one ticks for ever: the program
 * looks alive. Once both have their first lock no schedule saves them.
 *
 * expect: verdict=deadlock preemptions=0
 *
 * None is needed, as the barrier makes each wait until the other has its lock.
 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t in = PTHREAD_MUTEX_INITIALIZER, out = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *reader(void *arg)
{
	pthread_mutex_lock(&in);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&out);
	return arg;
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&out);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&in);
	return arg;
}

int main(void)
{
	struct timespec tick = { .tv_nsec = 10000000 };
	pthread_t t;

	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t, NULL, reader, NULL);
	pthread_create(&t, NULL, writer, NULL);
	for (;;)
		nanosleep(&tick, NULL);
}
