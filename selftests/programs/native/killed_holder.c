// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that takes too long is killed. If it has the lock that it shares with others
 * then, nobody ever gets it again; a robust one tells the next.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t *lock;
	pid_t child;
	int error;

	lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(lock != MAP_FAILED && !pthread_mutexattr_init(&attr));
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	if (IS_MENDED)
		pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	assert(!pthread_mutex_init(lock, &attr));
	child = fork();
	assert(child >= 0);
	if (!child) {
		pthread_mutex_lock(lock);
		WINDOW();
		pthread_mutex_unlock(lock);
		_exit(0);
	}
	INTO_WINDOW();
	assert(!kill(child, SIGKILL) && waitpid(child, NULL, 0) == child);
	error = pthread_mutex_lock(lock);
	assert(!error || error == EOWNERDEAD);
	return 0;
}
