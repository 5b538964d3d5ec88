// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signal handlers set a flag and write a byte to a pipe that the main loop polls. The loop
 * looks at the flags first and empties the pipe after that: with the byte of a signal that
 * comes in between it throws away what would have woken it up.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static int pipe_fds[2];
static volatile sig_atomic_t reload, quit;

static void on_signal(int sig)
{
	ssize_t written;

	if (sig == SIGHUP)
		reload = 1;
	else
		quit = 1;
	written = write(pipe_fds[1], "", 1);
	(void)written;
}

static void drain(void)
{
	char bytes[16];

	while (read(pipe_fds[0], bytes, sizeof(bytes)) > 0)
		;
}

static void loop(void)
{
	struct pollfd fd = { .fd = pipe_fds[0], .events = POLLIN };

	for (;;) {
		if (poll(&fd, 1, -1) < 0)
			continue;
		if (IS_MENDED)
			drain();
		reload = 0;
		if (quit)
			return;
		WINDOW();
		WINDOW();
		if (!IS_MENDED)
			drain();
	}
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	pid_t child;

	assert(!pipe2(pipe_fds, O_NONBLOCK));
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	child = fork();
	assert(child >= 0);
	if (!child) {
		kill(getppid(), SIGHUP);
		WINDOW();
		kill(getppid(), SIGTERM);
		_exit(0);
	}
	loop();
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
