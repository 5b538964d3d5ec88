// SPDX-License-Identifier: GPL-2.0-only
/*
 * `if` instead of `while` around a condition wait: between the signal and the
 * waiter's return another task takes the item.
 *
 * expect: verdict=assert preemptions=1
 * Main has to be woken while there is nothing left. Without a preemption the
 * producer puts both items before anybody else runs, and the poller takes one of
 * them at most. It must be left between its two puts, where it is enabled.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;

static void *produce(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		items++;
		pthread_cond_signal(&not_empty);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *poll_once(void *arg)
{
	pthread_mutex_lock(&lock);
	if (items)
		items--;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t producer, poller;

	pthread_create(&producer, NULL, produce, NULL);
	pthread_create(&poller, NULL, poll_once, NULL);
	pthread_mutex_lock(&lock);
	if (!items)
		pthread_cond_wait(&not_empty, &lock);
	assert(items > 0);
	items--;
	pthread_mutex_unlock(&lock);
	pthread_join(producer, NULL);
	pthread_join(poller, NULL);
	return 0;
}
