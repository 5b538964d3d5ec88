// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread makes a pipe and then says that programs must not inherit it; another starts a
 * program in between. That program has the writing end open, so the reader never sees the
 * end, for which the program's own end waits.
 *
 * expect: verdict=deadlock
 * options: --bound 1
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static int until[2];

static void *read_to_end(void *arg)
{
	int ends[2];
	char byte;

	(void)arg;
	if (IS_MENDED) {
		assert(!pipe2(ends, O_CLOEXEC));
	} else {
		assert(!pipe(ends));
		WINDOW();
		assert(!fcntl(ends[1], F_SETFD, FD_CLOEXEC));
	}
	close(ends[1]);
	assert(!read(ends[0], &byte, 1));
	close(ends[0]);
	/* Now the program may end. */
	close(until[1]);
	return NULL;
}

int main(int argc, char **argv)
{
	char *args[] = { argv[0], "program", NULL };
	pthread_t thread;
	int status;
	pid_t pid;
	char byte;

	if (argc > 1)
		return read(0, &byte, 1) != 0;
	assert(!pipe2(until, O_CLOEXEC) && dup2(until[0], 0) == 0);
	assert(!pthread_create(&thread, NULL, read_to_end, NULL));
	INTO_WINDOW();
	assert(!posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, NULL));
	assert(waitpid(pid, &status, 0) == pid && !status);
	assert(!pthread_join(thread, NULL));
	return 0;
}
