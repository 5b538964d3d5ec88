// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What /proc says of one task, see proc.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wait/proc.h"

ssize_t chess_proc_read(pid_t tid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n;
}

/* The number after @line in /proc/TID/status. */
static pid_t status_number(pid_t tid, const char *line)
{
	char text[1024], *at;

	if (chess_proc_read(tid, "status", text, sizeof(text)) <= 0)
		return 0;
	at = strstr(text, line);
	return at ? atoi(at + strlen(line)) : 0;
}

pid_t chess_proc_tgid(pid_t tid)
{
	return status_number(tid, "\nTgid:");
}

pid_t chess_proc_parent(pid_t tid)
{
	return status_number(tid, "\nPPid:");
}

pid_t chess_proc_own_id(pid_t tid, const char *line)
{
	char text[2048], *at;

	if (chess_proc_read(tid, "status", text, sizeof(text)) <= 0)
		return 0;
	at = strstr(text, line);
	if (!at)
		return 0;
	at += strlen(line);
	at[strcspn(at, "\n")] = '\0';
	at = strrchr(at, '\t');
	return at ? atoi(at) : 0;
}

char chess_proc_state(pid_t tid)
{
	char text[512], *at;

	if (chess_proc_read(tid, "stat", text, sizeof(text)) <= 0)
		return 0;
	at = strrchr(text, ')');
	return at && at[1] ? at[2] : 0;
}
