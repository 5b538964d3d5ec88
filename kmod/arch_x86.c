// SPDX-License-Identifier: GPL-2.0-only
/*
 * See arch_x86.h.
 */
#include "arch_x86.h"

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
