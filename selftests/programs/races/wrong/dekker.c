// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dekker's algorithm (Dijkstra, EWD 123) without its turn: who sees that the other one
 * wants to go in as well takes back that it wants to. Never are both inside. But the
 * turn says who may insist, and without it nobody has to get in.
 *
 * expect: verdict=assert preemptions=2
 * The schedule: T1 raises its flag and sees T0's, T0 then sees T1's: both gave up. T0 is
 * preempted between its store and its load, and T1 after its load of T0's flag, before
 * it takes its own flag back: two preemptions. With one, the one left first is the
 * only one to be left, so the other one runs to its end and has taken its flag back.
 */
#include <assert.h>
#include <pthread.h>

static int wants[2];
static int inside[2];

static void try_to_enter(int me)
{
	wants[me] = 1;
	if (!wants[!me])
		inside[me] = 1;
	wants[me] = 0;
}

static void *enter(void *arg)
{
	try_to_enter(1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, enter, NULL);
	try_to_enter(0);
	pthread_join(t, NULL);
	assert(inside[0] || inside[1]);
	return 0;
}
