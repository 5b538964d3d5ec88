// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker that spins on a plain variable, without any call, and looks at the copy it
 * made of it. Main waits for it politely.
 *
 * expect: verdict=livelock preemptions=1
 * kind: good-samaritan
 * The copy must be made before the flag is set: main is left at its lock. Only the end of
 * its quantum takes the processor from the worker, again and again: it breaks the good
 * samaritan rule.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool started, ended;
static volatile unsigned long spins;

static __attribute__((noinline)) void wait_until(const bool *seen)
{
	while (!*seen)
		spins++;
}

static void *work(void *arg)
{
	bool seen = started;

	wait_until(&seen);
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
