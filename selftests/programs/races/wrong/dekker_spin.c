// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dekker's algorithm without its turn, where nobody takes back that it wants to go in:
 * when both flags are up, both wait for ever.
 *
 * expect: verdict=livelock preemptions=1
 * kind: livelock
 * options: --points syscalls,sync,races --max-points 2000
 * The schedule: T0 is preempted between its store and its load, T1 raises its flag, and
 * both yield in turns. One preemption: the one not left there is inside before the other
 * one raises its flag.
 */
#include <pthread.h>
#include <sched.h>

static int wants[2];
static int work;

static void enter_and_leave(int me)
{
	wants[me] = 1;
	while (wants[!me])
		sched_yield();
	work++;
	wants[me] = 0;
}

static void *enter(void *arg)
{
	enter_and_leave(1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, enter, NULL);
	enter_and_leave(0);
	pthread_join(t, NULL);
	return 0;
}
