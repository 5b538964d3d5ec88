// SPDX-License-Identifier: GPL-2.0-only
/*
 * A privileged program asks whether the user may write a file, and then opens it by its name,
 * which the user has made a link to another file by then.
 *
 * source: Bishop and Dilger, Computing Systems 9(2), 1996 (xterm -l)
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../native/scratch.h"
#include "outside.h"

/* What a user may write is what is no link, here. */
static void log_line(void)
{
	struct stat status;
	int fd;

	if (lstat("log", &status) || S_ISLNK(status.st_mode))
		return;
	fd = open("log", O_WRONLY | (IS_MENDED ? O_NOFOLLOW : 0));
	if (fd < 0)
		return;
	assert(write(fd, "line\n", 5) == 5);
	close(fd);
}

int main(void)
{
	struct stat secret;
	pid_t user;

	enter_scratch();
	close(open("secret", O_WRONLY | O_CREAT, 0600));
	close(open("log", O_WRONLY | O_CREAT, 0600));
	user = fork();
	assert(user >= 0);
	if (!user) {
		assert(!symlink("secret", "link"));
		assert(!rename("link", "log"));
		_exit(0);
	}
	log_line();
	assert(waitpid(user, NULL, 0) == user);
	assert(!stat("secret", &secret));
	unlink("log");
	unlink("secret");
	leave_scratch();
	return secret.st_size != 0;
}
