/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The access sites of a program under test: which instructions of which files get traps,
 * and their numbers.
 */
#ifndef CHESSCTL_SITES_H
#define CHESSCTL_SITES_H

#include "code/access.h"
#include "chessctl/chessctl.h"

/**
 * struct chess_site_file - a file with sites
 * @path: of it
 * @build_id: in hexadecimal digits; empty: it has none
 * @first: number of the first site
 * @names: only these functions were asked for, NULL after the last; NULL: the whole file
 * @sites: all that have traps, in order of offsets, and what was left out; sites that no
 *	trap can stand on are counted in its @left
 * @sync: nobody asked for it: only functions that may put tasks in order, which is all they
 *	are looked at for
 * @heap: with @sync: only where its heap is given memory back; those sites, which named files
 *	with a heap have as well, have no operands
 * @entries: it may be unmapped, so where its functions begin is a site (entries.h)
 * @foreign: with @entries: a library, of which nothing else is looked at
 * @library: the C library, of which library_code.c says what is looked at, and not the heap
 */
struct chess_site_file {
	char *path;
	char build_id[65];
	uint32_t first;
	char **names;
	struct chess_sites sites;
	bool sync, heap, entries, foreign, library;
};

/**
 * struct chess_site_table - all of a program
 * @file: in the order in which they are linked; those named by path after them; then those that
 *	nobody asked for, of which the one with the heap is the last
 * @n_files: of @file
 * @n: of sites; their numbers are 1 to @n, the same whenever the files are
 * @first_sync: number of the first site of those that nobody asked for; 0: there is none
 * @first_heap: of the one with the heap, likewise
 * @own_first: first site of the file in whose code the heap's own may be; 0: it has no traps
 * @own_end: after its last one
 * @heap_calls_itself: its calls of free() cannot be distinguished from those of the program
 * @paths: files that run at the start of the program, NULL after the last
 * @trapped: files with traps, NULL after the last; or NULL
 */
struct chess_site_table {
	struct chess_site_file *file;
	size_t n_files, n;
	uint32_t first_sync, first_heap, own_first, own_end;
	bool heap_calls_itself;
	char **paths;
	char **trapped;
};

/* One instruction of it. */
struct chess_site_place {
	const struct chess_site_file *file;
	const struct chess_site *site;
};

/**
 * chess_site_table_new() - find the sites
 * @p: the program
 * @path: what execve will get for it
 * @code: see struct chess_runner_opts
 * @out: the table; chess_site_table_free() it
 *
 * Return: 0, or -errno with chess_error().
 */
int chess_site_table_new(const struct chess_program *p, const char *path,
			 const char *const *code, struct chess_site_table **out);
void chess_site_table_free(struct chess_site_table *t);

/* By whatever names. */
bool chess_site_same_file(const char *a, const char *b);

/* Register traps at the sites, and at sync functions; 0 or -errno with chess_error(). */
int chess_site_table_add(struct chess_site_table *t, struct chess_ctl *c, uint32_t group,
			 bool sync_points);

/* Were traps registered in that file? */
bool chess_site_table_traps(const struct chess_site_table *t, const char *path);

/* Site number @id; false: there is none. */
CHESS_API bool chess_site_find(const struct chess_site_table *t, uint32_t id,
			       struct chess_site_place *out);

#endif /* CHESSCTL_SITES_H */
