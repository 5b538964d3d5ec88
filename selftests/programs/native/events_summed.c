// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each job is announced by adding one to an eventfd. The worker takes a read of it for one
 * job, but gets the sum of all that were announced.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "window.h"

static int jobs;

static void *work(void *arg)
{
	uint64_t n;
	int done;

	(void)arg;
	WINDOW();
	for (done = 0; done < 2; done++)
		assert(read(jobs, &n, sizeof(n)) == sizeof(n));
	return NULL;
}

int main(void)
{
	const uint64_t one = 1;
	pthread_t thread;

	jobs = eventfd(0, IS_MENDED ? EFD_SEMAPHORE : 0);
	assert(jobs >= 0);
	assert(!pthread_create(&thread, NULL, work, NULL));
	assert(write(jobs, &one, sizeof(one)) == sizeof(one));
	assert(write(jobs, &one, sizeof(one)) == sizeof(one));
	assert(!pthread_join(thread, NULL));
	return 0;
}
