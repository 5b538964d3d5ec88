// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two philosophers who never block while they hold a fork: whoever finds the other fork
 * taken puts its own down and begins again (Musuvathi and Qadeer, PLDI'08, figure 1). No
 * call says that they wait: that is seen when they try the fork again.
 *
 * expect: verdict=livelock preemptions=1
 * kind: livelock
 * options: --yield-trylock
 * The first must be left between its forks, which is the preemption. The other takes the
 * second fork, does not get the first, and tries again with its own in hand: a yield. From
 * then on each finds the fork of the other taken.
 */
#include <pthread.h>

static pthread_mutex_t forks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int seat[2] = { 0, 1 };

static void *dine(void *arg)
{
	int i = *(int *)arg;

	pthread_mutex_lock(&forks[i]);
	while (pthread_mutex_trylock(&forks[1 - i])) {
		pthread_mutex_unlock(&forks[i]);
		pthread_mutex_lock(&forks[i]);
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
