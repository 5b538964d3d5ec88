/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files that a program maps later than at its start, for the runner.
 */
#ifndef CHESSCTL_LATER_H
#define CHESSCTL_LATER_H

#include "chessctl/chessctl.h"

/*
 * The lines of the module's list that are of shared mappings, or that @is_known says no to.
 * malloc'ed; NULL and errno
 */
char *chess_later_unknown(const char *mapped, bool (*is_known)(const char *path, void *arg),
			  void *arg);

#endif /* CHESSCTL_LATER_H */
