// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process changes two numbers that belong together. Its inspector reads both by way of
 * /proc/PID/mem, maybe in between: it gets one new and one old.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared_lock.h"
#include "window.h"

static struct state {
	long first;
	long last;
} state;

static void change(void)
{
	lock_shared();
	state.first = 1;
	WINDOW();
	state.last = 1;
	unlock_shared();
	for (;;)
		pause();
}

int main(void)
{
	struct state is;
	char name[32];
	pid_t child;
	int fd;

	make_shared_lock();
	child = fork();
	if (!child)
		change();
	snprintf(name, sizeof(name), "/proc/%d/mem", child);
	fd = open(name, O_RDONLY);
	assert(fd >= 0);
	INTO_WINDOW();
	lock_shared();
	assert(pread(fd, &is, sizeof(is), (off_t)&state) == sizeof(is));
	unlock_shared();
	assert(!kill(child, SIGKILL));
	assert(waitpid(child, NULL, 0) == child);
	assert(is.first == is.last);
	return 0;
}
