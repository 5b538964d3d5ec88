// SPDX-License-Identifier: GPL-2.0-only
/*
 * A shared counter, as in every introduction: a load, an addition, a store.
 *
 * expect: verdict=assert preemptions=1
 * The schedule: one task is preempted between its load and its store, and the other one
 * counts. One preemption, as a task that is not left counts at once.
 */
#include <assert.h>
#include <pthread.h>

static int count;

static void *increment(void *arg)
{
	count++;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, increment, NULL);
	increment(NULL);
	pthread_join(t, NULL);
	assert(count == 2);
	return 0;
}
