// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker notes when it began. The main thread notes when it began to wait for that, and takes the
 * difference for how long the worker needed to begin, which is negative if the worker was quick.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "window.h"

static sem_t is_asked;
static long long began;

static long long now(void)
{
	struct timespec t;

	assert(!clock_gettime(CLOCK_MONOTONIC, &t));
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *work(void *arg)
{
	(void)arg;
	if (IS_MENDED)
		assert(!sem_wait(&is_asked));
	began = now();
	return NULL;
}

int main(void)
{
	pthread_t thread;
	long long asked;

	assert(!sem_init(&is_asked, 0, 0));
	assert(!pthread_create(&thread, NULL, work, NULL));
	WINDOW();
	asked = now();
	assert(!sem_post(&is_asked));
	assert(!pthread_join(thread, NULL));
	assert(began >= asked);
	return 0;
}
