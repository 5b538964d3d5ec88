// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: SIGCHLD. Its handler is after fork() and the end of the child, and before the
 * wait for that is over.
 */
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int *shared;
static int prepared, ended;

static void on_child(int sig)
{
	(void)sig;
	ended = prepared + *shared;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_child, .sa_flags = SA_RESTART };
	pid_t child;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		return 2;
	sigaction(SIGCHLD, &action, NULL);
	prepared = 1;
	child = fork();
	if (child < 0)
		return 2;
	if (!child) {
		*shared = 1;
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return ended != 2;
}
