// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of io_uring and of asynchronous I/O (io_submit(2)): the buffers and files that they are
 * about, as accesses of the task that hands them in, at the call by which it does. The kernel may
 * come to them later: as those of other calls (buffers.c) they lead to points at what they are
 * unordered with, and are not taken for races. Where requests stand in a ring the program itself
 * knows; it is asked for the same places. Requests that a kernel thread fetches (SQPOLL) are not
 * seen, as there is no call, nor are buffers that the kernel takes from a ring: the record says so.
 */
#include <linux/aio_abi.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>
#include <uapi/linux/io_uring.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "buffers.h"
#include "chess.h"
#include "file_access.h"
#include "request_access.h"
#include "task.h"
#include "traps/access.h"
#include "traps/space.h"

#define MOST_REQUESTS	64
/* IORING_SETUP_NO_SQARRAY, which 6.1 does not have. */
#define SETUP_NO_SQARRAY	BIT(16)

#define R	CHESS_ACCESS_MAY_READ
#define W	CHESS_ACCESS_MAY_WRITE

#define AS(form, kind)	{ CHESS_BUFFER_##form, kind }
#define ON(form, kind)	{ CHESS_BUFFER_##form, kind, true }

/* What the address and the length of a request say; with @file it is at an offset of a file. */
struct request {
	u8 form;
	u8 kind;
	bool file;
};

static const struct request ring_requests[] = {
	[IORING_OP_READ]	= ON(FLAT, W),
	[IORING_OP_READ_FIXED]	= ON(FLAT, W),
	[IORING_OP_READV]	= ON(VECTORS, W),
	[IORING_OP_WRITE]	= ON(FLAT, R),
	[IORING_OP_WRITE_FIXED]	= ON(FLAT, R),
	[IORING_OP_WRITEV]	= ON(VECTORS, R),
	[IORING_OP_RECV]	= AS(FLAT, W),
	[IORING_OP_SEND]	= AS(FLAT, R),
	[IORING_OP_SEND_ZC]	= AS(FLAT, R),
	[IORING_OP_RECVMSG]	= AS(MESSAGE, W),
	[IORING_OP_SENDMSG]	= AS(MESSAGE, R),
};

static const struct request aio_requests[] = {
	[IOCB_CMD_PREAD]	= ON(FLAT, W),
	[IOCB_CMD_PREADV]	= ON(VECTORS, W),
	[IOCB_CMD_PWRITE]	= ON(FLAT, R),
	[IOCB_CMD_PWRITEV]	= ON(VECTORS, R),
};

/* The bytes of a file that vectors stand for are not counted. */
static void access_request(struct chess_task *t, const struct pt_regs *regs,
			   const struct request *what, int fd, u64 at, u64 count, loff_t offset)
{
	bool reads_file = what->kind == W;
	u64 bytes = what->form == CHESS_BUFFER_FLAT ? count : CHESS_BUFFER_BYTES;

	chess_buffers_form(t, regs, what->form, what->kind, at, count);
	if (what->file)
		chess_file_bytes(t, regs, fd, reads_file ? R : W, offset, bytes);
}

static bool access_iocb(struct chess_task *t, const struct pt_regs *regs, u64 at)
{
	struct iocb cb;
	u64 from;

	if (copy_from_user_nofault(&from, (void __user *)at, sizeof(from)) ||
	    copy_from_user_nofault(&cb, (void __user *)from, sizeof(cb)))
		return false;
	chess_buffers_bytes(t, regs, R, from, sizeof(cb));
	if (cb.aio_lio_opcode >= ARRAY_SIZE(aio_requests))
		return true;
	access_request(t, regs, &aio_requests[array_index_nospec(cb.aio_lio_opcode,
								 ARRAY_SIZE(aio_requests))],
		       cb.aio_fildes, cb.aio_buf, cb.aio_nbytes, cb.aio_offset);
	return true;
}

static void access_iocbs(struct chess_task *t, const struct pt_regs *regs)
{
	u64 at = chess_arch_syscall_arg(regs, 2), count = chess_arch_syscall_arg(regs, 1), i;

	for (i = 0; i < count && i < MOST_REQUESTS; i++)
		if (!access_iocb(t, regs, at + i * sizeof(u64)))
			break;
	if (i < count)
		chess_access_missed(t);
}

/**
 * chess_request_ring() - a ring was made
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @fd: what io_uring_setup() returned
 *
 * Context: probe (sys_exit).
 */
