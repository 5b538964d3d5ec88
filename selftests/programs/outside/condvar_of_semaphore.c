// SPDX-License-Identifier: GPL-2.0-only
/*
 * A condition variable made of a semaphore: a broadcast posts once for each waiter. One that
 * has given the lock back, but does not wait at the semaphore yet, may lose its post to a
 * thread that comes later.
 *
 * source: Birrell, Implementing Condition Variables with Semaphores, 2003
 * expect: verdict=deadlock
 */
#include <semaphore.h>
#include <stdbool.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t posts, taken;
static int waiters;
static bool is_open, is_more;

static void cond_wait(void)
{
	waiters++;
	pthread_mutex_unlock(&lock);
	sem_wait(&posts);
	if (IS_MENDED)
		sem_post(&taken);
	pthread_mutex_lock(&lock);
}

/* Mended: nobody comes later until all that were meant have taken their posts. */
static void cond_broadcast(void)
{
	int i;

	for (i = 0; i < waiters; i++)
		sem_post(&posts);
	for (i = 0; IS_MENDED && i < waiters; i++)
		sem_wait(&taken);
	waiters = 0;
}

static void *first(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	while (!is_open)
		cond_wait();
	is_more = true;
	cond_broadcast();
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void second(void)
{
	pthread_mutex_lock(&lock);
	is_open = true;
	cond_broadcast();
	while (!is_more)
		cond_wait();
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	sem_init(&posts, 0, 0);
	sem_init(&taken, 0, 0);
	together(second, first);
	return 0;
}
