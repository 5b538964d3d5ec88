/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results a call leaves in a program's memory, where we answer for the kernel; arguments that
 * are there.
 */
#ifndef _CHESS_USER_H
#define _CHESS_USER_H

#include "chess.h"

struct pt_regs;

void chess_user_init(struct chess_task *t);
void chess_user_put(struct chess_task *t, unsigned long to, const void *from, u32 len);
bool chess_user_get(struct chess_task *t, const struct pt_regs *regs, unsigned long from,
		    u64 *value);
void chess_user_clear(struct chess_task *t, unsigned long to, u32 len);

#endif /* _CHESS_USER_H */
