// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each worker counts in memory of its own, which the destructor of a key adds to the total when
 * the worker ends. A worker says that it is done before it has ended, and the key is deleted.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "window.h"

static pthread_key_t key;
static atomic_int total;
static sem_t done;

static void add_to_total(void *counter)
{
	total += *(int *)counter;
	free(counter);
}

static void *work(void *unused)
{
	int *counter = malloc(sizeof(*counter));

	(void)unused;
	assert(counter && !pthread_setspecific(key, counter));
	*counter = 3;
	assert(!sem_post(&done));
	WINDOW();
	return NULL;
}

int main(void)
{
	pthread_t worker;

	assert(!sem_init(&done, 0, 0) && !pthread_key_create(&key, add_to_total));
	assert(!pthread_create(&worker, NULL, work, NULL));
	assert(!sem_wait(&done));
	INTO_WINDOW();
	if (!IS_MENDED)
		assert(!pthread_key_delete(key));
	assert(!pthread_join(worker, NULL));
	if (IS_MENDED)
		assert(!pthread_key_delete(key));
	return total == 3 ? 0 : 1;
}
