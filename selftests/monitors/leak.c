// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks allocate what is needed once, and one block is lost, if one is preempted between
 * its look at the pointer and its lock. MENDED: it looks again.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(char *) once;

static void *need(void *arg)
{
	if (once)
		return arg;
	pthread_mutex_lock(&lock);
#ifdef MENDED
	if (!once)
#endif
		once = malloc(1000);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, need, NULL);
	pthread_create(&b, NULL, need, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts(once ? "done" : "nothing");
	return 0;
}
