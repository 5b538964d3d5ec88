// SPDX-License-Identifier: GPL-2.0-only
/*
 * A consumer looks for items with sem_trywait, then whether the producer has
 * closed, in that order: what comes in between is never fetched.
 *
 * expect: verdict=assert preemptions=1
 * The item must be posted and the queue closed after a failed try and before the
 * look at `closed`. Main is enabled in between; it blocks only when it found the
 * queue open.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t items, wake;
static int closed;

static void *produce(void *arg)
{
	sem_post(&items);
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_mutex_unlock(&lock);
	sem_post(&wake);
	return arg;
}

static int is_closed(void)
{
	int yes;

	pthread_mutex_lock(&lock);
	yes = closed;
	pthread_mutex_unlock(&lock);
	return yes;
}

int main(void)
{
	pthread_t t;
	int fetched = 0;

	sem_init(&items, 0, 0);
	sem_init(&wake, 0, 0);
	pthread_create(&t, NULL, produce, NULL);
	for (;;) {
		if (!sem_trywait(&items))
			fetched++;
		else if (is_closed())
			break;
		else
			sem_wait(&wake);
	}
	pthread_join(t, NULL);
	assert(fetched == 1);
	return 0;
}
