// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes descriptors out of its child with pidfd_getfd, and waits for it by poll. Hard: an
 * object that two processes have without sharing a table.
 */
#include <poll.h>

#include "abuse.h"

int main(void)
{
	int fds[2], back[2], pidfd, got;
	struct pollfd pollfd;
	char byte = '?';
	pid_t pid;

	if (pipe(fds) || pipe(back))
		return 1;
	pid = fork();
	if (!pid) {
		int own[2];

		if (pipe(own) || dup2(own[0], 500) < 0 || write(own[1], "y", 1) != 1 ||
		    write(fds[1], "x", 1) != 1 || read(back[0], &byte, 1) != 1)
			_exit(1);
		_exit(6);
	}
	if (read(fds[0], &byte, 1) != 1)
		return 1;
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	got = (int)syscall(SYS_pidfd_getfd, pidfd, 500, 0);
	if (read(got, &byte, 1) != 1)
		return 1;
	say("byte %c\n", byte);
	if (write(back[1], "z", 1) != 1)
		return 1;
	pollfd = (struct pollfd){ .fd = pidfd, .events = POLLIN };
	say("polled %d\n", poll(&pollfd, 1, -1));
	say("status %#x\n", status_of(pid));
	return 0;
}
