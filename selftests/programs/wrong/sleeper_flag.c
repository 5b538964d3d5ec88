// SPDX-License-Identifier: GPL-2.0-only
/*
 * A queue whose producer wakes the consumer through an eventfd, and only when the
 * consumer has said that it is about to sleep. The consumer says so too late, after
 * it has let go of the lock under which it found the queue empty.
 *
 * expect: verdict=deadlock preemptions=1
 * Without a preemption the consumer goes from the empty queue to its sleep in one
 * go. The item must be put in between, where the consumer stands at the lock and is
 * enabled: the producer sees nobody asleep, the consumer does not look again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items, doorbell;
static bool sleeping;

static void put(void)
{
	uint64_t one = 1;
	bool ring;

	pthread_mutex_lock(&lock);
	items++;
	ring = sleeping;
	sleeping = false;
	pthread_mutex_unlock(&lock);
	if (ring)
		assert(write(doorbell, &one, sizeof(one)) == sizeof(one));
}

static bool try_get(void)
{
	bool got;

	pthread_mutex_lock(&lock);
	got = items > 0;
	items -= got;
	pthread_mutex_unlock(&lock);
	return got;
}

static void get(void)
{
	uint64_t rings;

	while (!try_get()) {
		pthread_mutex_lock(&lock);
		sleeping = true;
		pthread_mutex_unlock(&lock);
		assert(read(doorbell, &rings, sizeof(rings)) == sizeof(rings));
	}
}

static void *produce(void *arg)
{
	put();
	return arg;
}

int main(void)
{
	pthread_t t;

	doorbell = eventfd(0, 0);
	assert(doorbell >= 0);
	pthread_create(&t, NULL, produce, NULL);
	get();
	pthread_join(t, NULL);
	return 0;
}
