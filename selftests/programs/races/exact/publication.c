// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data is handed over by a plain flag: nothing orders anything, whatever is read.
 *
 * race: data A.w D.r
 * race: flag B.w C.r
 */
#include <pthread.h>

static int data, flag;

static void *hand_over(void *arg)
{
	data = 42;			/* A */
	flag = 1;			/* B */
	return arg;
}

int main(void)
{
	int ready, got;
	pthread_t t;

	pthread_create(&t, NULL, hand_over, NULL);
	ready = flag;			/* C */
	got = data;			/* D */
	pthread_join(t, NULL);
	return ready && got != 42;
}
