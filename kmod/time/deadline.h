/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timed waits: time-outs that are decisions.
 */
#ifndef _CHESS_DEADLINE_H
#define _CHESS_DEADLINE_H

#include "chess.h"

struct pt_regs;

void chess_deadline_init(struct chess_task *t);
void chess_deadline_enter(struct chess_task *t, struct pt_regs *regs, long nr);
void chess_deadline_exit(struct chess_task *t, struct pt_regs *regs, long ret);
void chess_deadline_expire(struct chess_task *t);
struct chess_task *chess_deadline_first_locked(const struct chess_group *g);
u64 chess_deadline_next_locked(const struct chess_group *g);
void chess_deadline_retract_locked(struct chess_group *g);
void chess_deadline_admit_locked(struct chess_group *g);
void chess_deadline_put_off_locked(struct chess_group *g, u64 until);
void chess_deadline_pass_locked(struct chess_task *t);

#endif /* _CHESS_DEADLINE_H */
