// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same where another process sends the signal. Mended: the handler only says that it came,
 * by an atomic variable, and main counts.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static int count;
static atomic_int came;

static void on_signal(int sig)
{
	(void)sig;
#ifndef MENDED
	count++;
#endif
	came = 1;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	pid_t child;

	sigaction(SIGUSR1, &action, NULL);
	child = fork();
	assert(child >= 0);
	if (!child) {
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	count++;
	waitpid(child, NULL, 0);
#ifdef MENDED
	if (came)
		count++;
#endif
	assert(came && count == 2);
	return 0;
}
