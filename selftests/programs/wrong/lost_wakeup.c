// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flag is tested before the mutex is taken: a signal sent in between is lost.
 *
 * expect: verdict=deadlock preemptions=1
 * Without a preemption main goes from the test to the wait in one go, and the
 * signal finds it waiting. The signal is lost only if the thread runs while main
 * stands at the lock, where it is enabled.
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static volatile int finished;

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	finished = 1;
	pthread_cond_signal(&done);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	if (!finished) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&done, &lock);
		pthread_mutex_unlock(&lock);
	}
	pthread_join(t, NULL);
	return 0;
}
