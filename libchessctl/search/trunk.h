/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The decisions of a run, shared by the prefixes that begin with them.
 */
#ifndef CHESSCTL_TRUNK_H
#define CHESSCTL_TRUNK_H

#include "chessctl/chessctl.h"

struct chess_trunk;

struct chess_trunk *chess_trunk_new(struct chess_trunk *source, size_t shared,
				    const struct chess_record *r);
struct chess_trunk *chess_trunk_from(const struct chess_schedule *s);
struct chess_trunk *chess_trunk_get(struct chess_trunk *t);
void chess_trunk_put(struct chess_trunk *t);
int chess_trunk_decisions(const struct chess_trunk *t, size_t length, struct chess_schedule *to);

#endif /* CHESSCTL_TRUNK_H */
