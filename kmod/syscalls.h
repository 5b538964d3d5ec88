/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which syscall is which op on which object.
 */
#ifndef _CHESS_SYSCALLS_H
#define _CHESS_SYSCALLS_H

#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/ptrace.h>

#include "chess.h"

void chess_syscall_init(void);
void chess_syscall_enter(struct chess_task *t, struct pt_regs *regs, long nr);
/* Calls whose end is looked at whatever they return: timed ones, and a few. */
#define CHESS_EXIT_CALLS	512
extern unsigned long chess_exit_calls[BITS_TO_LONGS(CHESS_EXIT_CALLS)];

/**
 * chess_syscall_exit_matters() - is there anything to do at the end of this call
 * @regs: user registers
 * @ret: result
 *
 * Context: probe (sys_exit).
 * Return: whether chess_syscall_exit() must be called for a task of a group.
 */
static inline bool chess_syscall_exit_matters(const struct pt_regs *regs, long ret)
{
	unsigned long nr = regs->orig_ax;

	return (unsigned long)ret - -ERESTARTNOHAND <= ERESTARTNOHAND - ERESTARTSYS ||
	       (nr < CHESS_EXIT_CALLS && test_bit(nr, chess_exit_calls));
}

void chess_syscall_exit(struct chess_task *t, struct pt_regs *regs, long ret);

#endif /* _CHESS_SYSCALLS_H */
