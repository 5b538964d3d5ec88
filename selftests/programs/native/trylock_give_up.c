// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lock that is tried three times and then taken for granted.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;

static int enter(void)
{
	int tries;

	for (tries = 0; tries < 3; tries++) {
		if (!pthread_mutex_trylock(&lock))
			return 1;
		sched_yield();
	}
	return IS_MENDED ? !pthread_mutex_lock(&lock) : 0;
}

static void *work(void *arg)
{
	int is_mine = enter();

	assert(++users == 1);
	WINDOW();
	users--;
	if (is_mine)
		pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, work, NULL));
	work(NULL);
	assert(!pthread_join(thread, NULL));
	return 0;
}
