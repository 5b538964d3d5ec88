// SPDX-License-Identifier: GPL-2.0-only
/*
 * One barrier is meant to say both "the slot is filled" and "the slot was read",
 * but after the first meeting main fills the slot again at once.
 *
 * expect: verdict=assert preemptions=1
 * Without a preemption main arrives first and sleeps in the barrier, and the
 * thread, which arrives last, reads the slot on its way to the second meeting. The
 * thread must arrive first, and main is enabled until it reaches the barrier.
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t meet;
static int slot;

static void *reader(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		pthread_barrier_wait(&meet);
		assert(slot == i);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_barrier_init(&meet, NULL, 2);
	pthread_create(&t, NULL, reader, NULL);
	for (int i = 1; i <= 2; i++) {
		slot = i;
		pthread_barrier_wait(&meet);
	}
	pthread_join(t, NULL);
	return 0;
}
