// SPDX-License-Identifier: GPL-2.0-only
/*
 * A barrier of a counter again, between rounds that take time. A fast thread is in it for the
 * second time before the slow one has seen it empty, and both yield for ever. Searches by chance
 * come there first, with thousands of preemptions that change nothing.
 *
 * expect: verdict=livelock preemptions=1
 * kind: livelock
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "window.h"

#define TASKS	2
#define ROUNDS	2

static atomic_int arrived, meetings;

static void meet(void)
{
	int meeting = meetings;

	if (atomic_fetch_add(&arrived, 1) == TASKS - 1) {
		arrived = 0;
		meetings++;
		return;
	}
	while (IS_MENDED ? meetings == meeting : arrived) {
		WINDOW();
		sched_yield();
	}
}

static void *work(void *unused)
{
	int round;

	(void)unused;
	for (round = 0; round < ROUNDS; round++) {
		usleep(2000);
		meet();
	}
	return NULL;
}

int main(void)
{
	pthread_t task[TASKS];
	int i;

	for (i = 0; i < TASKS; i++)
		assert(!pthread_create(&task[i], NULL, work, NULL));
	for (i = 0; i < TASKS; i++)
		assert(!pthread_join(task[i], NULL));
	return 0;
}
