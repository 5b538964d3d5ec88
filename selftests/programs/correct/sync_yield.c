// SPDX-License-Identifier: GPL-2.0-only
/*
 * Main waits with sched_yield(2) until a worker has counted. Its yields are points and let
 * the worker go on where system calls are not points, too.
 *
 * expect: verdict=ok runs=2,10,18
 * options: --points sync
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counted, count;

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	atomic_store(&counted, 1);
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
