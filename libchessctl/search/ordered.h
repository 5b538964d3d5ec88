/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects whose ops are always ordered by ops on other objects (CHESS, OSDI'08, 4.4.1, after
 * Bruening and Chapin): a mutex that is taken while another one is held, or by one task alone.
 * A preemption before such an op may as well come later.
 */
#ifndef CHESSCTL_ORDERED_H
#define CHESSCTL_ORDERED_H

#include "chessctl/chessctl.h"

struct chess_ordered;

struct chess_ordered *chess_ordered_new(void);
void chess_ordered_free(struct chess_ordered *o);

/* Learns from a run. Return: 1: an object is no longer ordered; 0; -ENOMEM */
int chess_ordered_learn(struct chess_ordered *o, const struct chess_record *r);

/* Is the point @e on an object that was ordered in each run so far? */
bool chess_ordered_has(const struct chess_ordered *o, const struct chess_event *e);
/* Is the object of a point for which that was true still ordered? */
bool chess_ordered_still(const struct chess_ordered *o, uint64_t object);

#endif /* CHESSCTL_ORDERED_H */
