// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server wants SIGTERM at its sigwait(3) only, and blocks it; but the thread that sends
 * it is there already, and what comes before the mask ends the process.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

#include "window.h"

static pthread_t server;

static void *quit(void *arg)
{
	(void)arg;
	pthread_kill(server, SIGTERM);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	sigset_t set;
	int sig;

	server = pthread_self();
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	if (IS_MENDED)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	assert(!pthread_create(&thread, NULL, quit, NULL));
	WINDOW();
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	assert(!sigwait(&set, &sig));
	assert(sig == SIGTERM);
	assert(!pthread_join(thread, NULL));
	return 0;
}
