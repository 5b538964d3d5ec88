/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the path leads that a system call is given.
 */
#ifndef _CHESS_PATH_H
#define _CHESS_PATH_H

#include <linux/types.h>

struct pt_regs;

/* So much of a path is looked at. */
#define CHESS_PATH_BYTES	6

/**
 * enum chess_path - where a path leads
 * @CHESS_PATH_LEADS_TO_FILE: to a file, or nowhere
 * @CHESS_PATH_LEADS_TO_SYSTEM: maybe into /proc or /sys
 * @CHESS_PATH_LEADS_TO_NOTHING: it is empty
 */
enum chess_path {
	CHESS_PATH_LEADS_TO_FILE,
	CHESS_PATH_LEADS_TO_SYSTEM,
	CHESS_PATH_LEADS_TO_NOTHING,
};

enum chess_path chess_path_leads(unsigned long path, int dir);

#endif /* _CHESS_PATH_H */
