// SPDX-License-Identifier: GPL-2.0-only
/*
 * make reads a token from a pipe to start one more job. Its own child may end between the look
 * for that and the read, which then waits for a token that nobody has. Mended: the handler of
 * SIGCHLD closes the descriptor that is read, so the read fails.
 *
 * source: Smith, POSIX Jobserver Implementation (GNU make)
 * expect: verdict=deadlock
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

static volatile sig_atomic_t has_ended;
static volatile int duplicate = -1;

static void on_child(int sig)
{
	int saved = errno;

	(void)sig;
	has_ended = 1;
	if (IS_MENDED)
		close(duplicate);
	errno = saved;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_child };
	char token;
	int ends[2];
	pid_t child;

	assert(!pipe(ends));
	duplicate = dup(ends[0]);
	assert(duplicate >= 0);
	sigaction(SIGCHLD, &action, NULL);
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(0);
	while (!has_ended)
		if (read(duplicate, &token, 1) < 0)
			assert(errno == EINTR || errno == EBADF);
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
