/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that knows the processor: registers, arguments, skipping a
 * syscall. Another architecture is another file with these functions.
 */
#ifndef _CHESS_ARCH_X86_H
#define _CHESS_ARCH_X86_H

#include <linux/compat.h>
#include <linux/ptrace.h>
#include <asm/syscall.h>

#include "hot.h"
#include "traps/address.h"

#define CHESS_ARCH_TRAP_BYTE	0xcc

/* The kernel's function for a call of the 64-bit table; it takes the registers. */
#define CHESS_ARCH_SYSCALL(name)	"__x64_sys_" name

/* Both `syscall` and `int $0x80` are two bytes long. */
#define CHESS_ARCH_SYSCALL_LEN	2

/**
 * chess_arch_syscall_again() - have the syscall instruction executed again
 * @regs: registers at sys_enter or sys_exit
 *
 * The `syscall` instruction left the address after it in rcx; only with both the
 * same does the kernel return by the fast way.
 *
 * Context: probe, in current.
 */
static inline void chess_arch_syscall_again(struct pt_regs *regs)
{
	if (regs->cx == regs->ip)
		regs->cx -= CHESS_ARCH_SYSCALL_LEN;
	regs->ip -= CHESS_ARCH_SYSCALL_LEN;
}

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
static inline void chess_arch_syscall_skip(struct pt_regs *regs, long nr)
{
	regs->orig_ax = -1;
	regs->ax = nr;
	chess_arch_syscall_again(regs);
}

/**
 * chess_arch_syscall_answer() - answer the syscall without executing it
 * @regs: registers at sys_enter
 * @result: what it returns
 *
 * Context: probe, sys_enter of current.
 */
static inline void chess_arch_syscall_answer(struct pt_regs *regs, long result)
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
static inline unsigned long chess_arch_syscall_arg(const struct pt_regs *regs,
						   unsigned int n)
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
 * chess_arch_thread_pointer() - by what the C library knows a thread
 * @task: a thread that was just created, or one that set it long ago
 *
 * pthread_t is this address. A 32-bit program has it elsewhere, and this is its creator's then.
 *
 * Context: any; @task cannot go.
 * Return: it.
 */
static inline unsigned long chess_arch_thread_pointer(const struct task_struct *task)
{
	return task->thread.fsbase;
}

/**
 * chess_arch_set_syscall_arg() - change an argument of a syscall
 * @regs: registers at sys_enter; or at sys_exit, to put it back
 * @n: from 0
 * @value: its value
 *
 * Context: probe, in current.
 */
static inline void chess_arch_set_syscall_arg(struct pt_regs *regs, unsigned int n,
					      unsigned long value)
{
	switch (n) {
	case 0:
		regs->di = value;
		break;
	case 1:
		regs->si = value;
		break;
	case 2:
		regs->dx = value;
		break;
	case 3:
		regs->r10 = value;
		break;
	case 4:
		regs->r8 = value;
		break;
	default:
		regs->r9 = value;
	}
}

/**
 * chess_arch_set_syscall_nr() - have another call made
 * @regs: registers at sys_enter; or at sys_exit, to put the number back
 * @nr: its number
 *
 * Context: probe, in current.
 */
static inline void chess_arch_set_syscall_nr(struct pt_regs *regs, long nr)
{
	regs->orig_ax = nr;
}

/**
 * chess_arch_function_arg() - integer argument of a function, at its entry
 * @regs: registers there
 * @n: from 1; 1 to 6
 *
 * Context: any.
 * Return: its value.
 */
static inline unsigned long chess_arch_function_arg(const struct pt_regs *regs,
						    unsigned int n)
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
 * chess_arch_function_result() - what a function returns, where it does
 * @regs: user registers
 *
 * Context: any.
 * Return: the value.
 */
static inline unsigned long chess_arch_function_result(const struct pt_regs *regs)
{
	return regs->ax;
}

/* rdtsc; rdtscp, which has a byte more and says which processor it was executed on */
#define CHESS_ARCH_RDTSC	"\x0f\x31"
#define CHESS_ARCH_RDTSCP	"\x0f\x01\xf9"

/**
 * chess_arch_is_tsc() - does an instruction read the time stamp counter
 * @insn: its bytes
 * @len: how many
 *
 * Context: any.
 * Return: whether it does, and has no prefix.
 */
static inline bool chess_arch_is_tsc(const u8 *insn, unsigned int len)
{
	return (len == 2 && !memcmp(insn, CHESS_ARCH_RDTSC, 2)) ||
	       (len == 3 && !memcmp(insn, CHESS_ARCH_RDTSCP, 3));
}

/**
 * chess_arch_tsc_answer() - what an instruction that reads the time stamp counter leaves
 * @regs: user registers at it; afterwards those after it
 * @value: of the counter
 * @len: of the instruction
 *
 * Context: die notifier.
 */
static inline void chess_arch_tsc_answer(struct pt_regs *regs, u64 value, unsigned int len)
{
	regs->ax = (u32)value;
	regs->dx = value >> 32;
	if (len == 3)
		regs->cx = 0;
	regs->ip += len;
}

