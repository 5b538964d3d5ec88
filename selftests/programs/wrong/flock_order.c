// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes lock two files with flock(2) in opposite order.
 *
 * expect: verdict=deadlock preemptions=1
 * Each process must hold one file and want the other; the first that does is
 * enabled there, because the second file is still free.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static void open_twice(int fds[2])
{
	char path[] = "/tmp/chess-flock-XXXXXX";

	fds[0] = mkstemp(path);
	fds[1] = open(path, O_RDWR);
	assert(fds[0] >= 0 && fds[1] >= 0 && !unlink(path));
}

static void use_both(int first, int second)
{
	assert(!flock(first, LOCK_EX));
	assert(!flock(second, LOCK_EX));
	assert(!flock(second, LOCK_UN));
	assert(!flock(first, LOCK_UN));
}

int main(void)
{
	int data[2], index[2], status;
	pid_t child;

	open_twice(data);
	open_twice(index);
	child = fork();
	assert(child >= 0);
	if (!child) {
		use_both(index[1], data[1]);
		_exit(0);
	}
	use_both(data[0], index[0]);
	assert(waitpid(child, &status, 0) == child && !status);
	return 0;
}
