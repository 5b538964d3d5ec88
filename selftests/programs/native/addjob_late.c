// SPDX-License-Identifier: GPL-2.0-only
/*
 * A shell notes its job when fork(2) has returned. The job may have ended by then, and the
 * handler of SIGCHLD has not found it in the list: it is noted, and stays there.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static volatile pid_t job;

static void on_child(int sig)
{
	pid_t child;

	(void)sig;
	while ((child = waitpid(-1, NULL, WNOHANG)) > 0)
		if (child == job)
			job = 0;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_child };
	sigset_t set, old;
	pid_t child;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaction(SIGCHLD, &action, NULL);
	sigprocmask(SIG_BLOCK, IS_MENDED ? &set : NULL, &old);
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(0);
	WINDOW();
	job = child;
	sigprocmask(SIG_BLOCK, &set, NULL);
	while (job)
		sigsuspend(&old);
	return 0;
}
