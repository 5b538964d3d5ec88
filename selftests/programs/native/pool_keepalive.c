// SPDX-License-Identifier: GPL-2.0-only
/*
 * An idle worker of a pool goes away when nothing has come for a while. Whoever submits a job
 * counts on a worker that is there; its wait may be over by time all the same, and the
 * time-out is believed without another look at the queue.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t submitted = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
static pthread_t threads[2];
static int started, workers, jobs, done;

static void *work(void *arg)
{
	struct timespec until;
	int error = 0;

	(void)arg;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 80000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (!jobs && !error)
		error = pthread_cond_timedwait(&submitted, &lock, &until);
	if (IS_MENDED ? jobs : !error) {
		jobs--;
		done = 1;
		pthread_cond_signal(&finished);
	}
	workers--;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void start(void)
{
	workers++;
	assert(!pthread_create(&threads[started++], NULL, work, NULL));
}

int main(void)
{
	pthread_mutex_lock(&lock);
	start();
	pthread_mutex_unlock(&lock);
	WINDOW();
	pthread_mutex_lock(&lock);
	WINDOW();
	jobs++;
	if (workers)
		pthread_cond_signal(&submitted);
	else
		start();
	while (!done)
		pthread_cond_wait(&finished, &lock);
	pthread_mutex_unlock(&lock);
	while (started)
		assert(!pthread_join(threads[--started], NULL));
	return 0;
}
