// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several requests to deadlock_service at the same time:
 *
 *   deadlock_client SOCKET REQUEST...
 *
 * All are sent before the first answer is waited for, so that the service has all of
 * them. Exit 0: all were answered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CHECK(x) do { if (!(x)) { perror(#x); exit(2); } } while (0)

static int ask(const struct sockaddr_un *address, const char *request)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	CHECK(fd >= 0);
	CHECK(!connect(fd, (const struct sockaddr *)address, sizeof(*address)));
	CHECK(write(fd, request, strlen(request)) == (ssize_t)strlen(request));
	return fd;
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char answer[64];
	int fd[16], i;

	CHECK(argc > 2 && argc <= 18 && strlen(argv[1]) < sizeof(address.sun_path));
	strcpy(address.sun_path, argv[1]);
	for (i = 2; i < argc; i++)
		fd[i - 2] = ask(&address, argv[i]);
	for (i = 2; i < argc; i++)
		if (read(fd[i - 2], answer, sizeof(answer)) <= 0)
			return 1;
	return 0;
}
