// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: a counter under a mutex.
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *increment(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, increment, NULL);
	increment(NULL);
	pthread_join(t, NULL);
	return count != 6;
}
