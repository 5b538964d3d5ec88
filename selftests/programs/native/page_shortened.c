// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process asks for the size of a file and reads the last byte of it by way of a mapping, while
 * its child shortens the file: then there is no such page any more.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define SIZE 8192

static const char *file;

/* Each process opens the file itself, as locks belong to what was opened. */
static int open_locked(int how)
{
	int fd = open(file, O_RDWR);

	assert(fd >= 0);
	if (IS_MENDED)
		assert(!flock(fd, how));
	return fd;
}

/* The mapping would keep the lock. */
static void close_locked(int fd)
{
	assert(!flock(fd, LOCK_UN));
	close(fd);
}

static void shorten(void)
{
	int fd = open_locked(LOCK_EX);

	INTO_WINDOW();
	assert(!ftruncate(fd, SIZE / 2));
	close_locked(fd);
}

static int read_last(void)
{
	int fd = open_locked(LOCK_SH), last;
	struct stat st;
	const char *bytes;

	assert(!fstat(fd, &st));
	bytes = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	assert(bytes != MAP_FAILED);
	WINDOW();
	last = bytes[st.st_size - 1];
	close_locked(fd);
	return last;
}

int main(void)
{
	char path[64];
	int fd = memfd_create("file", 0), status, last;
	pid_t pid;

	assert(fd >= 0 && !ftruncate(fd, SIZE));
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
	file = path;
	pid = fork();
	assert(pid >= 0);
	if (!pid) {
		shorten();
		_exit(0);
	}
	last = read_last();
	assert(waitpid(pid, &status, 0) == pid && !status);
	return last;
}