void chess_request_ring(struct chess_task *t, const struct pt_regs *regs, long fd)
{
	struct chess_rings *rings = t->mm ? chess_mm_rings(t->mm) : NULL;
	struct io_uring_params p;

	if (!rings || READ_ONCE(t->group->token) != t)
		return;
	if (copy_from_user_nofault(&p, (void __user *)chess_arch_syscall_arg(regs, 1), sizeof(p))) {
		chess_access_missed(t);
		return;
	}
	/* A kernel thread fetches the requests: there is no call. */
	if (p.flags & IORING_SETUP_SQPOLL)
		chess_access_tell(t, CHESS_TOLD_UNSEEN, __NR_io_uring_setup, 0, 0);
	rings->v[rings->n++ % CHESS_MAX_RINGS] = (struct chess_ring_place) {
		.fd = fd, .head = p.sq_off.head, .mask = p.sq_off.ring_mask,
		.array = p.sq_off.array, .large = p.flags & IORING_SETUP_SQE128,
		.direct = p.flags & SETUP_NO_SQARRAY,
	};
}

/* Where the program has mapped a part of a ring; zero: it has not. As find_memory() of memory.c. */
static unsigned long find_mapping(const struct file *file, u64 offset)
{
	const struct vm_area_struct *vma;
	unsigned long at = 0;
	VMA_ITERATOR(vmi, current->mm, 0);

	if (!mmap_read_trylock(current->mm))
		return 0;
	for_each_vma(vmi, vma)
		if (vma->vm_file == file && (u64)vma->vm_pgoff << PAGE_SHIFT == offset) {
			at = vma->vm_start;
			break;
		}
	mmap_read_unlock(current->mm);
	return at;
}

static bool read_word(unsigned long at, u32 *word)
{
	return !copy_from_user_nofault(word, (void __user *)at, sizeof(*word));
}

/* The last ring that had the descriptor; NULL: it came from elsewhere. */
static const struct chess_ring_place *find_ring(const struct chess_rings *rings, u32 fd)
{
	u32 i, n = min_t(u32, rings->n, CHESS_MAX_RINGS);

	for (i = 1; i <= n; i++) {
		const struct chess_ring_place *place = &rings->v[(rings->n - i) % CHESS_MAX_RINGS];

		if (place->fd == fd)
			return place;
	}
	return NULL;
}

static bool access_sqe(struct chess_task *t, const struct pt_regs *regs, u64 at)
{
	struct io_uring_sqe sqe;
	const struct request *what;

	if (copy_from_user_nofault(&sqe, (void __user *)at, sizeof(sqe)))
		return false;
	if (sqe.opcode >= ARRAY_SIZE(ring_requests))
		return true;
	if (sqe.flags & IOSQE_BUFFER_SELECT) {
		chess_access_tell(t, CHESS_TOLD_UNSEEN, __NR_io_uring_enter, 0, 0);
		return true;
	}
	what = &ring_requests[array_index_nospec(sqe.opcode, ARRAY_SIZE(ring_requests))];
	/* A registered file is not known. */
	access_request(t, regs, what, sqe.flags & IOSQE_FIXED_FILE ? -1 : sqe.fd, sqe.addr,
		       what->form == CHESS_BUFFER_MESSAGE ? 1 : sqe.len, sqe.off);
	return true;
}

/* Requests that are in the queue; false: it is not known where that is. */
static bool access_queue(struct chess_task *t, const struct pt_regs *regs, struct file *file)
{
	u32 fd = chess_arch_syscall_arg(regs, 0), count = chess_arch_syscall_arg(regs, 1);
	unsigned long queue, requests;
	const struct chess_ring_place *ring = find_ring(chess_mm_rings(t->mm), fd);
	u32 head, mask, index, i;

	if (!ring)
		return false;
	queue = find_mapping(file, IORING_OFF_SQ_RING);
	requests = find_mapping(file, IORING_OFF_SQES);
	if (!queue || !requests || !read_word(queue + ring->head, &head) ||
	    !read_word(queue + ring->mask, &mask))
		return false;
	for (i = 0; i < count && i < MOST_REQUESTS; i++) {
		index = (head + i) & mask;
		if (!ring->direct &&
		    !read_word(queue + ring->array + index * sizeof(index), &index))
			break;
		if (!access_sqe(t, regs, requests + (u64)(index & mask) *
				(ring->large ? 128 : sizeof(struct io_uring_sqe))))
			break;
	}
	return i == count;
}

static void access_ring(struct chess_task *t, const struct pt_regs *regs)
{
	struct file *file;

	if (!t->mm || !(u32)chess_arch_syscall_arg(regs, 1))
		return;
	file = fget(chess_arch_syscall_arg(regs, 0));
	if (!file)
		return;
	if (!access_queue(t, regs, file))
		chess_access_missed(t);
	fput(file);
}

/**
 * chess_request_access() - a call is about to be made: what requests access that it hands in
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Requests that are not known count as an access that is missing.
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_request_access(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	if (nr == __NR_io_submit)
		access_iocbs(t, regs);
	else if (nr == __NR_io_uring_enter)
		access_ring(t, regs);
}
