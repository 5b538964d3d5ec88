/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * deaths.c: whose death decided a run.
 */
#ifndef CHESSCTL_DEATHS_H
#define CHESSCTL_DEATHS_H

#include "chessctl/chessctl.h"

/* Is it a signal that the kernel or the C library sends to a program that went wrong? Others
 * end child processes in correct programs too. @status as wait(2) gives it
 */
bool chess_death_is_fatal(int status);

#endif /* CHESSCTL_DEATHS_H */
