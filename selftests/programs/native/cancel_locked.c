// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread writes to its log with the lock held. It may be cancelled there, and then the lock
 * stays taken.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fds[2];

static void unlock(void *mutex)
{
	if (IS_MENDED)
		pthread_mutex_unlock(mutex);
}

static void *work(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(unlock, &lock);
	WINDOW();
	WINDOW();
	assert(write(fds[1], "w", 1) == 1);
	pthread_cleanup_pop(0);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	assert(!pipe(fds));
	assert(!pthread_create(&thread, NULL, work, NULL));
	WINDOW();
	pthread_cancel(thread);
	assert(!pthread_join(thread, NULL));
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
