// SPDX-License-Identifier: GPL-2.0-only
/*
 * What can be attached to: a process with a program, alive, that the caller may look
 * into. Everything else is refused here with a sentence, before anything is loaded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/attach.h"
#include "where.h"

#define PF_KTHREAD	0x00200000

/* /proc/TID/stat: its state and flags. Return: false when there is no such task. */
static bool read_stat(const char *folder, const char *tid, char *state, unsigned int *flags)
{
	char *path = cli_printf("%s/%s/stat", folder, tid), text[1024], *at;
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	free(path);
	if (f)
		fclose(f);
	text[n] = 0;
	at = strrchr(text, ')');
	/* After the name: state, four numbers, tpgid, flags. */
	return at && sscanf(at + 1, " %c %*d %*d %*d %*d %*d %u", state, flags) == 2;
}

/* Of a process whose first thread has ended others may go on. */
static bool is_dead(pid_t pid)
{
	char *folder = cli_printf("/proc/%d/task", pid), state = 0;
	DIR *tasks = opendir(folder);
	unsigned int flags;
	struct dirent *e;
	bool dead = true;

	while (dead && tasks && (e = readdir(tasks)))
		if (*e->d_name != '.' && read_stat(folder, e->d_name, &state, &flags))
			dead = state == 'Z' || state == 'X';
	if (tasks)
		closedir(tasks);
	free(folder);
	return dead;
}

static pid_t process_of(pid_t tid)
{
	char *path = cli_printf("/proc/%d/status", tid), line[128];
	FILE *f = fopen(path, "re");
	int tgid = 0;

	while (f && fgets(line, sizeof(line), f) && sscanf(line, "Tgid: %d", &tgid) != 1)
		;
	if (f)
		fclose(f);
	free(path);
	return tgid;
}

static int refuse_owner(pid_t pid, uid_t uid)
{
	struct passwd *owner = getpwuid(uid);
	char *name = owner ? cli_printf("%s", owner->pw_name) : cli_printf("user %u", uid);
	int ret = cli_fail(CLI_ENVIRONMENT, "attach: you may not examine process %d: it belongs to %s; run this as that user, or as root",
			   pid, name);

	free(name);
	return ret;
}

int attach_target(pid_t pid)
{
	char number[16], *path, state;
	unsigned int flags;
	struct stat st;
	pid_t tgid;
	int fd;

	snprintf(number, sizeof(number), "%d", pid);
	if (!read_stat("/proc", number, &state, &flags))
		return cli_fail(CLI_USAGE,
				"attach: there is no process %d; ps -e lists those there are", pid);
	tgid = process_of(pid);
	if (tgid != pid)
		return cli_fail(CLI_USAGE,
				"attach: %d is a thread of process %d; give the number of the process",
				pid, tgid);
	if (flags & PF_KTHREAD)
		return cli_fail(CLI_USAGE,
				"attach: %d is a thread of the kernel, which has no program to observe",
				pid);
	if (is_dead(pid))
		return cli_fail(CLI_USAGE,
				"attach: process %d has ended and waits to be reaped by its parent",
				pid);
	path = cli_printf("/proc/%d", pid);
	if (stat(path, &st))
		st.st_uid = 0;
	free(path);
	/* The kernel's own rule (ptrace_may_access), by asking it. */
	path = cli_printf("/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0 && (errno == EACCES || errno == EPERM))
		return refuse_owner(pid, st.st_uid);
	if (fd >= 0)
		close(fd);
	return CLI_PROCEED;
}

int attach_module(pid_t pid, struct chess_ctl **ctl)
{
	/* A service of this machine: what a VM has is no help. */
	struct where where = { .host = true };
	int ret = attach_target(pid);

	if (ret == CLI_PROCEED)
		ret = where_go(&where, 1, (char *[]){ (char *)"attach", NULL });
	*ctl = where.ctl;
	return ret;
}
