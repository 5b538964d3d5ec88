// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's reorder_3: two setters store to both, a checker loads both.
 *
 * race: a A.w A.w
 * race: b B.w B.w
 * race: a A.w C.r
 * race: b B.w D.r
 */
#include <pthread.h>

static int a, b;

static void *set_both(void *arg)
{
	a = 1;				/* A */
	b = -1;				/* B */
	return arg;
}

static void *check_both(void *arg)
{
	int seen_a = a;			/* C */
	int seen_b = b;			/* D */

	return seen_a == -seen_b ? arg : NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, set_both, NULL);
	pthread_create(&t[1], NULL, set_both, NULL);
	pthread_create(&t[2], NULL, check_both, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
