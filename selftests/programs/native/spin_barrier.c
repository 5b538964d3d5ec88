// SPDX-License-Identifier: GPL-2.0-only
/*
 * A barrier of a counter: the last to arrive sets it to zero, for which the others wait. One
 * that is slow to look finds somebody counted in it for the next meeting already.
 *
 * expect: verdict=livelock
 * kind: livelock
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#include "window.h"

#define TASKS	2

static int arrived, meetings;

static void meet(void)
{
	int meeting = __atomic_load_n(&meetings, __ATOMIC_ACQUIRE);

	if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == TASKS) {
		__atomic_store_n(&arrived, 0, __ATOMIC_RELEASE);
		__atomic_add_fetch(&meetings, 1, __ATOMIC_RELEASE);
		return;
	}
	while (IS_MENDED ? __atomic_load_n(&meetings, __ATOMIC_ACQUIRE) == meeting :
			   __atomic_load_n(&arrived, __ATOMIC_ACQUIRE) != 0) {
		sched_yield();
		WINDOW();
	}
}

static void *work(void *arg)
{
	meet();
	meet();
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
