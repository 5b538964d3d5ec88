// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks add by an atomic instruction, which do not race; a third one just loads. The
 * variable has a plain type, so debug information does not help it.
 *
 * race: count A.u C.r
 * race: count B.u C.r
 */
#include <pthread.h>

static int count;

static void *add_one(void *arg)
{
	__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);	/* A */
	return arg;
}

static void *add_two(void *arg)
{
	__atomic_fetch_add(&count, 2, __ATOMIC_SEQ_CST);	/* B */
	return arg;
}

int main(void)
{
	pthread_t t[2];
	int seen;

	pthread_create(&t[0], NULL, add_one, NULL);
	pthread_create(&t[1], NULL, add_two, NULL);
	seen = count;			/* C */
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return seen > 3;
}
