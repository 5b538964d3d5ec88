// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: data is handed over under a mutex and a condition variable, used outside.
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *hand_over(void *arg)
{
	data = 42;
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	int got;

	pthread_create(&t, NULL, hand_over, NULL);
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	got = data++;
	pthread_join(t, NULL);
	return got != 42;
}
