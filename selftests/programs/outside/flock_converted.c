// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process reads a number under a shared lock, and converts the lock to write the number that
 * comes next. To convert is to give the lock back first: another process comes in between.
 *
 * source: flock(2), Notes (conversion is not atomic)
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "../native/scratch.h"
#include "outside.h"

static void add_one(void)
{
	int fd = open("number", O_RDWR);
	char digit;

	assert(fd >= 0);
	assert(!flock(fd, IS_MENDED ? LOCK_EX : LOCK_SH));
	assert(pread(fd, &digit, 1, 0) == 1);
	assert(!flock(fd, LOCK_EX));
	digit++;
	assert(pwrite(fd, &digit, 1, 0) == 1);
	close(fd);
}

int main(void)
{
	char digit = '0';
	pid_t child;
	int fd;

	enter_scratch();
	fd = open("number", O_RDWR | O_CREAT, 0600);
	assert(fd >= 0 && pwrite(fd, &digit, 1, 0) == 1);
	child = fork();
	assert(child >= 0);
	if (!child) {
		add_one();
		_exit(0);
	}
	add_one();
	assert(waitpid(child, NULL, 0) == child);
	assert(pread(fd, &digit, 1, 0) == 1);
	unlink("number");
	leave_scratch();
	return digit != '2';
}
