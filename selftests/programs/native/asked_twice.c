// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code asks twice who it runs as: to choose what to do, and to write it down. Another thread gives
 * rights away in between, which the C library does for all threads by a signal.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#include "window.h"

#define NOBODY 65534

static pthread_mutex_t rights = PTHREAD_MUTEX_INITIALIZER;

static void *give_away(void *arg)
{
	(void)arg;
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&rights);
	assert(!seteuid(NOBODY));
	if (IS_MENDED)
		pthread_mutex_unlock(&rights);
	return NULL;
}

int main(void)
{
	uid_t chosen, written;
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, give_away, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&rights);
	chosen = geteuid();
	WINDOW();
	written = geteuid();
	if (IS_MENDED)
		pthread_mutex_unlock(&rights);
	assert(chosen == written);
	assert(!pthread_join(thread, NULL));
	return 0;
}
