// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks write to an array of one element, if one is preempted between its look at the
 * index and its lock. MENDED: it looks again.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int used;
static char *slots;

static void *add(void *arg)
{
	if (used)
		return arg;
	pthread_mutex_lock(&lock);
#ifdef MENDED
	if (!used)
#endif
		slots[used++] = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	slots = malloc(1);
	if (!slots)
		return 1;
	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	free(slots);
	puts("done");
	return 0;
}
