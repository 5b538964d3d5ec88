// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tree is removed by going down into each directory and up again by "..". A directory that
 * was moved in between leads up to somewhere else, and what is there is removed instead.
 *
 * source: CVE-2002-0435 (GNU fileutils, rm)
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../native/scratch.h"
#include "outside.h"

/* Removes the file x of d/e, and then that of d. */
static void remove_tree(void)
{
	int up = IS_MENDED ? open("d", O_RDONLY | O_DIRECTORY) : -1;

	if (chdir("d/e"))
		return;
	unlink("x");
	assert(!(IS_MENDED ? fchdir(up) : chdir("..")));
	unlink("x");
}

static void touch(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0600);

	assert(fd >= 0);
	close(fd);
}

int main(void)
{
	int has_failed, top;
	pid_t user;

	enter_scratch();
	top = open(".", O_RDONLY | O_DIRECTORY);
	assert(!mkdir("d", 0700) && !mkdir("d/e", 0700));
	touch("x");
	touch("d/x");
	touch("d/e/x");
	user = fork();
	assert(user >= 0);
	if (!user) {
		assert(!rename("d/e", "f"));
		_exit(0);
	}
	remove_tree();
	assert(waitpid(user, NULL, 0) == user && !fchdir(top));
	has_failed = access("x", F_OK);
	unlink("x");
	unlink("d/x");
	unlink("f/x");
	assert(!rmdir("f") && !rmdir("d"));
	leave_scratch();
	return !!has_failed;
}
