// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two mutexes, taken in opposite order.
 *
 * expect: verdict=deadlock preemptions=1
 * Each task must hold one mutex and want the other. A task holds only its first
 * one at exactly one point, the call that takes the second, and it is enabled
 * there: somebody has to be preempted. Once one is, the other blocks by itself.
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int balance[2];

static void *pay_back(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	balance[0]++;
	balance[1]--;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, pay_back, NULL);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	balance[0]--;
	balance[1]++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
	return 0;
}
