// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task that finds the lock taken counts without it: a race, if the other one is preempted
 * while it has the lock. MENDED: it waits.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *arg)
{
#ifdef MENDED
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
#else
	int taken = pthread_mutex_trylock(&lock);

	count++;
	if (!taken)
		pthread_mutex_unlock(&lock);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("done");
	return 0;
}
