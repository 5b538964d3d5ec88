// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files with code that a process has mapped, for who puts probes into them. They are
 * reached through /proc/PID/map_files, whatever their names mean by now: the library may
 * have been upgraded since, or be in another mount namespace.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "attach/attach.h"

static bool parse(const char *line, struct attach_file *m)
{
	char flags[8];

	m->path[0] = '\0';
	return sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*x %x:%x %" SCNu64 " %511[^\n]",
		      &m->start, &m->end, flags, &m->major, &m->minor, &m->inode, m->path) >= 6 &&
	       flags[2] == 'x' && flags[3] == 'p' && m->inode && m->path[0] == '/';
}

char *attach_file_path(pid_t pid, const struct attach_file *m)
{
	char *path = cli_printf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, m->start, m->end);
	struct stat st;

	/* Without CAP_CHECKPOINT_RESTORE: its name, if that is still the same file. */
	if (stat(path, &st) && (errno == EPERM || errno == EACCES)) {
		free(path);
		path = cli_printf("/proc/%d/root%s", pid, m->path);
		if (stat(path, &st) || st.st_ino != m->inode) {
			free(path);
			return NULL;
		}
	}
	return path;
}

static int of_process(pid_t pid, attach_file_fn *each, void *arg)
{
	char *path = cli_printf("/proc/%d/maps", pid), line[1024];
	FILE *f = fopen(path, "re");
	struct attach_file m;
	int ret = 0, n = 0;

	free(path);
	while (f && ret >= 0 && fgets(line, sizeof(line), f)) {
		if (!parse(line, &m))
			continue;
		ret = each(arg, pid, &m);
		n += ret > 0 ? ret : 0;
	}
	if (f)
		fclose(f);
	return ret < 0 ? ret : n;
}

/* Children of the first thread, which is where nearly all have theirs. */
static int of_tree(pid_t pid, bool tree, attach_file_fn *each, void *arg, int depth)
{
	int n = of_process(pid, each, arg), ret = n;
	char *path;
	pid_t child;
	FILE *f;

	if (n < 0 || !tree || depth > 64)
		return n;
	path = cli_printf("/proc/%d/task/%d/children", pid, pid);
	f = fopen(path, "re");
	free(path);
	while (f && ret >= 0 && fscanf(f, "%d", &child) == 1) {
		ret = of_tree(child, true, each, arg, depth + 1);
		n += ret > 0 ? ret : 0;
	}
	if (f)
		fclose(f);
	return ret < 0 ? ret : n;
}

int attach_files(pid_t pid, bool tree, attach_file_fn *each, void *arg)
{
	return of_tree(pid, tree, each, arg, 0);
}
