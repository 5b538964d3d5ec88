// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread hands a message out by mempcpy() into a buffer that others read without a lock; a
 * function whose last call is memcpy() reads it. The length, which comes first, may be that of the
 * new message, and the text the old one's.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

struct message {
	size_t length;
	char text[32];
};

static struct message *shared;
static volatile size_t bytes = sizeof(struct message);
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *put(void *unused)
{
	struct message next = { 5, "later" };
	char *end;

	(void)unused;
	if (IS_MENDED)
		pthread_rwlock_wrlock(&lock);
#ifdef SLOW
	memcpy(shared, &next, 8);
	WINDOW();
#endif
	end = mempcpy(shared, &next, bytes);
	assert(end == (char *)(shared + 1));
	if (IS_MENDED)
		pthread_rwlock_unlock(&lock);
	return NULL;
}

__attribute__((noinline, optimize("O2")))
static void *get(struct message *to)
{
	return memcpy(to, shared, bytes);
}

int main(void)
{
	struct message seen;
	pthread_t thread;

	shared = calloc(1, sizeof(*shared));
	assert(shared);
	assert(!pthread_create(&thread, NULL, put, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_rwlock_rdlock(&lock);
	assert(get(&seen) == &seen);
	if (IS_MENDED)
		pthread_rwlock_unlock(&lock);
	assert(seen.length == strlen(seen.text));
	assert(!pthread_join(thread, NULL));
	free(shared);
	return 0;
}
