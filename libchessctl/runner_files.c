// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files that traps are registered for. The module arms by inode: where a path leads
 * to another one afterwards (a library that is built again during the search) it sees a
 * file nobody registered and has nothing to tell; so we look. See runner_internal.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "program.h"
#include "runner_internal.h"

int chess_runner_note_files(struct chess_runner *r)
{
	char *image = chess_program_image(&r->program, r->path);
	char **files = image ? chess_symbols_files_of(&r->program, image) : NULL;
	size_t n = 0, i;

	free(image);
	if (!files)
		return -errno;
	while (files[n])
		n++;
	r->traced = calloc(n ? n : 1, sizeof(*r->traced));
	for (i = 0; i < n; i++) {
		if (r->traced && !stat(files[i], &r->traced[r->n_traced].st))
			r->traced[r->n_traced++].path = files[i];
		else
			free(files[i]);
	}
	free(files);
	return r->traced ? 0 : chess_set_error(ENOMEM, "no memory for a list of files");
}

const char *chess_runner_replaced_file(const struct chess_runner *r)
{
	struct stat st;
	size_t i;

	for (i = 0; i < r->n_traced; i++) {
		const struct stat *old = &r->traced[i].st;

		if (stat(r->traced[i].path, &st) || st.st_dev != old->st_dev ||
		    st.st_ino != old->st_ino || st.st_size != old->st_size ||
		    st.st_mtim.tv_sec != old->st_mtim.tv_sec ||
		    st.st_mtim.tv_nsec != old->st_mtim.tv_nsec)
			return r->traced[i].path;
	}
	return NULL;
}

void chess_runner_forget_files(struct chess_runner *r)
{
	while (r->n_traced)
		free(r->traced[--r->n_traced].path);
	free(r->traced);
}
