// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes add a line each to a log, which they open without O_APPEND: each seeks the
 * end and writes there.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static void add_line(const char *path)
{
	int fd = open(path, O_WRONLY | (IS_MENDED ? O_APPEND : 0));

	assert(fd >= 0);
	if (!IS_MENDED) {
		assert(lseek(fd, 0, SEEK_END) >= 0);
		WINDOW();
	}
	assert(write(fd, "a line\n", 7) == 7);
	close(fd);
}

int main(void)
{
	char path[] = "/tmp/chess-log-XXXXXX";
	int fd = mkstemp(path), status;
	off_t size;
	pid_t child;

	assert(fd >= 0);
	child = fork();
	assert(child >= 0);
	if (!child) {
		add_line(path);
		_exit(0);
	}
	add_line(path);
	assert(waitpid(child, &status, 0) == child && !status);
	size = lseek(fd, 0, SEEK_END);
	unlink(path);
	return size == 14 ? 0 : 1;
}
