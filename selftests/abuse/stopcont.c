// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stops its child and has it go on. Hard: a stop from within is part of the program.
 */
#include "abuse.h"

int main(void)
{
	int status, i;
	pid_t pid = fork();

	if (!pid) {
		for (i = 0; i < 20; i++)
			sched_yield();
		_exit(3);
	}
	kill(pid, SIGSTOP);
	waitpid(pid, &status, WUNTRACED);
	say("stopped or ended %d\n", WIFSTOPPED(status) || WIFEXITED(status));
	kill(pid, SIGCONT);
	if (!WIFEXITED(status))
		waitpid(pid, &status, 0);
	say("ended with %d\n", WEXITSTATUS(status));
	return 0;
}
