/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * replay --gdb: the program is started by gdb and controlled by us.
 */
#ifndef CLI_GDB_H
#define CLI_GDB_H

#include <chessctl/chessctl.h>

#include "session.h"

/* Runs gdb to its end. Return: exit code for the command. */
int gdb_replay(struct chess_ctl *ctl, const struct chess_trace *t, char **argv, const char *path,
	       const char *cwd, const struct session_opts *o, const char *points);

#endif /* CLI_GDB_H */
