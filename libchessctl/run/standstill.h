/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * standstill.c: tasks that wait for each other for ever, in whatever, beside a loop of others.
 */
#ifndef CHESSCTL_STANDSTILL_H
#define CHESSCTL_STANDSTILL_H

#include "run/partial.h"

/*
 * The cycle in a record whose first @length events end in a loop (chess_livelock_find()), as
 * chess_partial_find() has it. Return: 0, or -errno with chess_error().
 */
int chess_standstill_find(const struct chess_record *r, size_t length, struct chess_partial *out);

#endif /* CHESSCTL_STANDSTILL_H */
