/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signal handlers: where they begin and end, and what lets them in.
 */
#ifndef _CHESS_HANDLER_H
#define _CHESS_HANDLER_H

#include <linux/types.h>

struct chess_task;
struct k_sigaction;
struct kernel_siginfo;
struct pt_regs;
struct task_struct;

#define CHESS_HANDLERS_DEPTH	8

/**
 * struct chess_handler - a signal handler that a task is in (handler.c)
 * @sp: stack pointer of what it interrupted
 * @mask: signals that are blocked again when it returns
 * @alternate: it runs on the alternate stack
 * @same_stack: and what it interrupted ran where it does
 */
struct chess_handler {
	unsigned long sp;
	u64 mask;
	bool alternate;
	bool same_stack;
};

/**
 * struct chess_handlers - those a task is in
 * @at: the outermost first
 * @depth: how many of @at are used
 * @beyond: handlers within these
 * @mask: signals that the task blocks, as was recorded
 * @sent: signals that it sent itself and has not taken
 *
 * Only touched by the task itself.
 */
struct chess_handlers {
	struct chess_handler at[CHESS_HANDLERS_DEPTH];
	u32 depth;
	u32 beyond;
	u64 mask;
	u64 sent;
};

void chess_handler_begin(struct chess_task *t, int sig, const struct kernel_siginfo *info,
			 const struct k_sigaction *ka, const struct pt_regs *regs);
void chess_handler_call(struct chess_task *t, const struct pt_regs *regs, long nr);
void chess_handler_prune(struct chess_task *t, unsigned long sp);
void chess_handler_masked(struct chess_task *t);
void chess_handler_reset(struct chess_task *t, const struct task_struct *task);
void chess_handler_sent(struct chess_task *by, int sig, const struct kernel_siginfo *info,
			struct task_struct *task, bool group);

#endif /* _CHESS_HANDLER_H */
