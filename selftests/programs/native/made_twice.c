// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file is to be made by whoever needs it first, and then filled by both. "Is it there?" is
 * one call and making it another: who makes it second throws away what the first has written.
 *
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <pthread.h>

#include "scratch.h"
#include "window.h"

static void *add(void *name)
{
	int flags = O_WRONLY | O_APPEND | O_CREAT, fd;

	if (!IS_MENDED && access("index", F_OK)) {
		WINDOW();
		flags |= O_TRUNC;
	}
	fd = open("index", flags, 0600);
	assert(fd >= 0);
	assert(write(fd, name, 4) == 4);
	close(fd);
	return NULL;
}

static void *add_second(void *name)
{
	return add(name);
}

int main(void)
{
	pthread_t thread;
	off_t size;
	int fd;

	enter_scratch();
	assert(!pthread_create(&thread, NULL, add_second, "two\n"));
	add("one\n");
	assert(!pthread_join(thread, NULL));
	fd = open("index", O_RDONLY);
	size = lseek(fd, 0, SEEK_END);
	unlink("index");
	leave_scratch();
	return size == 8 ? 0 : 1;
}
