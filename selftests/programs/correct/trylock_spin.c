// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whoever finds the mutex taken tries again, and never says that it waits. The holder
 * reaches a point in the middle, so the other does find it taken.
 *
 * expect: verdict=ok runs=3,24,135
 * options: --yield-trylock
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *arg)
{
	while (pthread_mutex_trylock(&lock))
		;
	sum++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, add, NULL);
	pthread_create(&t[1], NULL, add, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(sum == 2);
	return 0;
}
