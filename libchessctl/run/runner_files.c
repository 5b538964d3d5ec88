// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files that traps are registered for. The module arms by inode: where a path leads
 * to another one afterwards (a library that is built again during the search) it sees a
 * file nobody registered and has nothing to tell; so we look. See runner_internal.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "code/later.h"
#include "code/program.h"
#include "run/runner_internal.h"
#include "code/sites.h"

int chess_runner_note_files(struct chess_runner *r)
{
	char *elf = chess_program_elf(&r->program, r->path);
	char **files = elf ? chess_symbols_files_of(&r->program, elf) : NULL;
	size_t n = 0, i;

	free(elf);
	if (!files)
		return -errno;
	while (files[n])
		n++;
	r->traced = calloc(n ? n : 1, sizeof(*r->traced));
	for (i = 0; i < n; i++) {
		struct traced *t = r->traced ? &r->traced[r->n_traced] : NULL;

		if (t && !stat(files[i], &t->st)) {
			t->path = files[i];
			t->fd = open(files[i], O_PATH | O_CLOEXEC);
			r->n_traced++;
		} else {
			free(files[i]);
		}
	}
	free(files);
	return r->traced ? 0 : chess_set_error(ENOMEM, "no memory for a list of files");
}

static bool is_as_it_was(const struct traced *t, bool by_path)
{
	const struct stat *old = &t->st;
	struct stat st;

	return !(by_path || t->fd < 0 ? stat(t->path, &st) : fstat(t->fd, &st)) &&
	       st.st_dev == old->st_dev && st.st_ino == old->st_ino &&
	       st.st_size == old->st_size && st.st_mtim.tv_sec == old->st_mtim.tv_sec &&
	       st.st_mtim.tv_nsec == old->st_mtim.tv_nsec;
}

const char *chess_runner_replaced_file(const struct progress *w)
{
	size_t i;

	for (i = 0; i < w->r->n_traced; i++)
		if (!is_as_it_was(&w->r->traced[i], !w->has_known_files))
			return w->r->traced[i].path;
	return NULL;
}

int chess_runner_add_traps(struct chess_runner *r)
{
	int ret = 0;
	size_t i;

	chess_ctl_set_functions(r->ctl, r->opts.functions);
	if (r->sites)
		ret = chess_site_table_add(r->sites, r->ctl, r->group, r->opts.sync_points);
	for (i = 0; i < r->n_traced && ret >= 0; i++) {
		if (!r->sites)
			ret = chess_probe_add_file(r->ctl, r->group, r->traced[i].path);
		r->traced[i].has_traps = r->sites ?
			chess_site_table_traps(r->sites, r->traced[i].path) : ret > 0;
	}
	return ret < 0 ? ret : 0;
}

/* It was looked at before the first run, and has nothing that gets traps. */
static bool needs_none(const char *path, void *arg)
{
	const struct chess_runner *r = arg;
	struct stat st;
	size_t i;

	if (stat(path, &st))
		return false;
	for (i = 0; i < r->n_traced; i++)
		if (r->traced[i].st.st_dev == st.st_dev && r->traced[i].st.st_ino == st.st_ino)
			return !r->traced[i].has_traps;
	return false;
}

/*
 * Where another fork of the process had mapped the same, the files are the same, and it does not
 * matter what their paths lead to by now.
 */
int chess_runner_keep_mapped(struct progress *w)
{
	const char *mapped = chess_record_mapped(w->out->record);

	w->has_known_files = w->forked && w->r->known &&
			     !strcmp(mapped ? mapped : "", w->r->known);
	if (w->has_known_files)
		return 0;
	chess_runner_doubt_files(w->r);
	if (mapped && w->r->n_traced) {
		w->out->mapped = chess_later_unknown(mapped, needs_none, w->r);
		if (!w->out->mapped)
			return -errno;
		if (*w->out->mapped)
			return 0;
		free(w->out->mapped);
		w->out->mapped = NULL;
	}
	if (w->forked)
		w->r->known = strdup(mapped ? mapped : "");
	return !w->forked || w->r->known ? 0 :
	       chess_set_error(ENOMEM, "no memory for a list of files");
}

void chess_runner_doubt_files(struct chess_runner *r)
{
	free(r->known);
	r->known = NULL;
}

void chess_runner_forget_files(struct chess_runner *r)
{
	while (r->n_traced) {
		struct traced *t = &r->traced[--r->n_traced];

		if (t->fd >= 0)
			close(t->fd);
		free(t->path);
	}
	free(r->traced);
	r->traced = NULL;
	chess_runner_doubt_files(r);
}
