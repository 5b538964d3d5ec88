// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers that a program gives to system calls, as accesses of the task that makes the call.
 * Other tasks may use a buffer while the call waits, and a call may do less than it is asked
 * for: such an access leads to points at those it is unordered with, and is not taken for a race.
 *
 * Calls of the C library's functions are not enough: a program calls them by pointers, or makes
 * the call itself. Addresses and sizes that stand in memory go into the record and nowhere else.
 */
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "buffers.h"
#include "chess.h"
#include "task.h"
#include "traps/access.h"

#define MOST_VECTORS	32
#define MOST_MESSAGES	8

#define FLAT		CHESS_BUFFER_FLAT
#define MESSAGE_OF_QUEUE CHESS_BUFFER_MESSAGE_OF_QUEUE
#define VECTORS		CHESS_BUFFER_VECTORS
#define MESSAGE		CHESS_BUFFER_MESSAGE
#define MESSAGES	CHESS_BUFFER_MESSAGES

/* How it is accessed. */
#define R	CHESS_ACCESS_MAY_READ
#define W	CHESS_ACCESS_MAY_WRITE

/* By call. The argument after @arg counts bytes, or elements. */
static const struct buffer {
	u8 form;
	u8 kind;
	u8 arg;
} buffers[] = {
	[__NR_read]		= { FLAT, W, 1 },
	[__NR_pread64]		= { FLAT, W, 1 },
	[__NR_recvfrom]		= { FLAT, W, 1 },
	[__NR_getdents64]	= { FLAT, W, 1 },
	[__NR_readlink]		= { FLAT, W, 1 },
	[__NR_readlinkat]	= { FLAT, W, 2 },
	[__NR_getcwd]		= { FLAT, W, 0 },
	[__NR_getrandom]	= { FLAT, W, 0 },
	[__NR_mq_timedreceive]	= { FLAT, W, 1 },
	[__NR_write]		= { FLAT, R, 1 },
	[__NR_pwrite64]		= { FLAT, R, 1 },
	[__NR_sendto]		= { FLAT, R, 1 },
	[__NR_mq_timedsend]	= { FLAT, R, 1 },
	[__NR_msgrcv]		= { MESSAGE_OF_QUEUE, W, 1 },
	[__NR_msgsnd]		= { MESSAGE_OF_QUEUE, R, 1 },
	[__NR_readv]		= { VECTORS, W, 1 },
	[__NR_preadv]		= { VECTORS, W, 1 },
	[__NR_preadv2]		= { VECTORS, W, 1 },
	[__NR_process_vm_readv]	= { VECTORS, W, 1 },
	[__NR_writev]		= { VECTORS, R, 1 },
	[__NR_pwritev]		= { VECTORS, R, 1 },
	[__NR_pwritev2]		= { VECTORS, R, 1 },
	[__NR_vmsplice]		= { VECTORS, R, 1 },
	[__NR_process_vm_writev] = { VECTORS, R, 1 },
	[__NR_recvmsg]		= { MESSAGE, W, 1 },
	[__NR_sendmsg]		= { MESSAGE, R, 1 },
	[__NR_recvmmsg]		= { MESSAGES, W, 1 },
	[__NR_sendmmsg]		= { MESSAGES, R, 1 },
};

/**
 * chess_buffers_bytes() - a call may access bytes of the program
 * @t: the task that makes it, which is current and has the token
 * @regs: its user registers
 * @kind: CHESS_ACCESS_MAY_READ or CHESS_ACCESS_MAY_WRITE
 * @at: the first of them; zero: there are none
 * @bytes: how many; no more than CHESS_BUFFER_BYTES count
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_buffers_bytes(struct chess_task *t, const struct pt_regs *regs, u8 kind, u64 at,
			 u64 bytes)
{
	if (at && bytes)
		chess_access_memory(t, kind | CHESS_ACCESS_SHARED, at,
				    min_t(u64, bytes, CHESS_BUFFER_BYTES), regs->ip, 0);
}

static void access_vectors(struct chess_task *t, const struct pt_regs *regs, u8 kind, u64 at,
			   u64 count)
{
	struct iovec v;
	u64 i;

	chess_buffers_bytes(t, regs, CHESS_ACCESS_MAY_READ, at, count * sizeof(v));
	for (i = 0; i < count && i < MOST_VECTORS; i++) {
		if (copy_from_user_nofault(&v, (void __user *)(at + i * sizeof(v)), sizeof(v)))
			break;
		chess_buffers_bytes(t, regs, kind, (__force u64)v.iov_base, v.iov_len);
	}
	if (i < count)
		chess_access_missed(t);
}

static void access_messages(struct chess_task *t, const struct pt_regs *regs, u8 kind, u64 at,
			    u64 count)
{
	struct user_msghdr m;
	u64 i;

	for (i = 0; i < count && i < MOST_MESSAGES; i++, at += sizeof(struct mmsghdr)) {
		if (copy_from_user_nofault(&m, (void __user *)at, sizeof(m)))
			break;
		chess_buffers_bytes(t, regs, kind, (__force u64)m.msg_name, max(m.msg_namelen, 0));
		chess_buffers_bytes(t, regs, kind, (__force u64)m.msg_control, m.msg_controllen);
		access_vectors(t, regs, kind, (__force u64)m.msg_iov, m.msg_iovlen);
	}
	if (i < count)
		chess_access_missed(t);
}

/**
 * chess_buffers_form() - a call may access bytes that an address stands for
 * @t: the task that makes it, which is current and has the token
 * @regs: its user registers
 * @form: what is there
 * @kind: CHESS_ACCESS_MAY_READ or CHESS_ACCESS_MAY_WRITE
 * @at: the address
 * @count: how many bytes, or elements
 *
 * What is said there is not known where its memory is not present, or where there is too much of
 * it: that counts as an access that is missing.
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_buffers_form(struct chess_task *t, const struct pt_regs *regs,
			enum chess_buffer_form form, u8 kind, u64 at, u64 count)
{
	switch (form) {
	case CHESS_BUFFER_NOTHING:
		break;
	case CHESS_BUFFER_FLAT:
		chess_buffers_bytes(t, regs, kind, at, count);
		break;
	case CHESS_BUFFER_MESSAGE_OF_QUEUE:
		/* Its type comes before the bytes that are counted. */
		chess_buffers_bytes(t, regs, kind, at,
				    min_t(u64, count, CHESS_BUFFER_BYTES) + sizeof(long));
		break;
	case CHESS_BUFFER_VECTORS:
		access_vectors(t, regs, kind, at, count);
		break;
	case CHESS_BUFFER_MESSAGE:
		chess_buffers_bytes(t, regs, kind, at, sizeof(struct user_msghdr));
		access_messages(t, regs, kind, at, 1);
		break;
	case CHESS_BUFFER_MESSAGES:
		/* How many bytes each had is written there in either direction. */
		chess_buffers_bytes(t, regs, CHESS_ACCESS_MAY_WRITE, at,
				    count * sizeof(struct mmsghdr));
		access_messages(t, regs, kind, at, count);
		break;
	}
}

/**
 * chess_buffers_access() - a call is about to be made: what it accesses is recorded
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_buffers_access(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	const struct buffer *b;

	if ((unsigned long)nr >= ARRAY_SIZE(buffers))
		return;
	b = &buffers[array_index_nospec(nr, ARRAY_SIZE(buffers))];
	chess_buffers_form(t, regs, b->form, b->kind, chess_arch_syscall_arg(regs, b->arg),
			   chess_arch_syscall_arg(regs, b->arg + 1));
}
