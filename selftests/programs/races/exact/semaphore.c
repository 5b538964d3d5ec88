// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: two tasks take turns by two semaphores.
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t mine, yours;
static int ball;

static void *play(void *arg)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&yours);
		ball++;
		sem_post(&mine);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&mine, 0, 1);
	sem_init(&yours, 0, 0);
	pthread_create(&t, NULL, play, NULL);
	for (int i = 0; i < 3; i++) {
		sem_wait(&mine);
		ball++;
		sem_post(&yours);
	}
	pthread_join(t, NULL);
	return ball != 6;
}
