// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program reaps its background children in a SIGCHLD handler, whichever they are.
 * The handler also takes the child that run_command() waits for.
 *
 * expect: verdict=assert preemptions=1
 * A parent that sleeps in waitpid(2) reaps the child itself before its handler can.
 * The child must end before that, while the parent stands at the call, enabled.
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void reap_children(int sig)
{
	int saved = errno;

	(void)sig;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	errno = saved;
}

/* The command's exit code, or -1, as of system(3). */
static int run_command(int code)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return -1;
	if (!child)
		_exit(code);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	struct sigaction action = { .sa_handler = reap_children, .sa_flags = SA_RESTART };

	assert(!sigaction(SIGCHLD, &action, NULL));
	assert(run_command(3) == 3);
	return 0;
}
