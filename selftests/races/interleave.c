// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads take four tickets each, atomically; the program fails if they took them in the
 * order that its argument says, a letter for each ticket. There are 8! / (4! 4!) = 70 orders.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define TICKETS	4

static atomic_int next;
static char owner[2 * TICKETS + 1];

static void *take(void *name)
{
	int i;

	for (i = 0; i < TICKETS; i++)
		owner[atomic_fetch_add(&next, 1)] = *(const char *)name;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	assert(argc == 2);
	assert(!pthread_create(&a, NULL, take, "a"));
	assert(!pthread_create(&b, NULL, take, "b"));
	assert(!pthread_join(a, NULL));
	assert(!pthread_join(b, NULL));
	assert(strcmp(owner, argv[1]));
	return 0;
}
