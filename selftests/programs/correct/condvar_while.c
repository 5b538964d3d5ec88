// SPDX-License-Identifier: GPL-2.0-only
/*
 * A consumer waits for a flag with `while` around the condition wait.
 *
 * expect: verdict=ok runs=1,5,16
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int value;

static void *consume(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!value)
		pthread_cond_wait(&ready, &lock);
	assert(value == 7);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, consume, NULL);
	pthread_mutex_lock(&lock);
	value = 7;
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
