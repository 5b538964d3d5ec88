// SPDX-License-Identifier: GPL-2.0-only
/*
 * A detached thread goes on after main has returned and uses what an exit handler
 * has taken down.
 *
 * expect: verdict=crash preemptions=2
 * The thread must be left before it takes the lock, enabled (one), so that main
 * can return and close the log; and main must be left between that and the end of
 * the process, where nothing blocks it (two).
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct log {
	int lines;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct log *volatile journal;
static sem_t started;

static void close_journal(void)
{
	pthread_mutex_lock(&lock);
	free(journal);
	journal = NULL;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	sem_post(&started);
	pthread_mutex_lock(&lock);
	journal->lines++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	journal = calloc(1, sizeof(*journal));
	if (!journal || atexit(close_journal))
		return 1;
	sem_init(&started, 0, 0);
	pthread_create(&t, NULL, work, NULL);
	pthread_detach(t);
	sem_wait(&started);
	return 0;
}
