// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two arenas claim memory from the end of the data segment: where it ends now, moved on by
 * so much. Between the two calls somebody else may have claimed the same.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "window.h"

#define SIZE	4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *arenas[2];

static void *claim(void *arg)
{
	char **arena = arg;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	*arena = sbrk(0);
	WINDOW();
	assert(!brk(*arena + SIZE));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int i;

	for (i = 0; i < 2; i++)
		assert(!pthread_create(&threads[i], NULL, claim, &arenas[i]));
	for (i = 0; i < 2; i++)
		assert(!pthread_join(threads[i], NULL));
	assert(arenas[0] != arenas[1]);
	memset(arenas[0], 1, SIZE);
	memset(arenas[1], 2, SIZE);
	return 0;
}
