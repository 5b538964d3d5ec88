// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two shells are to do a job once between them: each looks whether the other has left its
 * mark, and if not leaves its own and does it. mkdir(1) would do both in one.
 *
 * expect: verdict=exit
 * options: --private-tmp --bound 1
 */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "scratch.h"
#include "window.h"

#ifdef SLOW
#define BETWEEN "sleep 0.05; "
#else
#define BETWEEN ""
#endif

static const char *script(void)
{
	return IS_MENDED ? "set -C; { : >mark; } 2>/dev/null && echo job >>jobs; :" :
			   "[ -e mark ] || { " BETWEEN ": >mark; echo job >>jobs; }";
}

static pid_t start(void)
{
	char *args[] = { "sh", "-c", (char *)script(), NULL }, *env[] = { "PATH=/bin", NULL };
	pid_t pid;

	assert(!posix_spawn(&pid, "/bin/sh", NULL, NULL, args, env));
	return pid;
}

int main(void)
{
	pid_t pids[2];
	int fd, i;
	off_t size;

	enter_scratch();
	for (i = 0; i < 2; i++)
		pids[i] = start();
	for (i = 0; i < 2; i++)
		assert(waitpid(pids[i], NULL, 0) == pids[i]);
	fd = open("jobs", O_RDONLY);
	size = lseek(fd, 0, SEEK_END);
	unlink("jobs");
	unlink("mark");
	leave_scratch();
	return size == 4 ? 0 : 1;
}
