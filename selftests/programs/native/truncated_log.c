// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process reads a log that it has mapped, as far as the file goes by fstat(2). Another one
 * empties the file in between: what is mapped has no page any more.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define SIZE	4096

static int fd;

/* Locks are of the process. */
static void lock(short type)
{
	struct flock whole = { .l_type = type, .l_whence = SEEK_SET };

	if (IS_MENDED)
		assert(!fcntl(fd, F_SETLKW, &whole));
}

static int sum(const volatile char *log)
{
	struct stat now;
	int i, total = 0;

	lock(F_RDLCK);
	assert(!fstat(fd, &now));
	WINDOW();
	for (i = 0; i < now.st_size; i += 1024)
		total += log[i];
	lock(F_UNLCK);
	return total;
}

int main(void)
{
	const char *log;
	pid_t child;

	fd = memfd_create("log", 0);
	assert(fd >= 0 && !ftruncate(fd, SIZE));
	log = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	assert(log != MAP_FAILED);
	child = fork();
	assert(child >= 0);
	if (!child) {
		INTO_WINDOW();
		lock(F_WRLCK);
		_exit(ftruncate(fd, 0) != 0);
	}
	assert(!sum(log));
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
