// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread sleeps for a while so that main has time to read the configuration.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "window.h"

static sem_t ready;
static int fds[2];
static char config;

static void *serve(void *arg)
{
	(void)arg;
	if (IS_MENDED)
		sem_wait(&ready);
	else
		usleep(20000);
	assert(config == 'c');
	return NULL;
}

int main(void)
{
	pthread_t thread;

	sem_init(&ready, 0, 0);
	assert(!pipe(fds) && write(fds[1], "c", 1) == 1);
	assert(!pthread_create(&thread, NULL, serve, NULL));
	WINDOW();
	assert(read(fds[0], &config, 1) == 1);
	sem_post(&ready);
	assert(!pthread_join(thread, NULL));
	return 0;
}
