/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Letting go of adopted tasks where they sleep.
 */
#ifndef _CHESS_DRAIN_H
#define _CHESS_DRAIN_H

#include "chess.h"

void chess_drain_init(struct chess_group *g);
void chess_drain(struct chess_group *g);

#endif /* _CHESS_DRAIN_H */
