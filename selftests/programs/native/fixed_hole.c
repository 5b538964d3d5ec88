// SPDX-License-Identifier: GPL-2.0-only
/*
 * A region is mapped again, in its old place: unmapped first, and then mapped with MAP_FIXED.
 * In between the place is free for whoever maps something, and taken from them after that.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

#include "window.h"

#define SIZE	(1 << 20)

static char *region;

static char *map(char *at, int flags)
{
	char *to = mmap(at, SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	assert(to != MAP_FAILED);
	return to;
}

static void *allocate(void *arg)
{
	char *mine;

	(void)arg;
	WINDOW();
	mine = map(NULL, 0);
	*mine = 7;
	return mine;
}

int main(void)
{
	pthread_t thread;
	void *mine;

	region = map(NULL, 0);
	*region = 1;
	assert(!pthread_create(&thread, NULL, allocate, NULL));
	if (!IS_MENDED)
		munmap(region, SIZE);
	WINDOW();
	WINDOW();
	map(region, MAP_FIXED);
	*region = 2;
	assert(!pthread_join(thread, &mine));
	assert(*(char *)mine == 7);
	return 0;
}
