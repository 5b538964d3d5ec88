// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread ends its process with SIGKILL while siblings wait for a lock, a pipe and a signal.
 * Hard: all die at once, beside the one that has the token.
 */
#include "abuse.h"

static int fds[2];

static void *wait_pipe(void *unused)
{
	char byte;

	if (read(fds[0], &byte, 1) == 1)
		say("woken\n");
	return unused;
}

static void *wait_lock(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (!pid) {
		pthread_mutex_lock(&mutex);
		if (pipe(fds))
			_exit(1);
		pthread_create(&thread, NULL, wait_pipe, NULL);
		pthread_create(&thread, NULL, wait_lock, NULL);
		sched_yield();
		syscall(SYS_tgkill, getpid(), gettid(), SIGKILL);
	}
	say("status %#x\n", status_of(pid));
	return 0;
}
