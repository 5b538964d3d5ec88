// SPDX-License-Identifier: GPL-2.0-only
/*
 * a collection while a second thread starts and ends
 * link: -lgc -lpthread
 */
#define GC_THREADS
#include <gc.h>
#include <pthread.h>

static void *task(void *arg)
{
	*(int *)arg = 1;
	return GC_MALLOC(16);
}

int main(void)
{
	int *n;
	pthread_t t;

	GC_INIT();
	n = GC_MALLOC(sizeof(*n));
	pthread_create(&t, NULL, task, n);
	GC_gcollect();
	pthread_join(t, NULL);
	return *n != 1;
}
