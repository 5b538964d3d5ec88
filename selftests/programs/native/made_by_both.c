// SPDX-License-Identifier: GPL-2.0-only
/*
 * A singleton is made by whoever asks for it first. Two may be first, and each goes on with
 * one of its own.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *registry;

static int *get_registry(void)
{
	int *mine;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (!registry) {
		mine = calloc(2, sizeof(*mine));
		assert(mine);
		WINDOW();
		registry = mine;
	}
	mine = registry;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return mine;
}

static void *enter(void *arg)
{
	get_registry()[(size_t)arg] = 1;
	return NULL;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, enter, (void *)0));
	enter((void *)1);
	assert(!pthread_join(thread, NULL));
	assert(registry[0] && registry[1]);
	free(registry);
	return 0;
}
