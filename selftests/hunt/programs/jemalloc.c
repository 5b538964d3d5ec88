// SPDX-License-Identifier: GPL-2.0-only
/*
 * what one thread allocates another frees, while both start and end
 * link: -ljemalloc -lpthread
 */
#include <pthread.h>
#include <stdlib.h>

static void *shared[2];

static void *task(void *arg)
{
	void **mine = arg, *old = __atomic_exchange_n(&shared[0], mine, __ATOMIC_ACQ_REL);

	free(malloc(100000));
	free(old);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, task, malloc(10));
	pthread_create(&u, NULL, task, malloc(20));
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	free(shared[0]);
	return 0;
}
