// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads in strict turns: each posts the semaphore the other waits for.
 *
 * expect: verdict=ok runs=1,6,22
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int turns;

static void *second(void *arg)
{
	for (int i = 0; i < 2; i++) {
		sem_wait(&ping);
		assert(turns == 2 * i + 1);
		turns++;
		sem_post(&pong);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&ping, 0, 0);
	sem_init(&pong, 0, 0);
	pthread_create(&t, NULL, second, NULL);
	for (int i = 0; i < 2; i++) {
		assert(turns == 2 * i);
		turns++;
		sem_post(&ping);
		sem_wait(&pong);
	}
	pthread_join(t, NULL);
	return 0;
}
