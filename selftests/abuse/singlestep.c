// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps through its child, locks included, and lets it go. Hard: an instruction with a trap is
 * stepped.
 */
#include <sys/ptrace.h>

#include "abuse.h"

int main(void)
{
	int status, steps = 0;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		count(NULL);
		_exit(7);
	}
	waitpid(pid, &status, 0);
	while (steps < 500) {
		ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
		if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
			break;
		steps++;
	}
	if (WIFSTOPPED(status)) {
		ptrace(PTRACE_DETACH, pid, 0, 0);
		waitpid(pid, &status, 0);
	}
	say("status %#x, enough steps %d\n", status, steps > 20);
	return 0;
}
