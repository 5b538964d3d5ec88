// SPDX-License-Identifier: GPL-2.0-only
/* A plug-in whose two threads take two mutexes, in different order. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter;

void *work(void *arg);
int end(void);

void *work(void *arg)
{
	pthread_mutex_t *first = &a, *second = &b;

#ifndef RIGHT
	if (!arg) {
		first = &b;
		second = &a;
	}
#endif
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	counter++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return arg;
}

int end(void)
{
	return counter;
}
