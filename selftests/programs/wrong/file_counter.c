// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes increment a counter in a file by reading and writing it.
 *
 * expect: verdict=exit preemptions=1
 * The other process's update must fall between the read and the write of one of
 * them; neither blocks there.
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void increment(int fd)
{
	int value = 0;

	assert(pread(fd, &value, sizeof(value), 0) >= 0);
	value++;
	assert(pwrite(fd, &value, sizeof(value), 0) == sizeof(value));
}

int main(void)
{
	char path[] = "/tmp/chess-counter-XXXXXX";
	int fd = mkstemp(path), value = 0, status;
	pid_t child;

	assert(fd >= 0 && !unlink(path));
	child = fork();
	assert(child >= 0);
	if (!child) {
		increment(fd);
		_exit(0);
	}
	increment(fd);
	assert(waitpid(child, &status, 0) == child && !status);
	assert(pread(fd, &value, sizeof(value), 0) == sizeof(value));
	return value == 2 ? 0 : 1;
}
