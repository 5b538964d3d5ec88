// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads each take memory at the end of the data segment: sbrk(0) says where that is, and
 * then it is moved. In between it may have been moved by the other thread.
 *
 * expect: verdict=assert
 */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "window.h"

#define BYTES	4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *piece[2];

static void *take(void *arg)
{
	char **own = arg;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	*own = sbrk(0);
	WINDOW();
	assert(sbrk(BYTES) != (void *)-1);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	memset(*own, 'a' + (own - piece), BYTES);
	return NULL;
}

int main(void)
{
	pthread_t first, second;

	assert(!pthread_create(&first, NULL, take, &piece[0]));
	assert(!pthread_create(&second, NULL, take, &piece[1]));
	assert(!pthread_join(first, NULL) && !pthread_join(second, NULL));
	assert(piece[0] != piece[1]);
	return 0;
}
