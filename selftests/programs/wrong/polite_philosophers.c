// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two philosophers who never block while they hold a fork: whoever finds the other fork
 * taken lets the other one go on, puts its own fork down and begins again. It lets go
 * too late.
 *
 * expect: verdict=livelock preemptions=1
 * kind: livelock
 * The first must be left between its forks, which is the preemption. The other takes
 * the second fork, does not get the first, and yields with its own in hand. From then on
 * each finds the fork of the other taken.
 */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t forks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int seat[2] = { 0, 1 };

static void *dine(void *arg)
{
	int i = *(int *)arg;

	for (;;) {
		pthread_mutex_lock(&forks[i]);
		if (!pthread_mutex_trylock(&forks[1 - i]))
			break;
		sched_yield();
		pthread_mutex_unlock(&forks[i]);
	}
	pthread_mutex_unlock(&forks[1 - i]);
	pthread_mutex_unlock(&forks[i]);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, dine, &seat[1]);
	dine(&seat[0]);
	pthread_join(t, NULL);
	return 0;
}
