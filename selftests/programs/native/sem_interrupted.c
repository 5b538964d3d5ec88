// SPDX-License-Identifier: GPL-2.0-only
/*
 * sem_wait(3) is taken for something that returns when the semaphore was posted. It also
 * returns when a handler has run, whatever SA_RESTART says where it is not given.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "window.h"

static pthread_t reader;
static sem_t loaded;
static int value;

static void on_usr1(int sig)
{
	(void)sig;
}

static void *load(void *arg)
{
	(void)arg;
	WINDOW();
	WINDOW();
	value = 1;
	sem_post(&loaded);
	return NULL;
}

static void *poke(void *arg)
{
	(void)arg;
	WINDOW();
	pthread_kill(reader, SIGUSR1);
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_usr1 };
	pthread_t threads[2];

	reader = pthread_self();
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&loaded, 0, 0);
	assert(!pthread_create(&threads[0], NULL, load, NULL));
	assert(!pthread_create(&threads[1], NULL, poke, NULL));
	while (sem_wait(&loaded) && IS_MENDED)
		assert(errno == EINTR);
	assert(value == 1);
	assert(!pthread_join(threads[0], NULL));
	assert(!pthread_join(threads[1], NULL));
	return 0;
}
