// SPDX-License-Identifier: GPL-2.0-only
/*
 * A service starts the program that is its client and then binds the socket on which the
 * client wants to be served.
 *
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "scratch.h"
#include "window.h"

static const struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "socket" };

static int be_client(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return connect(fd, (const struct sockaddr *)&name, sizeof(name)) ? 1 : 0;
}

static pid_t start_client(char *program)
{
	char *args[] = { program, "client", NULL };
	pid_t pid;

	assert(!posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, NULL));
	return pid;
}

int main(int argc, char **argv)
{
	int fd, status;
	pid_t pid = 0;

	if (argc > 1)
		return be_client();
	enter_scratch();
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (!IS_MENDED)
		pid = start_client(argv[0]);
	WINDOW();
	assert(!bind(fd, (const struct sockaddr *)&name, sizeof(name)) && !listen(fd, 1));
	if (IS_MENDED)
		pid = start_client(argv[0]);
	assert(waitpid(pid, &status, 0) == pid);
	unlink("socket");
	leave_scratch();
	return WEXITSTATUS(status);
}
