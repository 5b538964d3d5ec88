// SPDX-License-Identifier: GPL-2.0-only
/*
 * Closes a range of descriptors with a table of its own while another thread uses them. Hard:
 * two tables in one process.
 */
#include "abuse.h"

static int fds[2];

static void *leave(void *unused)
{
	syscall(SYS_close_range, 3, ~0U, 2 /* CLOSE_RANGE_UNSHARE */);
	counted += fcntl(fds[0], F_GETFD) < 0;
	return unused;
}

int main(void)
{
	pthread_t thread;
	char byte;

	if (pipe(fds))
		return 1;
	pthread_create(&thread, NULL, leave, NULL);
	pthread_join(thread, NULL);
	say("closed there %d, works here %d\n", counted,
	    write(fds[1], "x", 1) == 1 && read(fds[0], &byte, 1) == 1);
	return 0;
}
