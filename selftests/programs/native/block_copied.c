// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads put a block of their own into a buffer, by memcpy() and by memset(), and one takes
 * a copy of it: that may have something of both.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "window.h"

#define BYTES	200

static char buffer[BYTES];
/* Not a constant, so that the functions are called. */
static volatile size_t bytes = BYTES;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void copy(char *to, const char *from, size_t n)
{
#ifdef SLOW
	memcpy(to, from, n / 2);
	WINDOW();
	memcpy(to + n / 2, from + n / 2, n - n / 2);
#else
	memcpy(to, from, n);
#endif
}

static void *clear(void *unused)
{
	(void)unused;
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	memset(buffer, 'b', bytes);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	char block[BYTES], seen[BYTES];
	pthread_t thread;

	memset(block, 'a', sizeof(block));
	assert(!pthread_create(&thread, NULL, clear, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	copy(buffer, block, bytes);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	memcpy(seen, buffer, bytes);
	assert(seen[0] == seen[BYTES - 1]);
	return 0;
}
