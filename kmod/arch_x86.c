// SPDX-License-Identifier: GPL-2.0-only
/*
 * See arch_x86.h.
 */
#include <linux/compat.h>

#include "arch_x86.h"

/**
 * chess_arch_syscall_skip() - do not execute the syscall now, but again later
 * @regs: registers at sys_enter
 * @nr: its number
 *
 * The instruction is executed again at the next return to user mode, with the
 * same registers. Works for every call, clone3, execve, exit_group and
 * rt_sigreturn among them (design, section 4).
 *
 * Context: probe, sys_enter of current.
 */
void chess_arch_syscall_skip(struct pt_regs *regs, long nr)
{
	regs->orig_ax = -1;
	regs->ax = nr;
	regs->ip -= CHESS_ARCH_SYSCALL_LEN;
}

/**
 * chess_arch_syscall_answer() - answer the syscall without executing it
 * @regs: registers at sys_enter
 * @result: what it returns
 *
 * Context: probe, sys_enter of current.
 */
void chess_arch_syscall_answer(struct pt_regs *regs, long result)
{
	regs->orig_ax = -1;
	regs->ax = result;
}

/**
 * chess_arch_syscall_arg() - argument of a syscall
 * @regs: registers at sys_enter
 * @n: from 0
 *
 * Context: any.
 * Return: its value.
 */
unsigned long chess_arch_syscall_arg(const struct pt_regs *regs, unsigned int n)
{
	switch (n) {
	case 0: return regs->di;
	case 1: return regs->si;
	case 2: return regs->dx;
	case 3: return regs->r10;
	case 4: return regs->r8;
	default: return regs->r9;
	}
}

/**
 * chess_arch_function_arg() - integer argument of a function, at its entry
 * @regs: registers there
 * @n: from 1; 1 to 6
 *
 * Context: any.
 * Return: its value.
 */
unsigned long chess_arch_function_arg(const struct pt_regs *regs, unsigned int n)
{
	switch (n) {
	case 1: return regs->di;
	case 2: return regs->si;
	case 3: return regs->dx;
	case 4: return regs->cx;
	case 5: return regs->r8;
	default: return regs->r9;
	}
}

/**
 * chess_arch_foreign_abi() - is the current syscall of the 32-bit table
 *
 * Context: probe, sys_enter of current.
 * Return: whether syscall numbers and arguments mean something else.
 */
bool chess_arch_foreign_abi(void)
{
	return in_compat_syscall();
}

/**
 * chess_arch_dwarf_regs() - user registers in DWARF order
 * @regs: the registers
 * @out: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 .. r15, rip
 *
 * Context: any.
 */
void chess_arch_dwarf_regs(const struct pt_regs *regs, u64 out[17])
{
	out[0] = regs->ax;
	out[1] = regs->dx;
	out[2] = regs->cx;
	out[3] = regs->bx;
	out[4] = regs->si;
	out[5] = regs->di;
	out[6] = regs->bp;
	out[7] = regs->sp;
	out[8] = regs->r8;
	out[9] = regs->r9;
	out[10] = regs->r10;
	out[11] = regs->r11;
	out[12] = regs->r12;
	out[13] = regs->r13;
	out[14] = regs->r14;
	out[15] = regs->r15;
	out[16] = regs->ip;
}
