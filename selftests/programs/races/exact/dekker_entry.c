// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dekker's entry, left again: each stores to its own flag twice and loads the other's.
 * Never are both inside, but nothing that counts as synchronization keeps them apart.
 * Stores to flags do not meet: each task has its own.
 *
 * race: wants A.w B.r
 * race: wants D.w B.r
 * race: work C.r C.w
 * race: work C.w C.w
 */
#include <pthread.h>

static int wants[2], work;

static void enter(int me)
{
	wants[me] = 1;			/* A */
	if (!wants[!me])		/* B */
		work++;			/* C */
	wants[me] = 0;			/* D */
}

static void *enter_first(void *arg)
{
	enter(1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, enter_first, NULL);
	enter(0);
	pthread_join(t, NULL);
	return 0;
}
