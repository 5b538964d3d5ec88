// SPDX-License-Identifier: GPL-2.0-only
/*
 * Five thousand processes, one after the other, every hundredth with a thread. Hard: more tasks
 * in one run than there are numbers for them.
 */
#include "abuse.h"

#define FORKS	5000

static void *nothing(void *unused)
{
	return unused;
}

int main(void)
{
	int i, status, sum = 0;
	pthread_t thread;
	pid_t pid;

	for (i = 0; i < FORKS; i++) {
		pid = fork();
		if (pid < 0) {
			say("fork %d: %s\n", i, strerror(errno));
			return 1;
		}
		if (!pid) {
			if (i % 100 == 0 && (pthread_create(&thread, NULL, nothing, NULL) ||
					     pthread_join(thread, NULL)))
				_exit(255);
			_exit(i % 7);
		}
		if (waitpid(pid, &status, 0) == pid && WIFEXITED(status))
			sum += WEXITSTATUS(status);
	}
	say("%d children, sum %d\n", i, sum);
	return 0;
}
