// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program looks at what its signal handler changes, and only then blocks the signal.
 *
 * expect: verdict=assert preemptions=1
 * The child must send its signal while the parent stands at its sigprocmask(2).
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t up;

static void on_up(int sig)
{
	(void)sig;
	up = 1;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_up, .sa_flags = SA_RESTART };
	sigset_t mine, old;
	pid_t child;
	int seen;

	assert(!sigaction(SIGUSR1, &action, NULL));
	sigemptyset(&mine);
	sigaddset(&mine, SIGUSR1);
	child = fork();
	assert(child >= 0);
	if (!child) {
		assert(!kill(getppid(), SIGUSR1));
		_exit(0);
	}
	seen = up;
	sigprocmask(SIG_BLOCK, &mine, &old);
	assert(up == seen);
	sigprocmask(SIG_SETMASK, &old, NULL);
	assert(waitpid(child, NULL, 0) == child);
	assert(up);
	return 0;
}
