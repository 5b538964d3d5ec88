// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cache is mapped and looked at, while another thread writes a new one: fopen() empties the
 * file, and what is mapped has no pages then.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "window.h"

#define SIZE	8192

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd;

static void *rewrite(void *unused)
{
	char path[32];
	FILE *cache;

	(void)unused;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	cache = fopen(path, "w");
	assert(cache && !fclose(cache));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	const volatile char *map;
	pthread_t thread;
	struct stat now;

	fd = memfd_create("cache", 0);
	assert(fd >= 0 && !ftruncate(fd, SIZE));
	map = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	assert(map != MAP_FAILED);
	assert(!pthread_create(&thread, NULL, rewrite, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(!fstat(fd, &now));
	WINDOW();
	if (now.st_size == SIZE)
		assert(!map[SIZE - 1]);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
