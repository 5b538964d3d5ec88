// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table grows by being copied to a larger one, which then takes its place; the old one is
 * kept for whoever still reads it. What is put into the old one after the copy is lost.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "window.h"

struct table {
	int size;
	atomic_int slot[8];
};

static pthread_mutex_t growing = PTHREAD_MUTEX_INITIALIZER;
static struct table small = { .size = 4 }, large = { .size = 8 };
static struct table *_Atomic table = &small;

static void *grow(void *arg)
{
	struct table *old;
	int i;

	(void)arg;
	pthread_mutex_lock(&growing);
	old = atomic_load(&table);
	for (i = 0; i < old->size; i++)
		atomic_store(&large.slot[i], atomic_load(&old->slot[i]));
	WINDOW();
	atomic_store(&table, &large);
	pthread_mutex_unlock(&growing);
	return NULL;
}

static void put(int i, int value)
{
	if (IS_MENDED)
		pthread_mutex_lock(&growing);
	atomic_store(&atomic_load(&table)->slot[i], value);
	if (IS_MENDED)
		pthread_mutex_unlock(&growing);
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, grow, NULL));
	INTO_WINDOW();
	put(1, 5);
	assert(!pthread_join(thread, NULL));
	assert(atomic_load(&atomic_load(&table)->slot[1]) == 5);
	return 0;
}
