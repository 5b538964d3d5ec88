// SPDX-License-Identifier: GPL-2.0-only
/*
 * A segment of shared memory is detached while a thread that asked whether it is there is about to
 * write to it.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/shm.h>

#include "window.h"

#define SIZE	8192

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_open = true;
static char *bytes;

static void *use(void *unused)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (atomic_load(&is_open)) {
		WINDOW();
		bytes[SIZE - 1] = 1;
	}
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int segment;

	segment = shmget(IPC_PRIVATE, SIZE, 0600);
	assert(segment >= 0);
	bytes = shmat(segment, NULL, 0);
	assert(bytes != (char *)-1);
	shmctl(segment, IPC_RMID, NULL);
	bytes[SIZE - 1] = 3;
	assert(!pthread_create(&thread, NULL, use, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	atomic_store(&is_open, false);
	shmdt(bytes);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
