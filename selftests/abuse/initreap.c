// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of a pid namespace inherits orphans, and ends with some alive. Hard: a
 * parent that changes, and tasks that die of another's end.
 */
#include "abuse.h"

int main(void)
{
	int children = 0;
	pid_t pid;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID)) {
		say("no namespace\n");
		return 0;
	}
	pid = fork();
	if (!pid) {
		/* A child that leaves two orphans. */
		if (!fork()) {
			if (!fork() || !fork())
				_exit(3);
			_exit(4);
		}
		while (wait(NULL) > 0)
			children++;
		if (!fork())
			for (;;)
				pause();
		_exit(children);
	}
	say("status %#x\n", status_of(pid));
	return 0;
}
