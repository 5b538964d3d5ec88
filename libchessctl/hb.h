/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which runs are the same but for the order of ops that do not depend on each other.
 */
#ifndef CHESSCTL_HB_H
#define CHESSCTL_HB_H

#include "chessctl/chessctl.h"

/**
 * chess_hb_digest() - name of the happens-before class of a run
 * @r: record of a whole run
 * @digest: where to put it
 *
 * Two records of one program have the same digest when each task does the same ops and
 * those that depend on each other come in the same order; else they differ, but for
 * collisions of 64 bits.
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_hb_digest(const struct chess_record *r, uint64_t *digest);

#endif /* CHESSCTL_HB_H */
