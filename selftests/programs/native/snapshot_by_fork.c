// SPDX-License-Identifier: GPL-2.0-only
/*
 * A database forks to have a child save what was in memory at that moment. It does not take
 * the lock for that, and a thread may be in the middle of a transfer.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int savings = 100, current = 100;

static void *transfer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	savings -= 10;
	WINDOW();
	current += 10;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int status;
	pid_t child;

	assert(!pthread_create(&thread, NULL, transfer, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(savings + current != 200);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(waitpid(child, &status, 0) == child);
	assert(!pthread_join(thread, NULL));
	return WEXITSTATUS(status);
}
