// SPDX-License-Identifier: GPL-2.0-only
/*
 * To increment an item its value is fetched under the lock, and the sum is stored under the
 * lock, which is given back in between: one of two increments may be lost.
 *
 * source: memcached #127; RADBench, HotPar 2011
 * expect: verdict=assert
 */
#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item;

static void increment(void)
{
	int value;

	pthread_mutex_lock(&lock);
	value = item;
	if (!IS_MENDED) {
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
	}
	item = value + 1;
	pthread_mutex_unlock(&lock);
}

static void *others(void *arg)
{
	(void)arg;
	increment();
	return NULL;
}

int main(void)
{
	together(increment, others);
	assert(item == 2);
	return 0;
}
