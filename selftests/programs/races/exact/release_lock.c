// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: a spin lock that is taken by an atomic instruction and given back by a release
 * store, a plain mov. Debug information tells it from others.
 *
 * nodebug: taken A.u C.w
 * nodebug: count B.r B.w
 * nodebug: count B.w B.w
 * nodebug: taken C.w C.w
 * Without it the store is a plain one and gives nothing back. An exchange is after the
 * exchanges before it, so A of the second is after A of the first, and no more.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int taken;
static int count;

static void *increment(void *arg)
{
	while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))	/* A */
		sched_yield();
	count++;				/* B */
	atomic_store_explicit(&taken, 0, memory_order_release);	/* C */
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, increment, NULL);
	increment(NULL);
	pthread_join(t, NULL);
	return count != 2;
}
