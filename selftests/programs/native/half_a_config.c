// SPDX-License-Identifier: GPL-2.0-only
/*
 * A configuration is written where others read it, in two writes. A process that reads it in
 * between gets the first half.
 *
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "scratch.h"
#include "window.h"

static void save(const char *name, const char *host, const char *port)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert(fd >= 0);
	assert(write(fd, host, strlen(host)) == (ssize_t)strlen(host));
	WINDOW();
	assert(write(fd, port, strlen(port)) == (ssize_t)strlen(port));
	close(fd);
}

static int load(void)
{
	int fd = open("config", O_RDONLY);
	char text[32] = "";

	INTO_WINDOW();
	assert(fd >= 0 && read(fd, text, sizeof(text) - 1) >= 0);
	return strcmp(text, "old 80") && strcmp(text, "new 8080");
}

int main(void)
{
	int status;
	pid_t child;

	enter_scratch();
	save("config", "old ", "80");
	child = fork();
	assert(child >= 0);
	if (!child)
		_exit(load());
	if (IS_MENDED) {
		save("config.new", "new ", "8080");
		assert(!rename("config.new", "config"));
	} else {
		save("config", "new ", "8080");
	}
	assert(waitpid(child, &status, 0) == child);
	unlink("config");
	leave_scratch();
	return WEXITSTATUS(status);
}
