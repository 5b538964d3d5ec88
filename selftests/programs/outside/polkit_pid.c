// SPDX-License-Identifier: GPL-2.0-only
/*
 * An authority gets a request from a process and looks up by its number which user that is. The
 * process may have become root by then, through a program that runs as root for everybody.
 *
 * source: CVE-2013-4288 (polkit, unix-process by pid)
 * expect: verdict=exit
 * options: --private-tmp
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "../native/scratch.h"
#include "outside.h"

#define USER 1000

static uid_t user_of(int peer)
{
	struct ucred cred;
	socklen_t size = sizeof(cred);
	char path[32], text[1024], *at;
	int fd, n;

	assert(!getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &cred, &size));
	if (IS_MENDED)
		return cred.uid;
	snprintf(path, sizeof(path), "/proc/%d/status", cred.pid);
	fd = open(path, O_RDONLY);
	assert(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	assert(n > 0);
	close(fd);
	text[n] = 0;
	at = strstr(text, "\nUid:\t");
	assert(at);
	/* The real user, the effective one. */
	return strtoul(strchr(at + 6, '\t'), NULL, 10);
}

int main(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "authority" };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), peer;
	pid_t child;
	uid_t user;

	enter_scratch();
	assert(!chmod(".", 0777));
	assert(!bind(listener, (struct sockaddr *)&name, sizeof(name)));
	assert(!chmod("authority", 0777) && !listen(listener, 1));
	child = fork();
	assert(child >= 0);
	if (!child) {
		peer = socket(AF_UNIX, SOCK_STREAM, 0);
		assert(!setresuid(USER, USER, 0));
		assert(!connect(peer, (struct sockaddr *)&name, sizeof(name)));
		assert(!seteuid(0));
		_exit(0);
	}
	peer = accept(listener, NULL, NULL);
	assert(peer >= 0);
	user = user_of(peer);
	assert(waitpid(child, NULL, 0) == child);
	unlink("authority");
	leave_scratch();
	return user != USER;
}
