// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mutex in memory that processes share is one for the threads of one process: a waiter
 * for it in another process is not woken.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static void work(pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	WINDOW();
	pthread_mutex_unlock(lock);
}

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t *lock;
	int status;
	pid_t child;

	lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(lock != MAP_FAILED && !pthread_mutexattr_init(&attr));
	if (IS_MENDED)
		pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	assert(!pthread_mutex_init(lock, &attr));
	child = fork();
	assert(child >= 0);
	if (!child) {
		work(lock);
		_exit(0);
	}
	work(lock);
	assert(waitpid(child, &status, 0) == child && !status);
	return 0;
}
