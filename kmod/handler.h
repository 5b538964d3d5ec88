/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signal handlers: where they begin and end, and what lets them in.
 */
#ifndef _CHESS_HANDLER_H
#define _CHESS_HANDLER_H

#include "chess.h"

void chess_handler_begin(struct chess_task *t, int sig, const struct kernel_siginfo *info,
			 const struct k_sigaction *ka, const struct pt_regs *regs);
void chess_handler_call(struct chess_task *t, const struct pt_regs *regs, long nr);
void chess_handler_look(struct chess_task *t, unsigned long sp);
void chess_handler_masked(struct chess_task *t);
void chess_handler_reset(struct chess_task *t, const struct task_struct *task);
void chess_handler_sent(struct chess_task *by, int sig, const struct kernel_siginfo *info,
			struct task_struct *task, bool group);

#endif /* _CHESS_HANDLER_H */
