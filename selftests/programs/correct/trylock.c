// SPDX-License-Identifier: GPL-2.0-only
/*
 * Main takes the mutex if it is free and does without it otherwise.
 *
 * expect: verdict=ok runs=1,6,21
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	int mine = 0;

	pthread_create(&t, NULL, work, NULL);
	for (int i = 0; i < 2; i++) {
		if (pthread_mutex_trylock(&lock))
			continue;
		count++;
		mine++;
		pthread_mutex_unlock(&lock);
	}
	pthread_join(t, NULL);
	assert(count == mine + 1);
	return 0;
}
