// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two users of an object drop their references. The count is atomic, but it is decremented
 * in one step and looked at in the next: both may find that nobody is left, and both free.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

static atomic_int users = 2;
static char *object;

static void put(void)
{
	int left;

	if (IS_MENDED) {
		left = atomic_fetch_sub(&users, 1) - 1;
	} else {
		atomic_fetch_sub(&users, 1);
		WINDOW();
		left = atomic_load(&users);
	}
	if (!left)
		free(object);
}

static void *use(void *arg)
{
	object[(size_t)arg] = 1;
	put();
	return NULL;
}

int main(void)
{
	pthread_t thread;

	object = malloc(2000);
	assert(object);
	memset(object, 0, 2000);
	assert(!pthread_create(&thread, NULL, use, (void *)1));
	use(NULL);
	assert(!pthread_join(thread, NULL));
	return 0;
}
