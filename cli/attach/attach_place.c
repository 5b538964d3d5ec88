// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach --catch-at FILE:FUNCTION or FILE:PROVIDER:NAME: probes at a place in a file that
 * a process has mapped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "attach/attach.h"

/**
 * struct place - a place that is asked for
 * @file: a path, or a name without folders
 * @provider: of a USDT probe; NULL: a function
 * @name: of the function or the probe
 * @hits: waits for it
 * @denied: the file is mapped, and cannot be reached
 */
struct place {
	char *file, *provider, *name;
	struct chess_hits *hits;
	bool denied;
};

/* @p->file is what has to be freed. */
static bool split(const char *text, struct place *p)
{
	char *slash, *at;

	p->file = cli_printf("%s", text);
	slash = strrchr(p->file, '/');
	at = strchr(slash ? slash : p->file, ':');
	if (!at)
		return false;
	*at++ = '\0';
	p->name = at;
	at = strchr(at, ':');
	if (at) {
		*at++ = '\0';
		p->provider = p->name;
		p->name = at;
	}
	return *p->file && *p->name && (!p->provider || *p->provider) && !strchr(p->name, ':');
}

bool attach_place_valid(const char *text)
{
	struct place p = { 0 };
	bool ok = split(text, &p);

	free(p.file);
	return ok;
}

/* By its name as the process knows it, with or without folders, or by ours for it. */
static bool is_file(const struct place *p, const struct attach_file *m, const char *reached)
{
	static const char gone[] = " (deleted)";
	const char *name = strchr(p->file, '/') ? m->path : strrchr(m->path, '/') + 1;
	size_t n = strlen(p->file);
	struct stat ours, theirs;

	if (!strncmp(name, p->file, n) && (!name[n] || !strcmp(name + n, gone)))
		return true;
	return strchr(p->file, '/') && reached && !stat(p->file, &ours) &&
	       !stat(reached, &theirs) && ours.st_ino == theirs.st_ino &&
	       ours.st_dev == theirs.st_dev;
}

static int add_probe(void *arg, pid_t pid, const struct attach_file *m)
{
	struct place *p = arg;
	char *path = attach_file_path(pid, m);
	int ret = 0;

	if (is_file(p, m, path)) {
		p->denied = !path;
		ret = path ? chess_hits_add(p->hits, pid, path, p->provider, p->name) : 0;
		if (!ret && path)
			ret = 1;
	}
	free(path);
	return ret;
}

static int fail(const struct attach_options *o, const struct place *p, int err)
{
	if (err == -EPERM)
		return cli_fail(CLI_ENVIRONMENT, "attach: --catch-at %s: %s", o->catch_at,
				chess_error());
	if (err)
		return cli_fail(CLI_USAGE, "attach: --catch-at %s: %s", o->catch_at, chess_error());
	if (p->denied)
		return cli_fail(CLI_ENVIRONMENT, "attach: --catch-at %s: you may not read the file; run this as root",
				o->catch_at);
	return cli_fail(CLI_USAGE, "attach: --catch-at %s: process %d has no code mapped from a file '%s'; /proc/%d/maps lists its files",
			o->catch_at, o->pid, p->file, o->pid);
}

int attach_place(const struct attach_options *o, struct chess_hits **hits)
{
	struct place p = { .hits = chess_hits_new() };
	int ret;

	*hits = NULL;
	if (!p.hits)
		return cli_fail(CLI_ENVIRONMENT, "attach: --catch-at %s: %s", o->catch_at,
				chess_error());
	split(o->catch_at, &p);
	ret = attach_files(o->pid, o->tree, add_probe, &p);
	if (ret > 0)
		*hits = p.hits;
	else
		chess_hits_free(p.hits);
	ret = ret > 0 ? CLI_PROCEED : fail(o, &p, ret);
	free(p.file);
	return ret;
}
