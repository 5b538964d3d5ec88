/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs that take variables out of their environment: there the code of the C library that
 * goes through it is looked at, like the program's own.
 */
#ifndef CHESSCTL_ENVIRONMENT_H
#define CHESSCTL_ENVIRONMENT_H

#include <stdbool.h>

/* Does the program @path import a function that moves the entries of the environment? */
bool chess_environment_moves(const char *path);

/* Functions of the C library that go through them; ends with NULL. */
extern const char *const chess_environment_code[];

#endif /* CHESSCTL_ENVIRONMENT_H */
