// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread that does nothing, and a join.
 *
 * expect: verdict=ok runs=1,2,3
 * By hand: main has one point with the thread there, join; the thread has one,
 * its exit. Without a preemption main sleeps in join: one run. With one, main can
 * be left before join; the thread is then at its exit and goes on. With two, it
 * can be left there as well.
 */
#include <pthread.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	return 0;
}
