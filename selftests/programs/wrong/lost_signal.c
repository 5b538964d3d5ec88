// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flag that a signal handler sets is tested before pause(2): a signal that
 * comes in between is handled, and pause waits for the next one.
 *
 * expect: verdict=deadlock preemptions=1
 * Without a preemption the parent is in pause when the child sends the signal.
 * It must be left between the test and the call, where it is enabled.
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ready;

static void handler(int sig)
{
	(void)sig;
	ready = 1;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	int status;
	pid_t child, parent = getpid();

	assert(!sigaction(SIGUSR1, &action, NULL));
	child = fork();
	assert(child >= 0);
	if (!child) {
		assert(!kill(parent, SIGUSR1));
		_exit(0);
	}
	if (!ready)
		pause();
	assert(waitpid(child, &status, 0) == child && !status);
	return 0;
}
