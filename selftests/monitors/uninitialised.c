// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task decides by memory nobody wrote to, if the one that is to fill it is preempted before
 * its lock. MENDED: it waits for that.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int *box;

static void *fill(void *arg)
{
#ifndef MENDED
	sem_post(&ready);
#endif
	pthread_mutex_lock(&lock);
	*box = 1;
	pthread_mutex_unlock(&lock);
#ifdef MENDED
	sem_post(&ready);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	int full;

	box = malloc(sizeof(*box));
	if (!box)
		return 1;
	sem_init(&ready, 0, 0);
	pthread_create(&t, NULL, fill, NULL);
	sem_wait(&ready);
	pthread_mutex_lock(&lock);
	full = *box ? 1 : 0;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	free(box);
	puts(full >= 0 ? "done" : "nothing");
	return 0;
}
