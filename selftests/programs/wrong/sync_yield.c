// SPDX-License-Identifier: GPL-2.0-only
/*
 * Main waits with sched_yield(2) until a worker has counted, with a flag that is set before
 * the count is.
 *
 * expect: verdict=assert preemptions=1
 * options: --points sync
 * The worker must be left at its lock, and its flag seen.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counted, count;

static void *work(void *arg)
{
	atomic_store(&counted, 1);
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, work, NULL));
	while (!atomic_load(&counted))
		sched_yield();
	assert(count == 1);
	assert(!pthread_join(thread, NULL));
	return 0;
}
