// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader takes what it needs from a pipe and goes away. A writer that has more, and has
 * not told the system that it can do without the signal, dies of SIGPIPE.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "window.h"

static int ends[2];

static void *head(void *arg)
{
	char line;

	(void)arg;
	assert(read(ends[0], &line, 1) == 1);
	close(ends[0]);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	if (IS_MENDED)
		signal(SIGPIPE, SIG_IGN);
	assert(!pipe(ends));
	assert(!pthread_create(&thread, NULL, head, NULL));
	assert(write(ends[1], "a", 1) == 1);
	WINDOW();
	assert(write(ends[1], "b", 1) == 1 || errno == EPIPE);
	assert(!pthread_join(thread, NULL));
	return 0;
}
