// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child does not want to wait for its input and says so. That is said to what is open, which
 * its parent reads from, too: the parent is told to try again. Mended: a call that does not
 * wait is asked for, and nothing is changed.
 *
 * source: Bernstein, Unix interface notes, Non-blocking file descriptors
 * expect: verdict=exit
 */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

int main(void)
{
	int ends[2], has_failed;
	pid_t child;
	char byte;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	child = fork();
	assert(child >= 0);
	if (!child) {
		if (IS_MENDED) {
			recv(ends[0], &byte, 1, MSG_DONTWAIT | MSG_PEEK);
		} else {
			fcntl(ends[0], F_SETFL, O_RDWR | O_NONBLOCK);
			recv(ends[0], &byte, 1, MSG_PEEK);
			fcntl(ends[0], F_SETFL, O_RDWR);
		}
		assert(write(ends[1], "a", 1) == 1);
		_exit(0);
	}
	has_failed = read(ends[0], &byte, 1) != 1;
	assert(waitpid(child, NULL, 0) == child);
	return has_failed;
}
