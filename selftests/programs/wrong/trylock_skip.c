// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task that does not get the lock leaves its job to the holder, which may have
 * looked at the queue for the last time.
 *
 * expect: verdict=assert preemptions=1
 * The job is left behind if it comes while the holder stands at its unlock. The
 * holder is enabled there.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t worker = PTHREAD_MUTEX_INITIALIZER;
static volatile int queued, done;

static void *submit(void *arg)
{
	queued++;
	if (pthread_mutex_trylock(&worker))
		return arg;
	while (queued) {
		queued--;
		done++;
	}
	pthread_mutex_unlock(&worker);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, submit, NULL);
	submit(NULL);
	pthread_join(t, NULL);
	assert(done == 2);
	return 0;
}
