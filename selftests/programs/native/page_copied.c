// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread copies a number from a file to another one, which the kernel does by itself
 * (copy_file_range). Another thread reads that number twice by way of a mapping and may get two
 * values.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int from, to;

static void *copy(void *unused)
{
	off_t begin = 0;

	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(copy_file_range(from, &begin, to, NULL, sizeof(int), 0) == sizeof(int));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	volatile int *number;
	pthread_t thread;
	int before = 1;

	from = memfd_create("from", 0);
	to = memfd_create("to", 0);
	assert(from >= 0 && to >= 0 && !ftruncate(to, sizeof(int)));
	assert(write(from, &before, sizeof(before)) == sizeof(before));
	number = mmap(NULL, sizeof(int), PROT_READ, MAP_SHARED, to, 0);
	assert(number != MAP_FAILED);
	assert(!pthread_create(&thread, NULL, copy, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	before = *number;
	WINDOW();
	assert(*number == before);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
