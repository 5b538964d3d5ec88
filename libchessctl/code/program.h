/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * program.c: may this program be run under control, and where is it?
 */
#ifndef CHESSCTL_PROGRAM_H
#define CHESSCTL_PROGRAM_H

#include "chessctl/chessctl.h"

/* What execve is to get, malloc'ed; NULL, errno and a sentence where it is refused. */
char *chess_program_find(const struct chess_program *p);

/* The file whose code runs first when the one at @path is executed: itself, or the
 * interpreter that its #! line names. malloc'ed; NULL and errno on failure.
 */
char *chess_program_elf(const struct chess_program *p, const char *path);

#endif /* CHESSCTL_PROGRAM_H */
