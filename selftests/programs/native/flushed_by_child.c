// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process forks while another thread of it is between fputs() and fflush(). The child ends by
 * exit(), which flushes what it has a copy of: the line is in the file twice.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static FILE *lines;

static void *log_line(void *arg)
{
	(void)arg;
	assert(fputs("line\n", lines) >= 0);
	WINDOW();
	assert(!fflush(lines));
	return NULL;
}

int main(void)
{
	struct stat file;
	pthread_t thread;
	int status;
	pid_t child;

	lines = tmpfile();
	assert(lines);
	assert(!pthread_create(&thread, NULL, log_line, NULL));
	INTO_WINDOW();
	child = fork();
	assert(child >= 0);
	if (!child) {
		if (IS_MENDED)
			_exit(0);
		exit(0);
	}
	assert(waitpid(child, &status, 0) == child);
	assert(!pthread_join(thread, NULL));
	assert(!fstat(fileno(lines), &file));
	assert(file.st_size == 5);
	return 0;
}
