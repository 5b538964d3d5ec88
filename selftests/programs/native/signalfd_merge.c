// SPDX-License-Identifier: GPL-2.0-only
/*
 * A supervisor reads SIGCHLD from a signalfd and reaps the child that each one names. Two
 * children that end before it looks are one SIGCHLD, which names one of them.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define CHILDREN	2

static int reap(pid_t named)
{
	int reaped = 0;

	if (!IS_MENDED)
		return waitpid(named, NULL, 0) == named;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		reaped++;
	return reaped;
}

int main(void)
{
	struct signalfd_siginfo info;
	sigset_t set;
	int i, fd, left = CHILDREN;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	assert(fd >= 0);
	for (i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		assert(child >= 0);
		if (!child)
			_exit(0);
	}
	WINDOW();
	while (left > 0) {
		assert(read(fd, &info, sizeof(info)) == sizeof(info));
		left -= reap(info.ssi_pid);
	}
	return 0;
}
