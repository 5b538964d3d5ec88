// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads wait for the same flag and are woken by one broadcast.
 *
 * expect: verdict=ok runs=3,53,462
 * any: runs=3,59,527
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static int go;

static void *wait_for_go(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!go)
		pthread_cond_wait(&started, &lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, wait_for_go, NULL);
	pthread_create(&b, NULL, wait_for_go, NULL);
	pthread_mutex_lock(&lock);
	go = 1;
	pthread_cond_broadcast(&started);
	pthread_mutex_unlock(&lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
