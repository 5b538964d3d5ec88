// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server makes its lock file under a name of its own and changes its mode by that name. The
 * user has put a link to another file there by then, which everybody may read from now on.
 *
 * source: CVE-2011-4029 (X.Org server, LockServer)
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../native/scratch.h"
#include "outside.h"

static void lock_server(void)
{
	int fd = open("lock", O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (fd < 0)
		return;
	if (IS_MENDED)
		assert(!fchmod(fd, 0444));
	else
		chmod("lock", 0444);
	close(fd);
}

int main(void)
{
	struct stat secret;
	pid_t user;

	enter_scratch();
	close(open("secret", O_WRONLY | O_CREAT, 0600));
	user = fork();
	assert(user >= 0);
	if (!user) {
		unlink("lock");
		symlink("secret", "lock");
		_exit(0);
	}
	lock_server();
	assert(waitpid(user, NULL, 0) == user);
	assert(!stat("secret", &secret));
	unlink("lock");
	unlink("secret");
	leave_scratch();
	return !!(secret.st_mode & 0004);
}
