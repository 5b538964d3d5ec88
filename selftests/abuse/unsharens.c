// SPDX-License-Identifier: GPL-2.0-only
/*
 * New namespaces of nearly every kind, with a first process that sends itself a signal. Hard:
 * pids are other ones in there.
 */
#include "abuse.h"

int main(void)
{
	int failed = unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET |
			     CLONE_NEWUTS | CLONE_NEWIPC) ? errno : 0;
	pid_t child = fork(), pid;

	if (!child) {
		say("pid %d, user %d\n", getpid(), (int)getuid());
		pid = fork();
		if (!pid) {
			say("pid %d\n", getpid());
			_exit(3);
		}
		say("status %#x\n", status_of(pid));
		kill(getpid(), SIGUSR1);
		_exit(4);
	}
	say("failed %d, status %#x\n", failed, status_of(child));
	return 0;
}
