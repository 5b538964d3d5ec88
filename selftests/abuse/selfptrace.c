// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traces the system calls of its child. Hard: tracer and tracee are both under control.
 */
#include <sys/ptrace.h>

#include "abuse.h"

int main(void)
{
	int status, i, stops = 0;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		for (i = 0; i < 5; i++)
			getppid();
		close(open("/dev/null", O_WRONLY));
		_exit(7);
	}
	waitpid(pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD);
	for (;;) {
		ptrace(PTRACE_SYSCALL, pid, 0, 0);
		if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
			break;
		stops += WSTOPSIG(status) == (SIGTRAP | 0x80);
	}
	say("status %#x, enough stops %d\n", status, stops >= 14);
	return 0;
}
