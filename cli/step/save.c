// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace of the run as it is: see step.h. It is run once more for its stacks, as the traces of
 * explore and shrink are.
 */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"
#include "changed.h"
#include "cli.h"
#include "keep.h"
#include "race_pairs.h"
#include "step/step.h"
#include "where.h"

/* Are these one folder? */
static bool is_same_folder(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* malloc'ed; NULL after a sentence. @free: of nobody yet, so it goes if writing fails */
static char *choose_path(const struct step_walk *w, const struct out_dir *dir, const char *file,
			 bool *free_name)
{
	char *path, *copy;
	struct stat st;
	bool stays;

	*free_name = !file;
	if (!file) {
		path = out_trace_name(dir, w->t.program, chess_verdict_name(w->res.verdict), NULL,
				      NULL);
		if (!path)
			cli_note("no trace can be made in '%s': %s", dir->path, strerror(errno));
		return path;
	}
	path = strchr(file, '/') ? cli_printf("%s", file) :
				   cli_printf("%s/%s", dir->path, file);
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		cli_note("'%s' is not a regular file, so no trace can go there", path);
		free(path);
		return NULL;
	}
	copy = cli_printf("%s", path);
	stays = !where_inside_vm() || is_same_folder(dirname(copy), dir->path);
	free(copy);
	if (!stays) {
		cli_note("the program runs in the VM, from which only '%s' can be written; save in that folder, or start step with another --out",
			 dir->path);
		free(path);
		return NULL;
	}
	return path;
}

/* Its races, where the verdict is that it has some. */
static struct chess_trace_race *races_of(const struct step_walk *w, size_t *n)
{
	*n = 0;
	if (!w->judge.races_of || w->res.verdict != CHESS_VERDICT_RACE)
		return NULL;
	return race_pairs_of(&w->res, w->judge.races_of, n);
}

bool step_save(struct step_walk *w, const struct out_dir *dir, const char *file)
{
	struct chess_run_result again = { 0 };
	struct chess_trace_race *races;
	struct chess_trace t;
	bool free_name, use;
	size_t n;
	char *path = choose_path(w, dir, file, &free_name);
	int ret;

	if (!path)
		return false;
	races = races_of(w, &n);
	use = races ? keep_races_again(w->s, &w->res, races, n, &again) :
		      keep_run_again(w->s, &w->res, &again);
	session_trace(w->s, use ? &again : &w->res, &t);
	t.verdict = w->res.verdict;
	if (races) {
		t.races = races;
		t.n_races = n;
	}
	if (!t.maps)
		changed_note_maps(&t, again.maps);
	if (use)
		keep_calls(w->s, &t);
	ret = chess_trace_write(&t, path);
	if (ret)
		cli_note("the trace '%s' could not be written: %s", path, strerror(-ret));
	else
		printf("saved: %s; chessctl replay follows it\n", path);
	if (ret && free_name)
		unlink(path);
	calls_forget(&t);
	chess_run_result_clear(&again);
	free(races);
	free(path);
	return !ret;
}
