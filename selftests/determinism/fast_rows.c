// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of points that are longer than a task may have in a row while others can go on: from the
 * end of the first one on, others have to be let go first, and each point has an event of its own
 * that says so. One thread also tries for a lock that another one has. fast_test runs it.
 */
#include <pthread.h>
#include <stdlib.h>

#define THREADS	3
#define PAIRS	1300
#define SHARED	50	/* of so many pairs one is on the mutex that all have */

static pthread_mutex_t own[THREADS], all = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	pthread_mutex_t *mine = arg;
	int i;

	for (i = 0; i < PAIRS; i++) {
		pthread_mutex_t *m = i % SHARED ? mine : &all;

		pthread_mutex_lock(m);
		/* Who fails here remembers it, and then points are recorded one by one. */
		if (mine == &own[1] && i % 400 == 399 && !pthread_mutex_trylock(&own[0]))
			pthread_mutex_unlock(&own[0]);
		pthread_mutex_unlock(m);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		pthread_mutex_init(&own[i], NULL);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, work, &own[i]))
			abort();
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
