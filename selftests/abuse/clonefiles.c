// SPDX-License-Identifier: GPL-2.0-only
/*
 * clone(2) in unusual ways: shared descriptors, shared memory without being a thread, shared
 * handlers, a sibling by CLONE_PARENT, a child that ends with no signal or another one. Hard:
 * which task is a process, which share traps, which is waited for.
 */
#include "abuse.h"

static int shared;

static int opens(void *unused)
{
	(void)unused;
	dup2(open("/dev/null", O_RDWR), 700);
	return 5;
}

static int sleeps(void *unused)
{
	(void)unused;
	usleep(1000);
	return 6;
}

static int adds(void *unused)
{
	(void)unused;
	shared++;
	sched_yield();
	shared++;
	return 0;
}

int main(void)
{
	char *stacks = malloc(3 << 16);
	int status, children = 0;
	pid_t pid;

	pid = clone(opens, stacks + (1 << 16), CLONE_FILES | SIGCHLD, NULL);
	status = status_of(pid);
	say("files %d, seen %d\n", WEXITSTATUS(status), fcntl(700, F_GETFD) >= 0);
	pid = clone(adds, stacks + (2 << 16), CLONE_VM | SIGCHLD, NULL);
	sched_yield();
	status_of(pid);
	say("memory %d\n", shared);
	pid = clone(adds, stacks + (2 << 16),
		    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | SIGCHLD, NULL);
	status_of(pid);
	say("handlers %d\n", shared);
	if (!fork())
		_exit(clone(sleeps, stacks + (3 << 16), CLONE_PARENT | SIGCHLD, NULL) <= 0);
	while (wait(&status) > 0)
		children++;
	say("children %d\n", children);
	signal(SIGUSR1, SIG_IGN);
	pid = clone(sleeps, stacks + (1 << 16), SIGUSR1, NULL);
	say("with another signal %d\n", waitpid(pid, &status, __WALL) > 0);
	pid = clone(sleeps, stacks + (1 << 16), 0, NULL);
	say("without one %d\n", waitpid(pid, &status, __WCLONE) > 0);
	return 0;
}