/**
 * chess_arch_set_function_arg() - change an integer argument of a function
 * @regs: registers at its entry
 * @n: from 1; 1 to 3
 * @value: its value
 *
 * Context: probe, at the entry.
 */
static inline void chess_arch_set_function_arg(struct pt_regs *regs, unsigned int n,
					       unsigned long value)
{
	switch (n) {
	case 1:
		regs->di = value;
		break;
	case 2:
		regs->si = value;
		break;
	default:
		regs->dx = value;
	}
}

/**
 * chess_arch_foreign_abi() - is the current syscall of the 32-bit table
 *
 * Calls of the x32 ABI differ by their numbers, which are in no table.
 *
 * Context: probe, sys_enter of current.
 * Return: whether syscall numbers and arguments mean something else.
 */
static inline bool chess_arch_foreign_abi(void)
{
	return in_ia32_syscall();
}

/**
 * struct chess_vector - vector and mask registers
 * @vector: zmm0 up; bytes the processor does not have are as they were
 * @opmask: k0 to k7
 * @vectors: how many of @vector are known
 * @has_opmask: @opmask is known
 */
struct chess_vector {
	u8 vector[32][64];
	u64 opmask[8];
	u32 vectors;
	bool has_opmask;
};

/* Has a debugger asked current for one instruction? Context: any, in the task itself. */
static inline bool chess_arch_is_stepped(void)
{
	return current->ptrace && test_thread_flag(TIF_SINGLESTEP);
}

/*
 * Does one signal come after each instruction, for a debugger or for the program itself, which may
 * set the flag? Context: any, in the task itself.
 */
static inline bool chess_arch_is_stepping(const struct pt_regs *regs)
{
	return chess_arch_is_stepped() || regs->flags & X86_EFLAGS_TF;
}

/* jmp rel32 */
#define CHESS_ARCH_JUMP_BYTE	0xe9
#define CHESS_ARCH_JUMP_BYTES	5

/*
 * The code of a fast point: it notes the point, which is noted when SLOT is come to, then does
 * what the slot does; without budget there is a trap.
 */
#define CHESS_ARCH_FAST_SLOT	50
#define CHESS_ARCH_FAST_TRAP	120
#define CHESS_ARCH_FAST_BYTES	128

bool chess_arch_jump(u8 out[CHESS_ARCH_JUMP_BYTES], unsigned long from, unsigned long to);
void chess_arch_fast_build(u8 *out, unsigned long at, unsigned long ring, u32 site);

struct chess_probe;

/**
 * chess_arch_string_copied() - a part of what rep movs or rep stos does was done
 * @regs: user registers at it; afterwards it does the rest
 * @bytes: how much
 * @unit: bytes of an element
 * @moves: it has a source
 *
 * Context: any.
 */
static inline void chess_arch_string_copied(struct pt_regs *regs, u64 bytes, u32 unit, bool moves)
{
	regs->cx -= bytes / unit;
	regs->di += bytes;
	if (moves)
		regs->si += bytes;
}

/**
 * struct chess_arch_copied - registers that say what a copy has left to do
 * @general: di, si, dx, cx, ax
 * @flags: the direction
 */
struct chess_arch_copied {
	unsigned long general[5];
	unsigned long flags;
};

/**
 * chess_arch_copied() - read them
 * @regs: user registers at the instruction, or the call
 *
 * Context: any.
 * Return: them.
 */
static inline struct chess_arch_copied chess_arch_copied(const struct pt_regs *regs)
{
	return (struct chess_arch_copied) {
		.general = { regs->di, regs->si, regs->dx, regs->cx, regs->ax },
		.flags = regs->flags & X86_EFLAGS_DF,
	};
}

/**
 * chess_arch_is_plain() - does the address follow from general registers alone
 * @op: the operand
 *
 * Context: any.
 * Return: whether it does; nearly all are such.
 */
static inline bool chess_arch_is_plain(const struct chess_operand *op)
{
	return op->form == CHESS_FORM_PLAIN && op->segment == CHESS_BASE_ZERO &&
	       !(op->flags & (CHESS_OPERAND_ADDR32 | CHESS_OPERAND_PERHAPS));
}

CHESS_HOT u64 chess_arch_plain_address(const struct pt_regs *regs, const struct chess_operand *op);
void chess_arch_operand_regs(const struct pt_regs *regs, const struct chess_operand *op,
			     struct chess_regs *out);
u64 chess_arch_general(const struct pt_regs *regs, u8 n);
bool chess_arch_read_vector(struct chess_vector *v);
bool chess_arch_may_copy(const struct pt_regs *regs, const struct chess_operand *op, u64 bytes);
u64 chess_arch_filler(const struct pt_regs *regs, const struct chess_operand *op);
void chess_arch_copy_return(struct pt_regs *regs, const struct chess_probe *p,
			    const struct chess_operand *op, unsigned long end);
void chess_arch_leave_slot(struct pt_regs *regs, const struct chess_probe *p, unsigned long va,
			   unsigned int pos);
void chess_arch_dwarf_regs(const struct pt_regs *regs, u64 out[17]);

#endif /* _CHESS_ARCH_X86_H */
