// SPDX-License-Identifier: GPL-2.0-only
/*
 * A service says that it is up before it has a handler for SIGHUP, by which it is told to
 * read its configuration again: the first SIGHUP may end it.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static int up[2], stop[2];
static volatile sig_atomic_t reloads;

static void on_hup(int sig)
{
	(void)sig;
	reloads++;
}

static void serve(void)
{
	struct sigaction action = { .sa_handler = on_hup, .sa_flags = SA_RESTART };
	char byte;

	close(stop[1]);
	if (IS_MENDED)
		sigaction(SIGHUP, &action, NULL);
	if (write(up[1], "u", 1) != 1)
		_exit(1);
	WINDOW();
	sigaction(SIGHUP, &action, NULL);
	_exit(read(stop[0], &byte, 1) != 0);
}

int main(void)
{
	char byte;
	int status;
	pid_t child;

	assert(!pipe(up) && !pipe(stop));
	child = fork();
	assert(child >= 0);
	if (!child)
		serve();
	assert(read(up[0], &byte, 1) == 1);
	kill(child, SIGHUP);
	close(stop[1]);
	assert(waitpid(child, &status, 0) == child);
	assert(WIFEXITED(status) && !WEXITSTATUS(status));
	return 0;
}
