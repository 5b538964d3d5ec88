// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sync functions of the files that a process has mapped, as points; each file once.
 */
#include <stdlib.h>

#include "attach/attach.h"

/* Files that have been looked at. */
struct seen {
	struct chess_ctl *ctl;
	uint32_t group;
	struct attach_file *m;
	size_t n;
};

static bool add_if_new(struct seen *s, const struct attach_file *m)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->m[i].inode == m->inode && s->m[i].major == m->major &&
		    s->m[i].minor == m->minor)
			return false;
	s->m = cli_realloc(s->m, s->n + 1, sizeof(*s->m));
	s->m[s->n++] = *m;
	return true;
}

static int add_file(void *arg, pid_t pid, const struct attach_file *m)
{
	struct seen *s = arg;
	char *path = add_if_new(s, m) ? attach_file_path(pid, m) : NULL;
	int ret = path ? chess_probe_add_file(s->ctl, s->group, path) : 0;

	free(path);
	return ret;
}

int attach_points(struct chess_ctl *ctl, uint32_t group, pid_t pid, bool tree)
{
	struct seen seen = { .ctl = ctl, .group = group };
	int n = attach_files(pid, tree, add_file, &seen);

	free(seen.m);
	return n;
}
