// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three dining philosophers; each takes the left fork, then the right one.
 *
 * expect: verdict=deadlock preemptions=1
 * All three must hold their left fork. The first to take one finds its right fork
 * free, so it is enabled there and must be preempted. One is enough: the one on
 * its left takes its own left fork and blocks at the right one, which is held, and
 * the third, chosen then, takes its left fork and blocks as well.
 */
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
static int seat[SEATS] = { 0, 1, 2 };
static int meals[SEATS];

static void *dine(void *arg)
{
	int i = *(int *)arg;

	pthread_mutex_lock(&forks[i]);
	pthread_mutex_lock(&forks[(i + 1) % SEATS]);
	meals[i]++;
	pthread_mutex_unlock(&forks[(i + 1) % SEATS]);
	pthread_mutex_unlock(&forks[i]);
	return arg;
}

int main(void)
{
	pthread_t t[SEATS];

	for (int i = 1; i < SEATS; i++)
		pthread_create(&t[i], NULL, dine, &seat[i]);
	dine(&seat[0]);
	for (int i = 1; i < SEATS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
