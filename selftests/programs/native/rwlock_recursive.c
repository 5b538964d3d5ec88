// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that holds a lock for reading calls another one that takes it for reading, too.
 * The lock prefers writers: one that has come in between waits for the first, and the second
 * waits for the writer.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <pthread.h>

#include "window.h"

static pthread_rwlock_t lock;
static int value;

static int read_value(void)
{
	int seen;

	pthread_rwlock_rdlock(&lock);
	seen = value;
	pthread_rwlock_unlock(&lock);
	return seen;
}

static void *write_value(void *arg)
{
	WINDOW();
	pthread_rwlock_wrlock(&lock);
	value++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_rwlockattr_t attr;
	pthread_t thread;
	int first;

	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&lock, &attr);
	assert(!pthread_create(&thread, NULL, write_value, NULL));
	pthread_rwlock_rdlock(&lock);
	first = value;
	WINDOW();
	WINDOW();
	assert((IS_MENDED ? value : read_value()) == first);
	pthread_rwlock_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
