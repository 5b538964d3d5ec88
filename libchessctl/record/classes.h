/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a search has covered: how many happens-before classes its runs are of, and for
 * which causes ways were left out.
 */
#ifndef CHESSCTL_CLASSES_H
#define CHESSCTL_CLASSES_H

#include "chessctl/chessctl.h"
#include "hashset.h"

/* one more run; 0 or -ENOMEM with chess_error() */
int chess_classes_add(struct chess_hashset *classes, const struct chess_record *r);

/* Was a way left out for a cause for which the result cannot be complete? */
bool chess_left_out_hole(const uint64_t n[CHESS_LEFT_OUT_CAUSES]);

#endif /* CHESSCTL_CLASSES_H */
