// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: data is handed over by a sequentially consistent flag, an atomic variable.
 * Its load is a plain mov, which the debug information tells from others.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *hand_over(void *arg)
{
	data = 42;
	ready = 1;
	return arg;
}

int main(void)
{
	pthread_t t;
	int got;

	pthread_create(&t, NULL, hand_over, NULL);
	while (!ready)
		sched_yield();
	got = data++;
	pthread_join(t, NULL);
	return got != 42;
}
