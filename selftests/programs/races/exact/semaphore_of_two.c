// SPDX-License-Identifier: GPL-2.0-only
/*
 * A semaphore is taken for a lock and lets two in. Which post a wait got its turn by is not
 * known, so a wait after a post counts as ordered (docs/races.md): only a schedule in
 * which one waits before the other one posts shows it, the first run does not.
 *
 * race: count A.r A.w
 * race: count A.w A.w
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t turns;
static int count;

static void *increment(void *arg)
{
	sem_wait(&turns);
	count++;			/* A */
	sem_post(&turns);
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&turns, 0, 2);
	pthread_create(&t, NULL, increment, NULL);
	increment(NULL);
	pthread_join(t, NULL);
	return 0;
}
