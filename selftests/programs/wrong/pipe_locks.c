// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two pipes with one byte each serve as locks: to read the byte is to take the
 * lock. They are taken in opposite order.
 *
 * expect: verdict=deadlock preemptions=1
 * Each task must have read one pipe and stand before the other. The first to get
 * there is enabled, the second pipe still has its byte: it must be preempted.
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int red[2], blue[2];

static void take(int *lock)
{
	char c;

	assert(read(lock[0], &c, 1) == 1);
}

static void give(int *lock)
{
	assert(write(lock[1], "x", 1) == 1);
}

static void *blue_first(void *arg)
{
	take(blue);
	take(red);
	give(red);
	give(blue);
	return arg;
}

int main(void)
{
	pthread_t t;

	assert(!pipe(red) && !pipe(blue));
	give(red);
	give(blue);
	pthread_create(&t, NULL, blue_first, NULL);
	take(red);
	take(blue);
	give(blue);
	give(red);
	pthread_join(t, NULL);
	return 0;
}
