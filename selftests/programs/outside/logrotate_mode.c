// SPDX-License-Identifier: GPL-2.0-only
/*
 * A new log is made, and made private after that. In between everybody may open it, and read
 * later what is written to it.
 *
 * source: CVE-2011-1098 (logrotate)
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../native/scratch.h"
#include "outside.h"

/* Root may open anything, so the mode is asked for. */
static int is_readable(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && (status.st_mode & 0004);
}

int main(void)
{
	int fd, status;
	pid_t user;

	enter_scratch();
	umask(0);
	user = fork();
	assert(user >= 0);
	if (!user) {
		fd = open("log", O_RDONLY);
		_exit(fd >= 0 && is_readable(fd));
	}
	fd = open("log", O_WRONLY | O_CREAT, IS_MENDED ? 0600 : 0666);
	assert(fd >= 0);
	assert(!fchmod(fd, 0600));
	assert(waitpid(user, &status, 0) == user);
	close(fd);
	unlink("log");
	leave_scratch();
	return WEXITSTATUS(status);
}
