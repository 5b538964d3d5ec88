// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that are created without attributes are to have large stacks. A thread says that it has
 * set the library up before it has set that, too.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#include "window.h"

#define LARGE	(16UL << 20)

static sem_t ready;

static void *measure(void *size)
{
	pthread_attr_t mine;

	assert(!pthread_getattr_np(pthread_self(), &mine));
	assert(!pthread_attr_getstacksize(&mine, size));
	assert(!pthread_attr_destroy(&mine));
	return NULL;
}

static void ask_for_large(void)
{
	pthread_attr_t large;

	assert(!pthread_attr_init(&large) && !pthread_attr_setstacksize(&large, LARGE));
	assert(!pthread_setattr_default_np(&large));
	assert(!pthread_attr_destroy(&large));
}

static void *start(void *unused)
{
	if (IS_MENDED)
		ask_for_large();
	assert(!sem_post(&ready));
	WINDOW();
	if (!IS_MENDED)
		ask_for_large();
	return unused;
}

int main(void)
{
	pthread_t starter, thread;
	size_t size;

	assert(!sem_init(&ready, 0, 0));
	assert(!pthread_create(&starter, NULL, start, NULL));
	assert(!sem_wait(&ready));
	INTO_WINDOW();
	assert(!pthread_create(&thread, NULL, measure, &size));
	assert(!pthread_join(thread, NULL));
	assert(!pthread_join(starter, NULL));
	return size >= LARGE ? 0 : 1;
}
