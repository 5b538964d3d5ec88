// SPDX-License-Identifier: GPL-2.0-only
/*
 * A spin lock of a program's own: it waits until the lock is free, and then stores that it is
 * taken. Two may see it free.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "window.h"

static atomic_int locked;
static int inside;

static void lock(void)
{
	if (IS_MENDED) {
		while (atomic_exchange(&locked, 1))
			sched_yield();
		return;
	}
	while (atomic_load(&locked))
		sched_yield();
	WINDOW();
	atomic_store(&locked, 1);
}

static void *enter(void *arg)
{
	(void)arg;
	lock();
	inside++;
	WINDOW();
	assert(inside == 1);
	inside--;
	atomic_store(&locked, 0);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, enter, NULL));
	enter(NULL);
	assert(!pthread_join(thread, NULL));
	return 0;
}
