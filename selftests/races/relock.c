// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread waits on a condition, another one signals it and takes the mutex again, and so does
 * main(): two of them may wait for the mutex, and one of the two has been woken before.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *consume(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *produce(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	ready = true;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t consumer, producer;

	assert(!pthread_create(&consumer, NULL, consume, NULL));
	assert(!pthread_create(&producer, NULL, produce, NULL));
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	assert(!pthread_join(consumer, NULL));
	assert(!pthread_join(producer, NULL));
	return 0;
}
