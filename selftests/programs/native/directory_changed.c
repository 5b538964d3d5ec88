// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread changes to a directory to make a file there; the directory is that of the whole
 * process, and another thread makes its own where it happens to be.
 *
 * expect: verdict=assert
 * options: --private-tmp
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "scratch.h"
#include "window.h"

static int top;

static void *save(void *directory)
{
	int in, fd;

	in = openat(top, directory, O_RDONLY | O_DIRECTORY);
	assert(in >= 0);
	if (!IS_MENDED)
		assert(!fchdir(in));
	WINDOW();
	fd = openat(IS_MENDED ? in : AT_FDCWD, "file", O_WRONLY | O_CREAT, 0600);
	assert(fd >= 0);
	close(fd);
	close(in);
	return NULL;
}

/* Returns whether it was there. */
static int tidy_up(const char *file, const char *directory)
{
	int was_there = !unlinkat(top, file, 0);

	assert(!unlinkat(top, directory, AT_REMOVEDIR));
	return was_there;
}

int main(void)
{
	pthread_t thread;
	int one, two;

	enter_scratch();
	top = open(".", O_RDONLY | O_DIRECTORY);
	assert(top >= 0 && !mkdir("one", 0700) && !mkdir("two", 0700));
	assert(!pthread_create(&thread, NULL, save, "one"));
	save("two");
	assert(!pthread_join(thread, NULL));
	one = tidy_up("one/file", "one");
	two = tidy_up("two/file", "two");
	leave_scratch();
	assert(one && two);
	return 0;
}
