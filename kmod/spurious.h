/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits that end for nothing.
 */
#ifndef _CHESS_SPURIOUS_H
#define _CHESS_SPURIOUS_H

#include "chess.h"

struct pt_regs;

void chess_spurious_enter(struct chess_task *t, const struct pt_regs *regs, long nr);
const struct chess_set *chess_spurious_ending_locked(struct chess_group *g);
bool chess_spurious_decide_locked(struct chess_task *t, bool early);
long chess_spurious_end(struct chess_task *t);
bool chess_spurious_returned(struct chess_task *t, struct pt_regs *regs);
void chess_spurious_forget(struct chess_task *t);
void chess_spurious_hide(void *stack, u32 size, unsigned long sp);

#endif /* _CHESS_SPURIOUS_H */
