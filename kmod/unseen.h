/* SPDX-License-Identifier: GPL-2.0-only */
/* System calls of which the record of accesses does not have all that follows. */
#ifndef CHESS_UNSEEN_H
#define CHESS_UNSEEN_H

struct chess_task;
struct pt_regs;

void chess_unseen_call(struct chess_task *t, const struct pt_regs *regs, long nr);

#endif /* CHESS_UNSEEN_H */
