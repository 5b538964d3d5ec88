// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread creates and joins another one; main joins the first.
 *
 * expect: verdict=ok runs=1,5,13
 */
#include <assert.h>
#include <pthread.h>

static int sum;

static void *inner(void *arg)
{
	sum += 1;
	return arg;
}

static void *outer(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, inner, NULL);
	pthread_join(t, NULL);
	assert(sum == 1);
	sum += 2;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, outer, NULL);
	pthread_join(t, NULL);
	assert(sum == 3);
	return 0;
}
