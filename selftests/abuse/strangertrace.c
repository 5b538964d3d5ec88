// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two children: one attaches to the other with PTRACE_SEIZE, interrupts it and lets it go.
 * Hard: a tracer that is no parent; the rights are those of the parent's permission.
 */
#include <sys/ptrace.h>

#include "abuse.h"

int main(void)
{
	int start[2], status, i;
	pid_t subject, tracer;
	char byte;

	if (pipe(start))
		return 1;
	subject = fork();
	if (!subject) {
		prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
		if (read(start[0], &byte, 1) != 1)
			_exit(1);
		for (i = 0; i < 5; i++)
			sched_yield();
		_exit(5);
	}
	tracer = fork();
	if (!tracer) {
		if (ptrace(PTRACE_SEIZE, subject, 0, 0) || ptrace(PTRACE_INTERRUPT, subject, 0, 0))
			_exit(2);
		if (waitpid(subject, &status, __WALL) != subject || !WIFSTOPPED(status))
			_exit(3);
		ptrace(PTRACE_DETACH, subject, 0, 0);
		_exit(0);
	}
	say("tracer %#x\n", status_of(tracer));
	if (write(start[1], "x", 1) != 1)
		return 1;
	say("subject %#x\n", status_of(subject));
	return 0;
}
