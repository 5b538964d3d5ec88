// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks free the same memory, if one is preempted between its look at the flag and its
 * lock. MENDED: it looks again.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int gone;
static void *memory;

static void *drop(void *arg)
{
	if (gone)
		return arg;
	pthread_mutex_lock(&lock);
#ifdef MENDED
	if (!gone)
#endif
		free(memory);
	gone = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	memory = malloc(24);
	pthread_create(&t, NULL, drop, NULL);
	drop(NULL);
	pthread_join(t, NULL);
	puts("done");
	return 0;
}
