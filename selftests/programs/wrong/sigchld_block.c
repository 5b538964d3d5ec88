// SPDX-License-Identifier: GPL-2.0-only
/*
 * A parent waits for its child with sigwait(3), but blocks SIGCHLD when the child is there
 * already. The signal of a child that ends before that is dropped, as SIGCHLD is by default.
 *
 * expect: verdict=deadlock preemptions=1
 * The child must run while the parent stands at its sigprocmask(2).
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
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(0);
	sigprocmask(SIG_BLOCK, &set, NULL);
	assert(!sigwait(&set, &sig));
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
