// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first thread of a process ends, the others go on. Hard: a task that is a zombie and
 * still stands for its process.
 */
#include "abuse.h"

static void *stay(void *unused)
{
	int i;

	(void)unused;
	usleep(2000);
	for (i = 0; i < 5; i++)
		sched_yield();
	say("thread goes on\n");
	_exit(5);
}

int main(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (!pid) {
		pthread_create(&thread, NULL, stay, NULL);
		syscall(SYS_exit, 0);
	}
	say("status %#x\n", status_of(pid));
	return 0;
}
