// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workers look by themselves whether they are to stop, and meet at a barrier after each round.
 * One that is told to stop leaves, and another one that had looked before waits for it.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#include "window.h"

#define WORKERS	2
#define ROUNDS	2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t round_over;
static pthread_t threads[WORKERS];
static bool stop, leave;

static bool is_stopped(void)
{
	bool is;

	pthread_mutex_lock(&lock);
	is = stop;
	pthread_mutex_unlock(&lock);
	return is;
}

static bool meet(bool is_slow)
{
	if (is_slow) {
		WINDOW();
		WINDOW();
	}
	if (!IS_MENDED) {
		if (is_stopped())
			return false;
		pthread_barrier_wait(&round_over);
		return true;
	}
	/* One of them looks for all. */
	if (pthread_barrier_wait(&round_over) == PTHREAD_BARRIER_SERIAL_THREAD)
		leave = is_stopped();
	pthread_barrier_wait(&round_over);
	return !leave;
}

static void *work(void *arg)
{
	const pthread_t *me = arg;
	int i;

	for (i = 0; i < ROUNDS && meet(me == threads + 1); i++)
		;
	return NULL;
}

int main(void)
{
	int i;

	pthread_barrier_init(&round_over, NULL, WORKERS);
	for (i = 0; i < WORKERS; i++)
		assert(!pthread_create(&threads[i], NULL, work, threads + i));
	WINDOW();
	pthread_mutex_lock(&lock);
	stop = true;
	pthread_mutex_unlock(&lock);
	for (i = 0; i < WORKERS; i++)
		assert(!pthread_join(threads[i], NULL));
	return 0;
}
