// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread says that it is up and then has a function called at exit(), which may have begun by
 * then: what the function was to do is not done.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "window.h"

static sem_t up;
static int saved;

static void save(void)
{
	saved = 1;
}

/* It is called last, as it was the first. */
static void check(void)
{
	if (!saved)
		_exit(1);
}

static void *serve(void *unused)
{
	if (IS_MENDED)
		assert(!atexit(save));
	assert(!sem_post(&up));
	WINDOW();
	if (!IS_MENDED)
		assert(!atexit(save));
	return unused;
}

int main(void)
{
	pthread_t thread;

	assert(!atexit(check) && !sem_init(&up, 0, 0));
	assert(!pthread_create(&thread, NULL, serve, NULL));
	assert(!sem_wait(&up));
	INTO_WINDOW();
	return 0;
}
