// SPDX-License-Identifier: GPL-2.0-only
/*
 * A path in a container is resolved, so that no link leads out of it, and then used. The
 * container has exchanged a directory for a link by then.
 *
 * source: CVE-2018-15664 (Docker, docker cp)
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../native/scratch.h"
#include "outside.h"

static int open_dir(void)
{
	struct stat status;

	if (IS_MENDED)
		return open("root/dir", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	if (lstat("root/dir", &status) || !S_ISDIR(status.st_mode))
		return -1;
	return open("root/dir", O_RDONLY | O_DIRECTORY);
}

int main(void)
{
	int has_failed = 0, dir;
	pid_t container;

	enter_scratch();
	assert(!mkdir("host", 0700) && !mkdir("root", 0700) && !mkdir("root/dir", 0700));
	close(open("host/secret", O_WRONLY | O_CREAT, 0600));
	assert(!symlink("../host", "root/link"));
	container = fork();
	assert(container >= 0);
	if (!container) {
		assert(!renameat2(AT_FDCWD, "root/dir", AT_FDCWD, "root/link", RENAME_EXCHANGE));
		_exit(0);
	}
	dir = open_dir();
	if (dir >= 0) {
		has_failed = !faccessat(dir, "secret", F_OK, 0);
		close(dir);
	}
	assert(waitpid(container, NULL, 0) == container);
	assert(!unlink("root/dir") && !rmdir("root/link") && !unlink("host/secret"));
	assert(!rmdir("root") && !rmdir("host"));
	leave_scratch();
	return has_failed;
}
