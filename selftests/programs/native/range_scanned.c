// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread reads a range from a line of a configuration, which moves it up; another one uses the
 * range meanwhile, and takes its upper end from before and its lower end from after.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#include "window.h"

static int low = 1, high = 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *configure(void *line)
{
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(sscanf(line, "range %d %d", &low, &high) == 2);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int first, last;

	assert(!pthread_create(&thread, NULL, configure, "range 5 9"));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	last = *(volatile int *)&high;
	WINDOW();
	first = *(volatile int *)&low;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(first < last);
	assert(!pthread_join(thread, NULL));
	return 0;
}
