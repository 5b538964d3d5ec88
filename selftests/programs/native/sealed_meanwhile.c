// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread asks whether a memory file may still be written, and maps it for that. Another one
 * seals it in between.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "window.h"

#define BYTES	4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd;

static void *seal(void *unused)
{
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(!fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int seals;
	void *at;

	fd = memfd_create("sealed", MFD_ALLOW_SEALING);
	assert(fd >= 0 && !ftruncate(fd, BYTES));
	assert(!pthread_create(&thread, NULL, seal, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	seals = fcntl(fd, F_GET_SEALS);
	WINDOW();
	if (!(seals & F_SEAL_WRITE)) {
		at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		assert(at != MAP_FAILED);
		munmap(at, BYTES);
	}
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
