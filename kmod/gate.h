/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where tasks wait for the token.
 */
#ifndef _CHESS_GATE_H
#define _CHESS_GATE_H

#include "chess.h"

void chess_gate_init(struct chess_task *t);
void chess_gate_arm(struct chess_task *t);
void chess_gate_wake(struct chess_group *g);
void chess_gate_open(struct chess_group *g);
void chess_gate_quantum(struct chess_task *t);

#endif /* _CHESS_GATE_H */
