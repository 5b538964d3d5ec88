// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread waits for a flag, and looks at the copy it made of it (Musuvathi and Qadeer,
 * PLDI'08, figure 8 has such a loop from a real library).
 *
 * expect: verdict=livelock preemptions=1
 * kind: livelock
 * The copy must be made before the flag is set: main is left at its lock.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool ready;

static void *wait_for_it(void *arg)
{
	bool copy = ready;

	while (!copy)
		sched_yield();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait_for_it, NULL);
	pthread_mutex_lock(&lock);
	ready = true;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
