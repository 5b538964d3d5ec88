// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread appends a number to a file: pwrite() of a file that is open for appending writes at
 * the end, whatever offset it is given. Another thread reads that number twice by way of a mapping
 * and may get two values.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "window.h"

#define NUMBERS 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int *numbers;
static int fd;

static void *append(void *unused)
{
	int number = 1;

	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(pwrite(fd, &number, sizeof(number), 0) == sizeof(number));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int before;

	fd = memfd_create("numbers", 0);
	assert(fd >= 0 && !ftruncate(fd, NUMBERS * sizeof(int)));
	assert(!fcntl(fd, F_SETFL, O_APPEND));
	numbers = mmap(NULL, (NUMBERS + 1) * sizeof(int), PROT_READ, MAP_SHARED, fd, 0);
	assert(numbers != MAP_FAILED);
	assert(!pthread_create(&thread, NULL, append, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	before = numbers[NUMBERS];
	WINDOW();
	assert(numbers[NUMBERS] == before);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
