// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three tasks share two permits: never more than two are inside.
 *
 * expect: verdict=ok runs=3,29,204
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static int inside;

static void *work(void *arg)
{
	sem_wait(&permits);
	assert(++inside <= 2);
	inside--;
	sem_post(&permits);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&permits, 0, 2);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	work(NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
