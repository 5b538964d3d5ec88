// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sync functions of the files that a process has mapped, as points. The files are those
 * that are mapped, through /proc/PID/map_files, whatever their names mean by now: the
 * library may have been upgraded since, or be in another mount namespace.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "attach.h"

struct mapping {
	uint64_t start, end;
	unsigned int major, minor;
	uint64_t inode;
	char path[512];
};

/* Files that have been looked at. */
struct seen {
	struct mapping *m;
	size_t n;
};

static bool parse(const char *line, struct mapping *m)
{
	char flags[8];

	m->path[0] = '\0';
	return sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*x %x:%x %" SCNu64 " %511[^\n]",
		      &m->start, &m->end, flags, &m->major, &m->minor, &m->inode, m->path) >= 6 &&
	       flags[2] == 'x' && flags[3] == 'p' && m->inode && m->path[0] == '/';
}

static bool add_if_new(struct seen *s, const struct mapping *m)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->m[i].inode == m->inode && s->m[i].major == m->major &&
		    s->m[i].minor == m->minor)
			return false;
	s->m = reallocarray(s->m, s->n + 1, sizeof(*s->m));
	if (!s->m)
		exit(cli_fail(CLI_ENVIRONMENT, "out of memory"));
	s->m[s->n++] = *m;
	return true;
}

static int add_file(struct chess_ctl *ctl, uint32_t group, pid_t pid, const struct mapping *m)
{
	char *path = cli_printf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, m->start, m->end);
	struct stat st;
	int ret;

	/* Without CAP_CHECKPOINT_RESTORE: its name, if that is still the same file. */
	if (stat(path, &st) && (errno == EPERM || errno == EACCES)) {
		free(path);
		path = cli_printf("/proc/%d/root%s", pid, m->path);
		if (stat(path, &st) || st.st_ino != m->inode) {
			free(path);
			return 0;
		}
	}
	ret = chess_probe_add_file(ctl, group, path);
	free(path);
	return ret;
}

static int add_process(struct chess_ctl *ctl, uint32_t group, pid_t pid, struct seen *seen)
{
	char *path = cli_printf("/proc/%d/maps", pid), line[1024];
	FILE *f = fopen(path, "re");
	struct mapping m;
	int ret = 0, n = 0;

	free(path);
	while (f && ret >= 0 && fgets(line, sizeof(line), f)) {
		if (!parse(line, &m) || !add_if_new(seen, &m))
			continue;
		ret = add_file(ctl, group, pid, &m);
		n += ret > 0 ? ret : 0;
	}
	if (f)
		fclose(f);
	return ret < 0 ? ret : n;
}

/* Children of the first thread, which is where nearly all have theirs. */
static int add_tree(struct chess_ctl *ctl, uint32_t group, pid_t pid, bool tree,
		    struct seen *seen, int depth)
{
	int n = add_process(ctl, group, pid, seen), ret = n;
	char *path;
	pid_t child;
	FILE *f;

	if (n < 0 || !tree || depth > 64)
		return n;
	path = cli_printf("/proc/%d/task/%d/children", pid, pid);
	f = fopen(path, "re");
	free(path);
	while (f && ret >= 0 && fscanf(f, "%d", &child) == 1) {
		ret = add_tree(ctl, group, child, true, seen, depth + 1);
		n += ret > 0 ? ret : 0;
	}
	if (f)
		fclose(f);
	return ret < 0 ? ret : n;
}

int attach_points(struct chess_ctl *ctl, uint32_t group, pid_t pid, bool tree)
{
	struct seen seen = { 0 };
	int n = add_tree(ctl, group, pid, tree, &seen, 0);

	free(seen.m);
	return n;
}
