// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads start a child each and wait for "a child", which may be the other's.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define SECOND ((void *)1L)

static void *run(void *code)
{
	pid_t child, got;
	int status;

	if (code == SECOND)
		INTO_WINDOW();
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit((long)code);
	if (code != SECOND)
		WINDOW();
	got = waitpid(IS_MENDED ? child : -1, &status, 0);
	assert(got == child && WEXITSTATUS(status) == (long)code);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, run, SECOND));
	run((void *)2L);
	assert(!pthread_join(thread, NULL));
	return 0;
}
