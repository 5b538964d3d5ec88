/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recvmmsg(), whose time-out is looked at between datagrams.
 */
#ifndef _CHESS_BATCH_H
#define _CHESS_BATCH_H

#include "chess.h"

void chess_batch_enter(struct chess_task *t, struct pt_regs *regs);
void chess_batch_exit(struct chess_task *t, struct pt_regs *regs);

#endif /* _CHESS_BATCH_H */
