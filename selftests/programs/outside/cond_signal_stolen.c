// SPDX-License-Identifier: GPL-2.0-only
/*
 * A condition variable counts wake-ups, and any thread that waits may take one. A thread that
 * begins to wait after the signal takes what was meant for the one that waited before it.
 *
 * source: glibc #13165
 * expect: verdict=deadlock
 */
#include <semaphore.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The inside of the condition variable. */
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned int wakeups, last, next;
static sem_t is_waiting;

/* Mended: waits have numbers, and a wake-up is for the first of them. */
static void cond_wait(void)
{
	unsigned int number;

	pthread_mutex_lock(&inner);
	number = last++;
	pthread_mutex_unlock(&lock);
	while (IS_MENDED ? next <= number : !wakeups)
		pthread_cond_wait(&changed, &inner);
	wakeups--;
	pthread_mutex_unlock(&inner);
	pthread_mutex_lock(&lock);
}

static void cond_signal(void)
{
	pthread_mutex_lock(&inner);
	wakeups++;
	next++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&inner);
}

static void *answer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	sem_post(&is_waiting);
	cond_wait();
	cond_signal();
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void ask(void)
{
	sem_wait(&is_waiting);
	pthread_mutex_lock(&lock);
	cond_signal();
	cond_wait();
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	sem_init(&is_waiting, 0, 0);
	together(ask, answer);
	return 0;
}
