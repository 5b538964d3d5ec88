// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker that looks again and again whether it may end, and neither yields nor sleeps
 * (PLDI'08, figure 7). Main waits for it politely. The worker believes what it saw at
 * its start.
 *
 * expect: verdict=livelock preemptions=1
 * kind: good-samaritan
 * The worker must start before main has set the flag: main is left at its lock. Then main
 * waits for ever, and the worker uses up the processor though main could go on: it breaks
 * the good samaritan rule.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool started, ended;

static void *work(void *arg)
{
	bool seen = started;

	do {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	} while (!seen);
	ended = true;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&lock);
	started = true;
	pthread_mutex_unlock(&lock);
	while (!ended)
		sched_yield();
	pthread_join(t, NULL);
	return 0;
}
