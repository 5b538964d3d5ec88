// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: each task has memory of its own from malloc, which hands out what the other
 * one gave back. Only the lock inside malloc is between them, which nobody looks at.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

/* Too many for a task's own cache. */
#define NUMBERS 500

static void *use_some(void *arg)
{
	int *own = malloc(NUMBERS * sizeof(*own));

	if (!own)
		abort();
	for (int i = 0; i < NUMBERS; i++)
		own[i] = i;
	free(own);
	return arg;
}

int main(void)
{
	pthread_t t;

	/* One arena, so that both get the same. */
	mallopt(M_ARENA_MAX, 1);
	pthread_create(&t, NULL, use_some, NULL);
	use_some(NULL);
	pthread_join(t, NULL);
	return 0;
}
