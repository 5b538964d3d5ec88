// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader fetches the pointer to the current table under the lock, and reads the table
 * when it has given the lock back. Who puts a new one in its place unmaps the old one.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

#include "window.h"

#define SIZE	4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static int *new_table(int value)
{
	int *new = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert(new != MAP_FAILED);
	*new = value;
	return new;
}

static void *replace(void *arg)
{
	int *new = new_table(2), *old;

	(void)arg;
	pthread_mutex_lock(&lock);
	old = table;
	table = new;
	pthread_mutex_unlock(&lock);
	munmap(old, SIZE);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int *mine, value;

	table = new_table(1);
	assert(!pthread_create(&thread, NULL, replace, NULL));
	pthread_mutex_lock(&lock);
	mine = table;
	if (IS_MENDED)
		value = *mine;
	pthread_mutex_unlock(&lock);
	WINDOW();
	if (!IS_MENDED)
		value = *mine;
	assert(value == 1 || value == 2);
	assert(!pthread_join(thread, NULL));
	return 0;
}
