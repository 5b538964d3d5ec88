/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * livelock.c: a fair run that goes on and on and only repeats itself.
 */
#ifndef CHESSCTL_LIVELOCK_H
#define CHESSCTL_LIVELOCK_H

#include "chessctl/chessctl.h"

/* Points of a run after which it is looked at, unless another number is asked for. */
#define CHESS_MAX_POINTS	20000

/*
 * Is @r, up to where it has more than @max points, or twice as many, and so on, a
 * livelock? Return: how many events that are; 0: no.
 */
size_t chess_livelock_find(const struct chess_record *r, size_t max);

#endif /* CHESSCTL_LIVELOCK_H */
