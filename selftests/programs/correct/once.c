// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks ask for the same initialization; it runs once, and nobody goes on
 * before it is done. The routine takes a mutex, so it has points inside.
 *
 * expect: verdict=ok runs=1,5,15
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls, done;

static void init(void)
{
	calls++;
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_mutex_unlock(&lock);
}

static void *use(void *arg)
{
	pthread_once(&once, init);
	assert(calls == 1 && done);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, use, NULL);
	use(NULL);
	pthread_join(t, NULL);
	return 0;
}
