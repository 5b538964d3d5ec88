// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread waits for a child, another kills it when it is no longer wanted. The pid may
 * be nobody's by then, or somebody else's.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t child;
static int is_running = 1;

static void *stop(void *arg)
{
	int is_wanted;

	(void)arg;
	pthread_mutex_lock(&lock);
	is_wanted = is_running;
	if (!IS_MENDED)
		pthread_mutex_unlock(&lock);
	WINDOW();
	if (is_wanted)
		assert(!kill(child, SIGTERM));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	siginfo_t info;
	pthread_t thread;

	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(0);
	assert(!pthread_create(&thread, NULL, stop, NULL));
	INTO_WINDOW();
	/* It is a zombie, and keeps its pid, until it is reaped. */
	assert(!waitid(P_PID, child, &info, WEXITED | WNOWAIT));
	pthread_mutex_lock(&lock);
	is_running = 0;
	assert(waitpid(child, NULL, 0) == child);
	pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
