// SPDX-License-Identifier: GPL-2.0-only
/*
 * Double-checked initialization that sets the flag before the value is there.
 *
 * expect: verdict=assert preemptions=1
 * The flag is up and the value missing only while the first task stands at its
 * read(2), which has data: it is enabled and must be preempted there. The other
 * one does not take the lock, because the flag is up.
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int source[2];
static volatile int ready;
static char value;

static char get(void)
{
	if (!ready) {
		pthread_mutex_lock(&lock);
		if (!ready) {
			ready = 1;
			assert(read(source[0], &value, 1) == 1);
		}
		pthread_mutex_unlock(&lock);
	}
	return value;
}

static void *use(void *arg)
{
	assert(get() == 'v');
	return arg;
}

int main(void)
{
	pthread_t t;

	assert(!pipe(source) && write(source[1], "v", 1) == 1);
	pthread_create(&t, NULL, use, NULL);
	use(NULL);
	pthread_join(t, NULL);
	return 0;
}
