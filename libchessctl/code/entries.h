/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sites where functions begin: for what a task reads there that none of their instructions names.
 */
#ifndef CHESSCTL_ENTRIES_H
#define CHESSCTL_ENTRIES_H

#include "code/access.h"

/**
 * chess_entries_add() - a task that calls a function reads its code
 * @path: file, all functions of which get a site that reads their first byte
 * @sites: of the file, in order of addresses; they are added, and @instructions is raised to the
 *	number of functions where nothing else was examined
 *
 * So a call races with whatever unmaps the file. An instruction stays as it is if it accesses the
 * file itself, or has as many operands as there is room for.
 *
 * Return: 0, or a negative errno with chess_error().
 */
int chess_entries_add(const char *path, struct chess_sites *sites);

/*
 * The same for one function, @name, which reads @size bytes at the address @state. A file without
 * such a function is left as it is.
 */
int chess_entries_add_state(const char *path, const char *name, uint64_t state, uint16_t size,
			    struct chess_sites *sites);

#endif /* CHESSCTL_ENTRIES_H */
