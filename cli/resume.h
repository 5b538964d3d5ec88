/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The journal of explore's search, PROGRAM.search in the folder for traces: made when a
 * search begins, taken away when it is over, and what --continue goes on from. It says
 * which program was searched, from where, and with which options.
 *
 * Where the search is made in the VM, chessctl on the host makes the journal, and has it
 * locked until the VM is gone; the one inside gets its name by CHESS_JOURNAL.
 */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include <chessctl/chessctl.h>
#include <chessctl/races.h>

#include "out.h"

/**
 * struct resume - the journal of a search
 * @path: of the file; NULL: there is none
 * @j: open journal, or NULL
 * @cwd: where the search was begun; NULL unless it is continued
 * @argv: its command line, as main() would get it; NULL unless it is continued
 * @argc: length of @argv
 * @hash: of the program, as it was then; NULL unless the search is continued
 * @ours: this process has made the file
 */
struct resume {
	char *path;
	struct chess_journal *j;
	char *cwd, **argv, *hash;
	int argc;
	bool ours;
};

/* Return: CLI_PROCEED, or an exit code after one sentence; resume_close() in both cases. */

/* a new search: @argc of @argv are options, then comes the program; it is at @path */
int resume_begin(struct resume *r, const struct out_dir *dir, int options, char **argv,
		 const char *path);
/* a journal that exists, at r->path: opened, and so locked */
int resume_lock(struct resume *r);
/* --continue @where: a folder or a file in it. Opens it */
int resume_find(struct resume *r, const char *where);
/* the program is that of the journal: its file has not changed */
int resume_check(const struct resume *r, const char *path);
/* the search begins, or goes on, in this process and on this machine; opens it if need be */
int resume_open(struct resume *r);
/* with accesses as points, whose numbers the journal has: the files with them have not changed */
int resume_check_code(struct resume *r, const struct chess_site_table *sites);
/* it is closed until resume_open(): what is started meanwhile must not have it */
void resume_leave(struct resume *r);

/* What was decided about a failing run. */
enum resume_fate {
	RESUME_UNDECIDED,
	RESUME_TRACE,		/* its trace goes to that path */
	RESUME_PART,		/* the same, but it lacks something: it is to be written again */
	RESUME_KNOWN,		/* it came down to the same as an earlier one, so it gets none */
};

/* About failing run number @n of the search; *@path is borrowed, NULL where there is none. */
enum resume_fate resume_fate(const struct resume *r, size_t n, const char **path);
/* From now on that is @fate; @path as above. */
void resume_note_fate(struct resume *r, size_t n, enum resume_fate fate, const char *path);
/*
 * @over: nothing is left to run. @failed: it could not be made; then a journal of ours
 * without any run is taken away too
 */
void resume_close(struct resume *r, bool over, bool failed);

#endif /* CLI_RESUME_H */
