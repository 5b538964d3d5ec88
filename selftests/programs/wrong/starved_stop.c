// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker gives way while it holds the lock, and takes it again as soon as it gave it
 * back. A task that wants to stop it needs that lock: it is woken each time, and each time too
 * late.
 *
 * expect: verdict=livelock preemptions=1
 * kind: starvation
 * Main must be left at its lock until the worker has it. Then main has its turn in each
 * round, but only where the lock is taken: it starves, and the rounds go on for ever.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool stop;

static void *work(void *arg)
{
	bool stopped = false;

	while (!stopped) {
		pthread_mutex_lock(&lock);
		sched_yield();
		stopped = stop;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&lock);
	stop = true;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
