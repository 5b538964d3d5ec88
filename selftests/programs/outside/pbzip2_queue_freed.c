// SPDX-License-Identifier: GPL-2.0-only
/*
 * Main is done when the last block was written, and takes the queue down. The consumer has
 * yet to unlock the mutex in it.
 *
 * source: pbzip2 0.9.4; Yu and Narayanasamy, ISCA 2009
 * expect: verdict=crash
 */
#include <stdbool.h>

#include "outside.h"

struct queue {
	pthread_mutex_t *lock;
	int blocks;
};

static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static struct queue queue = { .blocks = 1 };
static bool is_written;

static void *consume(void *arg)
{
	(void)arg;
	pthread_mutex_lock(queue.lock);
	queue.blocks--;
	pthread_mutex_lock(&done_lock);
	is_written = true;
	pthread_cond_signal(&done);
	pthread_mutex_unlock(&done_lock);
	pthread_mutex_unlock(queue.lock);
	return NULL;
}

int main(void)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_t thread;

	queue.lock = &lock;
	assert(!pthread_create(&thread, NULL, consume, NULL));
	pthread_mutex_lock(&done_lock);
	while (!is_written)
		pthread_cond_wait(&done, &done_lock);
	pthread_mutex_unlock(&done_lock);
	if (IS_MENDED)
		assert(!pthread_join(thread, NULL));
	queue.lock = NULL;
	if (!IS_MENDED)
		assert(!pthread_join(thread, NULL));
	return 0;
}
