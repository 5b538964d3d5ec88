/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which syscall is which op on which object.
 */
#ifndef _CHESS_SYSCALLS_H
#define _CHESS_SYSCALLS_H

#include "chess.h"

struct pt_regs;

void chess_syscall_enter(struct chess_task *t, struct pt_regs *regs, long nr);
void chess_syscall_exit(struct chess_task *t, struct pt_regs *regs, long ret);

#endif /* _CHESS_SYSCALLS_H */
