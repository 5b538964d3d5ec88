// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads execute programs by vfork. Hard: a child runs in its parent's memory, traps and
 * all.
 */
#include "abuse.h"

static void *spawn(void *unused)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < 3; i++) {
		pid = vfork();
		if (!pid) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(9);
		}
		waitpid(pid, &status, 0);
		count(NULL);
	}
	return unused;
}

int main(void)
{
	both(spawn, NULL, NULL);
	say("counted %d\n", counted);
	return 0;
}
