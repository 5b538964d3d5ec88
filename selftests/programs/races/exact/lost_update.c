// SPDX-License-Identifier: GPL-2.0-only
/*
 * A load and a store of one counter by two tasks; the last load is after the join.
 *
 * race: count A.r A.w
 * race: count A.w A.w
 */
#include <pthread.h>

static int count;

static void *increment(void *arg)
{
	count++;			/* A */
	return arg;
}

int main(void)
{
	pthread_t t;

	count = 1;			/* before the task exists */
	pthread_create(&t, NULL, increment, NULL);
	increment(NULL);
	pthread_join(t, NULL);
	return count != 3 && count != 2;	/* after its end */
}
