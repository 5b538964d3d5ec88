// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lock made of a flag: whoever sees it clear sets it, and yields otherwise. Two may have
 * seen it clear.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "window.h"

static volatile bool busy;
static volatile int inside;

static void take(void)
{
	if (IS_MENDED) {
		while (__atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE))
			sched_yield();
		return;
	}
	while (busy)
		sched_yield();
	WINDOW();
	busy = true;
}

static void *work(void *arg)
{
	take();
	inside++;
	WINDOW();
	assert(inside == 1);
	inside--;
	__atomic_store_n(&busy, false, __ATOMIC_RELEASE);
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
