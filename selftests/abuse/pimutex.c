// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three threads and a mutex with priority inheritance. Hard: the kernel boosts and hands over.
 */
#include "abuse.h"

static pthread_mutex_t inherits;
static int n;

static void *add(void *unused)
{
	int i, k;

	(void)unused;
	for (i = 0; i < 4; i++) {
		pthread_mutex_lock(&inherits);
		k = n;
		sched_yield();
		n = k + 1;
		pthread_mutex_unlock(&inherits);
	}
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_t third;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&inherits, &attr);
	pthread_create(&third, NULL, add, NULL);
	both(add, NULL, NULL);
	pthread_join(third, NULL);
	say("sum %d\n", n);
	return 0;
}
