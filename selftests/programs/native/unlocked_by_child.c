// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lock of flock(2) is that of the open file, which fork(2) does not make again. A child that
 * tidies up what it inherited unlocks it for its parent, and a third process comes in.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static char path[] = "/tmp/chess-flock-XXXXXX";

static void increment(int is_helped)
{
	int fd = open(path, O_RDWR), value;
	pid_t helper = 0;

	assert(fd >= 0);
	if (!is_helped)
		INTO_WINDOW();
	assert(!flock(fd, LOCK_EX));
	if (is_helped) {
		helper = fork();
		assert(helper >= 0);
		if (!helper) {
			if (!IS_MENDED)
				flock(fd, LOCK_UN);
			_exit(0);
		}
	}
	assert(pread(fd, &value, sizeof(value), 0) == sizeof(value));
	WINDOW();
	value++;
	assert(pwrite(fd, &value, sizeof(value), 0) == sizeof(value));
	assert(!helper || waitpid(helper, NULL, 0) == helper);
	close(fd);
}

int main(void)
{
	int fd = mkstemp(path), value = 0, status;
	pid_t child;

	assert(fd >= 0 && write(fd, &value, sizeof(value)) == sizeof(value));
	child = fork();
	assert(child >= 0);
	if (!child) {
		increment(0);
		_exit(0);
	}
	increment(1);
	assert(waitpid(child, &status, 0) == child && !status);
	assert(pread(fd, &value, sizeof(value), 0) == sizeof(value));
	unlink(path);
	return value == 2 ? 0 : 1;
}
