/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waiters in line: who of them is woken.
 */
#ifndef _CHESS_QUEUE_H
#define _CHESS_QUEUE_H

#include "chess.h"

struct pt_regs;

void chess_queue_wakes(struct chess_task *t, const struct pt_regs *regs, long nr);
void chess_queue_enter(struct chess_task *t, const struct pt_regs *regs, long nr);
bool chess_queue_left(struct chess_task *t);
void chess_queue_blocked_locked(struct chess_task *t);
bool chess_queue_back_locked(struct chess_task *t, unsigned int state);
void chess_queue_decide_locked(struct chess_group *g);
void chess_queue_forget_locked(struct chess_task *t);

#endif /* _CHESS_QUEUE_H */
