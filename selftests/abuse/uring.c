// SPDX-License-Identifier: GPL-2.0-only
/*
 * A read that completes by a write in the same ring, with a time-out. Hard: workers and timers
 * of the kernel's.
 */
#include <linux/io_uring.h>

#include "abuse.h"

int main(void)
{
	struct __kernel_timespec time = { 0, 5000000 };
	struct io_uring_params p = { 0 };
	struct io_uring_sqe *sqe;
	unsigned int *array, i;
	char *sq, *cq, byte = '?';
	int ring, fds[2], n;

	ring = (int)syscall(SYS_io_uring_setup, 8, &p);
	if (ring < 0 || pipe(fds)) {
		say("no ring\n");
		return 0;
	}
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
	cq = mmap(NULL, p.cq_off.cqes + p.cq_entries * 16, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_CQ_RING);
	sqe = mmap(NULL, p.sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQES);
	sqe[0] = (struct io_uring_sqe){ .opcode = IORING_OP_READ, .fd = fds[0], .len = 1,
					.addr = (unsigned long)&byte };
	sqe[1] = (struct io_uring_sqe){ .opcode = IORING_OP_TIMEOUT, .len = 1,
					.addr = (unsigned long)&time };
	sqe[2] = (struct io_uring_sqe){ .opcode = IORING_OP_WRITE, .fd = fds[1], .len = 1,
					.addr = (unsigned long)"x" };
	array = (unsigned int *)(sq + p.sq_off.array);
	for (i = 0; i < 3; i++)
		array[i] = i;
	__atomic_store_n((unsigned int *)(sq + p.sq_off.tail), 3, __ATOMIC_RELEASE);
	n = (int)syscall(SYS_io_uring_enter, ring, 3, 3, IORING_ENTER_GETEVENTS, NULL, 0);
	say("submitted %d, completed %u, byte %c\n", n,
	    __atomic_load_n((unsigned int *)(cq + p.cq_off.tail), __ATOMIC_ACQUIRE), byte);
	return 0;
}
