/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that knows the processor: registers, arguments, skipping a
 * syscall. Another architecture is another file with these functions.
 */
#ifndef _CHESS_ARCH_X86_H
#define _CHESS_ARCH_X86_H

#include <linux/ptrace.h>
#include <asm/syscall.h>

#define CHESS_ARCH_TRAP_BYTE	0xcc

/* Both `syscall` and `int $0x80` are two bytes long. */
#define CHESS_ARCH_SYSCALL_LEN	2

void chess_arch_syscall_skip(struct pt_regs *regs, long nr);
void chess_arch_syscall_answer(struct pt_regs *regs, long result);
unsigned long chess_arch_syscall_arg(const struct pt_regs *regs, unsigned int n);
unsigned long chess_arch_function_arg(const struct pt_regs *regs, unsigned int n);
bool chess_arch_foreign_abi(void);
void chess_arch_dwarf_regs(const struct pt_regs *regs, u64 out[17]);

#endif /* _CHESS_ARCH_X86_H */
