// SPDX-License-Identifier: GPL-2.0-only
/*
 * A growing array: the reader looks up an element under the lock and reads it after that,
 * where realloc(3) may have moved the whole array.
 *
 * expect: verdict=memory
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "window.h"

#define FIRST 300

struct entry {
	long key, value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;
static char *neighbour;

static void *grow(void *arg)
{
	struct entry *more;

	(void)arg;
	pthread_mutex_lock(&lock);
	more = realloc(entries, 2 * FIRST * sizeof(*entries));
	assert(more);
	entries = more;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static long look_up(long key)
{
	struct entry *found = NULL;
	long value, i;

	pthread_mutex_lock(&lock);
	for (i = FIRST - 1; !found; i--)
		if (entries[i].key == key)
			found = &entries[i];
	if (IS_MENDED) {
		value = found->value;
		pthread_mutex_unlock(&lock);
		return value;
	}
	pthread_mutex_unlock(&lock);
	WINDOW();
	return found->value;
}

int main(void)
{
	pthread_t thread;

	entries = calloc(FIRST, sizeof(*entries));
	/* Whatever else lives on the heap: the array cannot grow where it is. */
	neighbour = malloc(100);
	assert(entries && neighbour);
	entries[FIRST - 2].key = 7;
	entries[FIRST - 2].value = 77;
	assert(!pthread_create(&thread, NULL, grow, NULL));
	assert(look_up(7) == 77);
	assert(!pthread_join(thread, NULL));
	free(entries);
	free(neighbour);
	return 0;
}
