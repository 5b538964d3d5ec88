// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes share a POSIX shared memory object. The one that opens it waits until it is
 * there, and not until it has got its size.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define SIZE	4096
#define NAME	"/native_shm_size_late"
#define UNDER	"/dev/shm"

static int create(const char *name)
{
	int fd = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);

	WINDOW();
	return fd < 0 || ftruncate(fd, SIZE);
}

static int create_whole(void)
{
	return create(NAME ".new") || rename(UNDER NAME ".new", UNDER NAME);
}

/* What another run left there; it looks the same where there was none. */
static void forget(const char *name)
{
	close(shm_open(name, O_CREAT | O_RDWR, 0600));
	shm_unlink(name);
}

int main(void)
{
	volatile int *shared;
	pid_t child;
	int fd;

	forget(NAME);
	forget(NAME ".new");
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(IS_MENDED ? create_whole() : create(NAME));
	while ((fd = shm_open(NAME, O_RDWR, 0)) < 0)
		usleep(1000);
	shared = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(shared != MAP_FAILED);
	*shared = 1;
	assert(waitpid(child, NULL, 0) == child);
	shm_unlink(NAME);
	return 0;
}
