// SPDX-License-Identifier: GPL-2.0-only
/*
 * A parent waits for its child with sigwait(3). It blocks SIGCHLD while the child is not there
 * yet, which is not a point: nobody could tell.
 *
 * expect: verdict=ok runs=1,2,3
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	sigset_t set;
	pid_t child;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(0);
	assert(!sigwait(&set, &sig));
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
