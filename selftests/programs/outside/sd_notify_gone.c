// SPDX-License-Identifier: GPL-2.0-only
/*
 * A manager is sent a message by a process and looks up which service that belongs to. The
 * process may have ended by then, and the message is dropped. Mended: the process waits until
 * it was looked up.
 *
 * source: systemd #2737 (sd_notify from short-lived processes)
 * expect: verdict=exit
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

static void notify(int socket)
{
	pid_t self = getpid();
	char byte;

	assert(write(socket, &self, sizeof(self)) == sizeof(self));
	if (IS_MENDED)
		assert(read(socket, &byte, 1) == 1);
}

int main(void)
{
	pid_t service, sender;
	int ends[2], is_known;

	assert(!socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
	service = fork();
	assert(service >= 0);
	if (!service) {
		sender = fork();
		assert(sender >= 0);
		if (!sender) {
			notify(ends[1]);
			_exit(0);
		}
		assert(waitpid(sender, NULL, 0) == sender);
		_exit(0);
	}
	assert(read(ends[0], &sender, sizeof(sender)) == sizeof(sender));
	is_known = !kill(sender, 0);
	assert(write(ends[0], "", 1) == 1);
	assert(waitpid(service, NULL, 0) == service);
	return !is_known;
}
