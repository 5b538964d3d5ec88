// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks meet at a barrier twice; exactly one of them is the serial one each
 * time.
 *
 * expect: verdict=ok runs=1,4,10
 * By hand: decisions with a choice, in order. Main at its 1st wait: stay, or go
 * to the thread (1 preemption). Staying, main sleeps; the thread arrives, wakes
 * it and stands at its 2nd wait: stay (then it sleeps, main arrives, wakes it and
 * stands at join), or back to main. One preemption anywhere: before main's 1st
 * wait, at the thread's 2nd wait, at main's join; with none: 1 + 3.
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int serial;

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++)
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			serial++;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	assert(serial == 2);
	return 0;
}
