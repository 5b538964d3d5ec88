/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Snapshots of user stacks, as record-get dumps them. Included by <linux/chess_record.h>.
 */
#ifndef _UAPI_LINUX_CHESS_STACK_H
#define _UAPI_LINUX_CHESS_STACK_H

#include <linux/types.h>

#define CHESS_STACK_BYTES	8192
/* With it the number of a snapshot is that of an access, from 1, and not of an event. */
#define CHESS_STACK_AT_ACCESS	0x80000000U
/* With it the number is a task's id: the snapshot is from where a signal that ends its process,
 * such as SIGSEGV, was delivered to the task. The bytes begin with struct chess_fault.
 */
#define CHESS_STACK_AT_FAULT	0x40000000U

/*
 * Addresses on the first stack of a process, in @object and @arg of an event, are
 * recorded as if its arguments and environment began here, because the real beginning
 * depends on their length. These are the addresses from CHESS_STACK_LOW.
 */
#define CHESS_STACK_START	0x7fffffffe000ULL
#define CHESS_STACK_LOW		0x7ffff8100000ULL

/**
 * struct chess_stack - snapshot of a user stack, followed by @size bytes from
 * @sp
 * @seq: event it was taken at, or CHESS_STACK_AT_ACCESS and the number of an access, or
 *	CHESS_STACK_AT_FAULT and a task's id
 * @regs: x86-64 DWARF register order: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp,
 *	r8 .. r15, rip
 */
struct chess_stack {
	__u32 seq;
	__u32 size;
	__u64 regs[17];
};

/**
 * struct chess_fault - the signal that ended a task's process
 * @address: si_addr of signals that have one, else zero
 * @code: si_code: SEGV_MAPERR and the like; zero and less: a process sent it
 * @signal: its number
 */
struct chess_fault {
	__u64 address;
	__s32 code;
	__u32 signal;
};

#endif /* _UAPI_LINUX_CHESS_STACK_H */
