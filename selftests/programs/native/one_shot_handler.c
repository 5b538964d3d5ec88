// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler set with the signal(2) of System V is set once for one signal, so it begins by
 * setting itself again. A signal that comes before it has done so ends the process.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static volatile sig_atomic_t seen;

static void on_usr1(int sig)
{
	WINDOW();
	WINDOW();
	if (!IS_MENDED)
		sysv_signal(sig, on_usr1);
	seen++;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_usr1 };
	pid_t child;

	if (IS_MENDED)
		sigaction(SIGUSR1, &action, NULL);
	else
		sysv_signal(SIGUSR1, on_usr1);
	child = fork();
	assert(child >= 0);
	if (!child) {
		kill(getppid(), SIGUSR1);
		WINDOW();
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	while (waitpid(child, NULL, 0) < 0)
		assert(errno == EINTR);
	assert(seen >= 1);
	return 0;
}
