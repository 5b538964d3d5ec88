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

/* As chess_record_dead(), and the root where only its status says that it died. */
int chess_deciding_death(const struct chess_record *r, const struct chess_expect *x,
			 int root_status, int *status, unsigned int *expected);

#endif /* CHESSCTL_DEATHS_H */
