// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task that borrowed a box writes to it after its owner gave it back, if it is preempted
 * before its lock. MENDED: it says that it has the box when it is done with it.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int *box;

static void *borrow(void *arg)
{
#ifndef MENDED
	sem_post(&done);
#endif
	pthread_mutex_lock(&lock);
	*box = 1;
	pthread_mutex_unlock(&lock);
#ifdef MENDED
	sem_post(&done);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;

	box = malloc(sizeof(*box));
	if (!box)
		return 1;
	sem_init(&done, 0, 0);
	pthread_create(&t, NULL, borrow, NULL);
	sem_wait(&done);
	free(box);
	pthread_join(t, NULL);
	puts("done");
	return 0;
}
