// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process maps a file for itself, only to read it, and reads two numbers. Its parent writes both
 * with one pwrite() meanwhile: the mapping is private, and shows one old number and one new.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

struct page {
	int first, last;
};

/* Each process opens the file itself, as locks belong to what was opened. */
static int open_locked(const char *path, int how)
{
	int fd = open(path, O_RDWR);

	assert(fd >= 0);
	if (IS_MENDED)
		assert(!flock(fd, how));
	return fd;
}

static void read_both(const char *path)
{
	int fd = open_locked(path, LOCK_SH), first;
	const volatile struct page *page;

	page = mmap(NULL, sizeof(*page), PROT_READ, MAP_PRIVATE, fd, 0);
	assert(page != MAP_FAILED);
	first = page->first;
	WINDOW();
	assert(page->last == first);
	/* The mapping would keep the lock. */
	assert(!flock(fd, LOCK_UN));
}

int main(void)
{
	const struct page old = { 1, 1 }, new = { 2, 2 };
	int fd = memfd_create("page", 0), status;
	char path[64];
	pid_t pid;

	assert(fd >= 0 && pwrite(fd, &old, sizeof(old), 0) == sizeof(old));
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
	pid = fork();
	assert(pid >= 0);
	if (!pid) {
		read_both(path);
		_exit(0);
	}
	fd = open_locked(path, LOCK_EX);
	INTO_WINDOW();
	assert(pwrite(fd, &new, sizeof(new), 0) == sizeof(new));
	close(fd);
	assert(waitpid(pid, &status, 0) == pid && !status);
	return 0;
}
