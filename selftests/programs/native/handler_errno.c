// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler of SIGCHLD reaps all there is, and leaves behind the errno of its last
 * waitpid(2). Code that just got EAGAIN from another call finds ECHILD.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "window.h"

/* WINDOW() would put errno back. */
static void spin(void)
{
#ifdef SLOW
	struct timespec now, begin;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec <
		 100000000);
#endif
}

static void on_child(int sig)
{
	int saved = errno;

	(void)sig;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	if (IS_MENDED)
		errno = saved;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_child, .sa_flags = SA_RESTART };
	int fds[2];
	char byte;
	ssize_t got;
	pid_t child;

	assert(!pipe2(fds, O_NONBLOCK));
	sigaction(SIGCHLD, &action, NULL);
	child = fork();
	assert(child >= 0);
	if (!child) {
		WINDOW();
		_exit(0);
	}
	got = read(fds[0], &byte, 1);
	spin();
	assert(got < 0 && errno == EAGAIN);
	return 0;
}
