// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that may only read, write and exit. Hard: nothing of ours may make calls in there.
 */
#include "abuse.h"

static int fds[2];

static void *confined(void *unused)
{
	char byte;
	int i, odd = 0;

	prctl(PR_SET_SECCOMP, 1);
	for (i = 0; i < 5; i++)
		odd += write(fds[1], "x", 1) != 1 || read(fds[0], &byte, 1) != 1;
	if (!odd && write(1, "in the cell\n", 12) == 12)
		syscall(SYS_exit, 0);
	return unused;
}

int main(void)
{
	pthread_t thread;

	if (pipe(fds))
		return 1;
	pthread_create(&thread, NULL, confined, NULL);
	pthread_join(thread, NULL);
	say("joined\n");
	return 0;
}
