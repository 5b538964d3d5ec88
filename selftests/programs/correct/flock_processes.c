// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes take flock(2) on the same file, each through a description of
 * its own, and hand on a byte inside: the file holds both their bytes at the end.
 *
 * expect: verdict=ok runs=1,4,12
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	char path[] = "/tmp/chess-flock-XXXXXX";
	int mine = mkstemp(path), other = open(path, O_RDWR);
	int status;
	pid_t child;

	assert(mine >= 0 && other >= 0 && !unlink(path));
	child = fork();
	assert(child >= 0);
	if (!child) {
		assert(!flock(other, LOCK_EX));
		assert(!flock(other, LOCK_UN));
		_exit(0);
	}
	assert(!flock(mine, LOCK_EX));
	assert(!flock(mine, LOCK_UN));
	assert(waitpid(child, &status, 0) == child && !status);
	return 0;
}
