// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker shows by its name what it does, and its master looks at that before the worker
 * says that it is done.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static int is_busy(pid_t worker)
{
	char path[64], name[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", worker);
	f = fopen(path, "r");
	assert(f && fgets(name, sizeof(name), f));
	fclose(f);
	return !strcmp(name, "busy\n");
}

int main(void)
{
	int fd[2], wrong;
	pid_t worker;
	char byte;

	assert(!pipe(fd));
	worker = fork();
	assert(worker >= 0);
	if (!worker) {
		prctl(PR_SET_NAME, "busy");
		WINDOW();
		prctl(PR_SET_NAME, "idle");
		assert(write(fd[1], "", 1) == 1);
		_exit(0);
	}
	INTO_WINDOW();
	if (IS_MENDED)
		assert(read(fd[0], &byte, 1) == 1);
	wrong = is_busy(worker);
	if (!IS_MENDED)
		assert(read(fd[0], &byte, 1) == 1);
	assert(waitpid(worker, NULL, 0) == worker);
	return wrong;
}
