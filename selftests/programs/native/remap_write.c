// SPDX-License-Identifier: GPL-2.0-only
/*
 * A buffer is written to a file from where it was when the lock was given back. Somebody
 * else makes it larger meanwhile, and mremap(2) moves it.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "window.h"

#define SIZE	4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;

static void *grow(void *arg)
{
	(void)arg;
	WINDOW();
	pthread_mutex_lock(&lock);
	buffer = mremap(buffer, SIZE, 4 * SIZE, MREMAP_MAYMOVE);
	assert(buffer != MAP_FAILED);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void flush(int fd)
{
	char *from;

	pthread_mutex_lock(&lock);
	from = buffer;
	if (IS_MENDED)
		assert(write(fd, from, 16) == 16);
	pthread_mutex_unlock(&lock);
	WINDOW();
	WINDOW();
	if (!IS_MENDED)
		assert(write(fd, from, 16) == 16);
}

int main(void)
{
	int fd = memfd_create("out", 0);
	pthread_t thread;

	/* The page after it is taken. */
	buffer = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(fd >= 0 && buffer != MAP_FAILED);
	assert(!mprotect(buffer + SIZE, SIZE, PROT_NONE));
	assert(!pthread_create(&thread, NULL, grow, NULL));
	flush(fd);
	assert(!pthread_join(thread, NULL));
	return 0;
}
