// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: data is handed over by a release store and an acquire load, both of which are
 * plain movs. Debug information tells them from others.
 *
 * nodebug: ready B.w C.r
 * nodebug: data A.w D.r
 * Without it the flag is a plain variable like any, and orders nothing.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *hand_over(void *arg)
{
	data = 42;				/* A */
	atomic_store_explicit(&ready, 1, memory_order_release);	/* B */
	return arg;
}

int main(void)
{
	pthread_t t;
	int got;

	pthread_create(&t, NULL, hand_over, NULL);
	while (!atomic_load_explicit(&ready, memory_order_acquire))	/* C */
		sched_yield();
	got = data;				/* D */
	pthread_join(t, NULL);
	return got != 42;
}
