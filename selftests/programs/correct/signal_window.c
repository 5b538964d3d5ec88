// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program blocks a signal before it looks at what the handler of the signal changes. Both
 * changes of its mask are points: a child is there that may send it.
 *
 * expect: verdict=ok runs=1,5,14
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
	sigprocmask(SIG_BLOCK, &mine, &old);
	seen = up;
	assert(up == seen);
	sigprocmask(SIG_SETMASK, &old, NULL);
	assert(waitpid(child, NULL, 0) == child);
	assert(up);
	return 0;
}
