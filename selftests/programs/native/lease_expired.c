// SPDX-License-Identifier: GPL-2.0-only
/*
 * A job is done by whoever has its lease. When the lease has run out the standby does the job;
 * the first one may be slow and not dead, and does not look whether the lease is still its own.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "window.h"

enum { FIRST, STANDBY };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t released;
static int owner = FIRST, commits;

static void commit(int me)
{
	pthread_mutex_lock(&lock);
	if (!IS_MENDED || (owner == me && !commits))
		commits++;
	pthread_mutex_unlock(&lock);
}

static void *first(void *arg)
{
	(void)arg;
	WINDOW();
	commit(FIRST);
	sem_post(&released);
	return NULL;
}

static void take_over(void)
{
	pthread_mutex_lock(&lock);
	owner = STANDBY;
	pthread_mutex_unlock(&lock);
	commit(STANDBY);
}

int main(void)
{
	struct timespec until;
	pthread_t thread;

	sem_init(&released, 0, 0);
	assert(!pthread_create(&thread, NULL, first, NULL));
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 20000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	if (sem_timedwait(&released, &until))
		take_over();
	assert(!pthread_join(thread, NULL));
	assert(commits == 1);
	return 0;
}
