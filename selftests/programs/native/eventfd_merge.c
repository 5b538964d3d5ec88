// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each job is one write to an eventfd, and each read of it is taken for one job. Two that come
 * before the worker looks are read at once.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include "window.h"

#define JOBS	2

static int jobs;

static void *work(void *arg)
{
	eventfd_t count;
	int done;

	(void)arg;
	for (done = 0; done < JOBS; done++) {
		WINDOW();
		assert(!eventfd_read(jobs, &count));
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int i;

	jobs = eventfd(0, IS_MENDED ? EFD_SEMAPHORE : 0);
	assert(jobs >= 0);
	assert(!pthread_create(&thread, NULL, work, NULL));
	for (i = 0; i < JOBS; i++)
		assert(!eventfd_write(jobs, 1));
	assert(!pthread_join(thread, NULL));
	return 0;
}
