// SPDX-License-Identifier: GPL-2.0-only
/* What the processes of the guest wait in (waiting.h), from /proc. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "waiting.h"

#define MAX_COMMAND 160
#define MAX_FRAMES 8
#define PF_KTHREAD 0x00200000

/* The file @name of thread @tid, with a NUL; its length, 0 when it cannot be read. */
static size_t read_of(const char *pid, const char *tid, const char *name, char *buf, size_t room)
{
	char path[600];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/task/%s/%s", pid, tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, buf, room - 1);
	if (fd >= 0)
		close(fd);
	if (n < 0)
		n = 0;
	buf[n] = '\0';
	return n;
}

/* From "[<0>] name+0x1/0x2" in lines to "name < name", of so many that one sees what it is. */
static void shorten_stack(char *stack)
{
	char *line = strchr(stack, ' '), *to = stack;
	unsigned int n;

	for (n = 0; line && n < MAX_FRAMES; n++) {
		if (n)
			to = mempcpy(to, " < ", 3);
		for (line++; *line && *line != '+' && *line != '\n';)
			*to++ = *line++;
		line = strchr(line, '\n');
		line = line ? strchr(line, ' ') : NULL;
	}
	*to = '\0';
}

static void list_thread(const char *pid, const char *tid, void (*say)(const char *text, size_t len))
{
	char stat[1024], command[MAX_COMMAND], stack[4096], text[1024], state;
	unsigned int flags;
	size_t n, i;
	int parent;
	char *end;

	if (!read_of(pid, tid, "stat", stat, sizeof(stat)))
		return;
	/* The name before it may hold anything. */
	end = strrchr(stat, ')');
	if (!end || sscanf(end, ") %c %d %*d %*d %*d %*d %u", &state, &parent, &flags) != 3 ||
	    (flags & PF_KTHREAD))
		return;
	n = read_of(pid, tid, "cmdline", command, sizeof(command));
	for (i = 0; i < n; i++)
		if ((unsigned char)command[i] < ' ')
			command[i] = ' ';
	read_of(pid, tid, "stack", stack, sizeof(stack));
	shorten_stack(stack);
	end[1] = '\0';
	n = snprintf(text, sizeof(text), "  %s %s, %c, child of %d, %s: %s\n", tid,
		     strchr(stat, '('), state, parent, stack[0] ? stack : "in user mode", command);
	say(text, n < sizeof(text) ? n : sizeof(text) - 1);
}

static void list_process(const char *pid, void (*say)(const char *text, size_t len))
{
	char path[300];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%s/task", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			list_thread(pid, d->d_name, say);
	if (dir)
		closedir(dir);
}

void waiting_list(void (*say)(const char *text, size_t len))
{
	DIR *dir = opendir("/proc");
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (atoi(d->d_name) > 1)
			list_process(d->d_name, say);
	if (dir)
		closedir(dir);
}
