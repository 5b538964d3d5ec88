// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two semaphores guard two resources; main takes tape then printer, the thread
 * printer then tape.
 *
 * expect: verdict=deadlock preemptions=1
 * As with two mutexes: each must hold one and want the other, and the first to do
 * so is enabled when it is left.
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t tape, printer;
static int pages;

static void *print_tape(void *arg)
{
	sem_wait(&printer);
	sem_wait(&tape);
	pages++;
	sem_post(&tape);
	sem_post(&printer);
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&tape, 0, 1);
	sem_init(&printer, 0, 1);
	pthread_create(&t, NULL, print_tape, NULL);
	sem_wait(&tape);
	sem_wait(&printer);
	pages++;
	sem_post(&printer);
	sem_post(&tape);
	pthread_join(t, NULL);
	return 0;
}
