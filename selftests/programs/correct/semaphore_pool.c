// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three tasks share two permits: never more than two are inside. Two may be, so what
 * counts them is atomic; atomic instructions are points by default only.
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
	assert(__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) <= 2);
	__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
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
