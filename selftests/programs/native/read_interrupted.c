// SPDX-License-Identifier: GPL-2.0-only
/*
 * A parent reads the answer of one child while another one ends: its handler of SIGCHLD
 * breaks the read(2) off, and EINTR is taken for an answer that does not come.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static int answer[2];
static volatile sig_atomic_t ended;

static void on_child(int sig)
{
	(void)sig;
	ended++;
}

static pid_t start(void (*run)(void))
{
	pid_t child = fork();

	assert(child >= 0);
	if (!child) {
		run();
		_exit(0);
	}
	return child;
}

static void tidy_up(void)
{
	WINDOW();
}

static void reply(void)
{
	WINDOW();
	WINDOW();
	if (write(answer[1], "y", 1) != 1)
		_exit(1);
}

int main(void)
{
	struct sigaction action = {
		.sa_handler = on_child, .sa_flags = IS_MENDED ? SA_RESTART : 0,
	};
	char byte;

	assert(!pipe(answer));
	sigaction(SIGCHLD, &action, NULL);
	start(tidy_up);
	start(reply);
	assert(read(answer[0], &byte, 1) == 1);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return 0;
}
