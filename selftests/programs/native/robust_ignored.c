// SPDX-License-Identifier: GPL-2.0-only
/*
 * A robust mutex whose owner was killed is taken for one that was given back: nobody says that
 * what it guards is consistent, so it cannot be taken again.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static struct shared {
	pthread_mutex_t lock;
	int count;
} *shared;

static void init(void)
{
	pthread_mutexattr_t attr;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(shared != MAP_FAILED);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&shared->lock, &attr);
}

static void count(void)
{
	int error = pthread_mutex_lock(&shared->lock);

	if (error == EOWNERDEAD && IS_MENDED)
		error = pthread_mutex_consistent(&shared->lock);
	assert(!error || error == EOWNERDEAD);
	shared->count++;
	WINDOW();
	WINDOW();
	pthread_mutex_unlock(&shared->lock);
}

int main(void)
{
	pid_t child;

	init();
	child = fork();
	assert(child >= 0);
	if (!child) {
		count();
		_exit(0);
	}
	WINDOW();
	kill(child, SIGKILL);
	assert(waitpid(child, NULL, 0) == child);
	count();
	count();
	return 0;
}
