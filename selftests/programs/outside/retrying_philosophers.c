// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two philosophers take their forks in opposite orders, and never wait for the second one: they
 * put down the first and begin again, for ever where both are equally fast. Each round needs a
 * preemption. Mended: both take the same fork first.
 *
 * source: Musuvathi, Qadeer, PLDI 2008, figure 1, with a yield
 * expect: verdict=livelock
 * kind: livelock
 */
#include <sched.h>

#include "outside.h"

static pthread_mutex_t fork1 = PTHREAD_MUTEX_INITIALIZER, fork2 = PTHREAD_MUTEX_INITIALIZER;

static void dine(pthread_mutex_t *first, pthread_mutex_t *second)
{
	for (;;) {
		pthread_mutex_lock(first);
		if (!pthread_mutex_trylock(second))
			break;
		pthread_mutex_unlock(first);
		sched_yield();
	}
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void sit_first(void)
{
	dine(&fork1, &fork2);
}

static void *sit_second(void *arg)
{
	if (IS_MENDED)
		dine(&fork1, &fork2);
	else
		dine(&fork2, &fork1);
	return arg;
}

int main(void)
{
	together(sit_first, sit_second);
	return 0;
}
