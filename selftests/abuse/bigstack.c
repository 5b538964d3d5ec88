// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ten thousand frames of a page each in two threads, with a lock at the bottom. Hard: whoever
 * walks the stack, or takes a stack snapshot.
 */
#include "abuse.h"

static int deep(int depth)
{
	volatile char page[4096];

	page[depth % 4096] = 1;
	if (!depth) {
		count(NULL);
		return 1;
	}
	return deep(depth - 1) + page[depth % 4096] - 1;
}

static void *dive(void *result)
{
	*(int *)result = deep(10000);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_attr_t attr;
	int results[2], i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 20);
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], &attr, dive, &results[i]);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	say("deep %d %d, counted %d\n", results[0], results[1], counted);
	return 0;
}
