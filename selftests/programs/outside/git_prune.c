// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object that nothing refers to is pruned. Another process has found that the object is
 * there, need not be written again, and makes a reference to it. Mended: both take a lock.
 *
 * source: git-gc(1), Notes (objects that are referenced while they are pruned)
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "../native/scratch.h"
#include "outside.h"

static void touch(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0600);

	assert(fd >= 0);
	close(fd);
}

static int lock(void)
{
	int fd = open("lock", O_RDWR | O_CREAT, 0600);

	assert(fd >= 0 && (!IS_MENDED || !flock(fd, LOCK_EX)));
	return fd;
}

static void prune(void)
{
	int fd = lock();

	if (access("reference", F_OK))
		unlink("object");
	close(fd);
}

static void commit(void)
{
	int fd = lock();

	if (access("object", F_OK))
		touch("object");
	touch("reference");
	close(fd);
}

int main(void)
{
	int has_failed;
	pid_t child;

	enter_scratch();
	touch("object");
	child = fork();
	assert(child >= 0);
	if (!child) {
		prune();
		_exit(0);
	}
	commit();
	assert(waitpid(child, NULL, 0) == child);
	has_failed = access("object", F_OK);
	unlink("object");
	unlink("reference");
	unlink("lock");
	leave_scratch();
	return !!has_failed;
}
