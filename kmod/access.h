/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The accesses of a run: which are recorded, which are points.
 */
#ifndef _CHESS_ACCESS_H
#define _CHESS_ACCESS_H

#include "chess.h"

int chess_access_start(struct chess_group *g, u32 max);
void chess_access_free(struct chess_group *g);
int chess_access_set_points(struct chess_group *g, const void *bytes, u32 count);
bool chess_access_wants(const struct chess_group *g, const struct chess_probe *p);

#endif /* _CHESS_ACCESS_H */
