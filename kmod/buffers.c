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
#include <linux/sizes.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "buffers.h"
#include "chess.h"
#include "memory.h"
#include "task.h"
#include "traps/access.h"
#include "traps/space.h"

/* Of one buffer; enough for what programs read at once. */
#define MOST_BYTES	SZ_1M
#define MOST_VECTORS	32
#define MOST_MESSAGES	8

#define READ_PERHAPS	(CHESS_ACCESS_READ | CHESS_ACCESS_ATOMIC)
#define WRITTEN_PERHAPS	(CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC)

/* What an argument points to. */
enum form { FLAT, MESSAGE_OF_QUEUE, VECTORS, MESSAGE, MESSAGES };

/**
 * struct buffer - an argument
 * @form: what it points to
 * @kind: how that is accessed
 * @arg: its number; the next one counts bytes, or elements
 */
struct buffer {
	enum form form;
	u8 kind;
	u8 arg;
};

static bool find_buffer(long nr, struct buffer *b)
{
	switch (nr) {
	case __NR_read:
	case __NR_pread64:
	case __NR_recvfrom:
	case __NR_getdents64:
	case __NR_readlink:
	case __NR_mq_timedreceive:
		*b = (struct buffer) { FLAT, WRITTEN_PERHAPS, 1 };
		return true;
	case __NR_getcwd:
	case __NR_getrandom:
		*b = (struct buffer) { FLAT, WRITTEN_PERHAPS, 0 };
		return true;
	case __NR_readlinkat:
		*b = (struct buffer) { FLAT, WRITTEN_PERHAPS, 2 };
		return true;
	case __NR_write:
	case __NR_pwrite64:
	case __NR_sendto:
	case __NR_mq_timedsend:
		*b = (struct buffer) { FLAT, READ_PERHAPS, 1 };
		return true;
	case __NR_msgrcv:
		*b = (struct buffer) { MESSAGE_OF_QUEUE, WRITTEN_PERHAPS, 1 };
		return true;
	case __NR_msgsnd:
		*b = (struct buffer) { MESSAGE_OF_QUEUE, READ_PERHAPS, 1 };
		return true;
	case __NR_readv:
	case __NR_preadv:
	case __NR_preadv2:
	case __NR_process_vm_readv:
		*b = (struct buffer) { VECTORS, WRITTEN_PERHAPS, 1 };
		return true;
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
	case __NR_vmsplice:
	case __NR_process_vm_writev:
		*b = (struct buffer) { VECTORS, READ_PERHAPS, 1 };
		return true;
	case __NR_recvmsg:
		*b = (struct buffer) { MESSAGE, WRITTEN_PERHAPS, 1 };
		return true;
	case __NR_sendmsg:
		*b = (struct buffer) { MESSAGE, READ_PERHAPS, 1 };
		return true;
	case __NR_recvmmsg:
		*b = (struct buffer) { MESSAGES, WRITTEN_PERHAPS, 1 };
		return true;
	case __NR_sendmmsg:
		*b = (struct buffer) { MESSAGES, READ_PERHAPS, 1 };
		return true;
	default:
		return false;
	}
}

static void access_bytes(struct chess_task *t, const struct pt_regs *regs, u8 kind, u64 at,
			 u64 bytes)
{
	u64 address = at;
	u8 memory;

	if (!bytes)
		return;
	if (chess_memory_is_shared(chess_mm_shared(t->mm), &address, &memory))
		kind |= CHESS_ACCESS_SHARED;
	chess_access_memory(t, kind, at, min_t(u64, bytes, MOST_BYTES), regs->ip, 0);
}

static void access_vectors(struct chess_task *t, const struct pt_regs *regs, u8 kind, u64 at,
			   u64 count)
{
	struct iovec v;
	u64 i;

	for (i = 0; i < count && i < MOST_VECTORS; i++) {
		if (copy_from_user_nofault(&v, (void __user *)(at + i * sizeof(v)), sizeof(v)))
			break;
		access_bytes(t, regs, kind, (u64)v.iov_base, v.iov_len);
	}
	if (i < count)
		chess_access_missed(t);
}

static void access_messages(struct chess_task *t, const struct pt_regs *regs, u8 kind, u64 at,
			    u64 count)
{
	struct user_msghdr m;
	u64 i;

	for (i = 0; i < count && i < MOST_MESSAGES; i++) {
		if (copy_from_user_nofault(&m, (void __user *)(at + i * sizeof(struct mmsghdr)),
					   sizeof(m)))
			break;
		access_vectors(t, regs, kind, (u64)m.msg_iov, m.msg_iovlen);
	}
	if (i < count)
		chess_access_missed(t);
}

/**
 * chess_buffers_access() - a call is about to be made: what it accesses is recorded
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * What a call's arguments say is not known where their memory is not present, or where there
 * are too many: that counts as an access that is missing.
 *
 * Context: probe (sys_enter).
 */
void chess_buffers_access(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	struct buffer b;
	u64 at, count;

	if (!find_buffer(nr, &b) || chess_arch_foreign_abi() || !chess_access_is_running(t))
		return;
	at = chess_arch_syscall_arg(regs, b.arg);
	count = chess_arch_syscall_arg(regs, b.arg + 1);
	switch (b.form) {
	case FLAT:
		access_bytes(t, regs, b.kind, at, count);
		break;
	case MESSAGE_OF_QUEUE:
		/* Its type comes before the bytes that are counted. */
		access_bytes(t, regs, b.kind, at, min_t(u64, count, MOST_BYTES) + sizeof(long));
		break;
	case VECTORS:
		access_vectors(t, regs, b.kind, at, count);
		break;
	case MESSAGE:
		access_messages(t, regs, b.kind, at, 1);
		break;
	case MESSAGES:
		access_messages(t, regs, b.kind, at, count);
		break;
	}
}
