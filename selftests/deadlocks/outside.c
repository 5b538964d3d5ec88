// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits that something outside can end, so that they are not deadlocks: outside NAME,
 * run by deadlocks.sh, which has the other ends open. Each also has a thread that waits
 * for the one that waits.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(x) do { if (!(x)) { perror(#x); exit(2); } } while (0)

static const char *what, *path;

static void *wait_outside(void *arg)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct sockaddr_in in = { .sin_family = AF_INET };
	char x;
	int fd;

	if (!strcmp(what, "terminal") || !strcmp(what, "fifo")) {
		fd = open(path, O_RDONLY);
		CHECK(fd >= 0 && read(fd, &x, 1) == 1);
	} else if (!strcmp(what, "socket")) {
		fd = socket(AF_UNIX, SOCK_STREAM, 0);
		strncpy(to.sun_path, path, sizeof(to.sun_path) - 1);
		CHECK(!connect(fd, (struct sockaddr *)&to, sizeof(to)));
		CHECK(recv(fd, &x, 1, 0) == 1);
	} else if (!strcmp(what, "listener")) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		CHECK(!bind(fd, (struct sockaddr *)&in, sizeof(in)) && !listen(fd, 1));
		CHECK(accept(fd, NULL, NULL) >= 0);
	} else if (!strcmp(what, "lock")) {
		fd = open(path, O_RDWR);
		CHECK(fd >= 0 && !flock(fd, LOCK_EX));
	} else if (!strcmp(what, "child")) {
		/* It leaves control: its privileges rise. */
		if (!fork()) {
			execl(path, path, "1000", NULL);
			_exit(2);
		}
		wait(NULL);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	CHECK(argc == 3);
	what = argv[1];
	path = argv[2];
	CHECK(!pthread_create(&t, NULL, wait_outside, NULL));
	pthread_join(t, NULL);
	return 0;
}
