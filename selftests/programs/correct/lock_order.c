// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two mutexes, taken by both tasks in the same order.
 *
 * expect: verdict=ok runs=1,6,22
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	count++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	assert(count == 2);
	return 0;
}
