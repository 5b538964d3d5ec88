/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Accesses to memory, as access-get dumps them. Included by <linux/chess_record.h>.
 */
#ifndef _UAPI_LINUX_CHESS_ACCESS_H
#define _UAPI_LINUX_CHESS_ACCESS_H

#include <linux/types.h>

#define CHESS_ACCESS_READ	0x01
#define CHESS_ACCESS_WRITE	0x02
/* No other access comes between its read and its write, and it orders. */
#define CHESS_ACCESS_ATOMIC	0x04
/* Perhaps an access, and it orders nothing: what a call is given to read, or to fill in, of which
 * it may do less, and some time before it returns. An instruction that is atomic reads and writes.
 */
#define CHESS_ACCESS_MAY_READ	(CHESS_ACCESS_READ | CHESS_ACCESS_ATOMIC)
#define CHESS_ACCESS_MAY_WRITE	(CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC)
/* Not an access: the bytes were handed out as new memory, so earlier accesses to them no longer
 * count. With an ip a heap freed them, and ip is where that function returns to. With WRITE
 * as well, a call of the program took them away, as munmap() does.
 */
#define CHESS_ACCESS_FRESH	0x08
/* In a shared mapping: the address means the same memory in all processes of the run. */
#define CHESS_ACCESS_SHARED	0x10
/* Not an access: a heap allocates the bytes; ip is where the allocating function returns to.
 * Without size nothing was allocated (address zero), or a block that the module does not
 * understand. With FRESH the heap should resize the block: the result is in the next entry
 * of the same task with the same ip.
 */
#define CHESS_ACCESS_ALLOCATED	0x20
/* Not an access: about the task itself; the size is enum chess_told. */
#define CHESS_ACCESS_TOLD	0x40
/* The same with size zero. */
#define CHESS_ACCESS_COPIED	CHESS_ACCESS_TOLD

/* Of MAY_READ and MAY_WRITE without SHARED, as memory: the bytes are those of the task @ip. */
#define CHESS_ACCESS_OF_TASK	0xff

/**
 * enum chess_told - the meaning of an entry of kind CHESS_ACCESS_TOLD
 * @CHESS_TOLD_COPIED: the task that was created last by this one has a copy of its memory,
 *	and from here on the same address means two things. Address is zero
 * @CHESS_TOLD_INSTALLED: it sets the action for signal @site
 * @CHESS_TOLD_OPENED: it unblocks the signals in @address, a mask; only those that have
 *	handlers
 * @CHESS_TOLD_BLOCKED: it blocks them
 * @CHESS_TOLD_SENT: it sends signal @site to the task @address; with @ip, to any task of
 *	the process of that task
 * @CHESS_TOLD_ARMED: it sets a timer that sends a signal, or sets it again
 * @CHESS_TOLD_HANDLER: the handler of signal @site begins in it. Until its end the signals
 *	in @address are also blocked; @ip is CHESS_HANDLER_*
 * @CHESS_TOLD_RETURNED: the innermost handler it is in returns
 * @CHESS_TOLD_JUMPED: it left that handler in another way, some time since its last access
 * @CHESS_TOLD_RETIRED: the record is long, and site @site, at @ip, was executed so often that its
 *	accesses are not recorded from here on, for now or for good; it counts as one lost
 * @CHESS_TOLD_POPPED: its stack pointer was @address at its last point, and is @ip at the one
 *	that comes: the frames in between have ended
 * @CHESS_TOLD_RESTS: it is the only task there has been, and most of its accesses are not
 *	recorded from here on until there is another task, or a signal that may be handled
 * @CHESS_TOLD_UNSEEN: it makes system call @site, and what follows from it for other tasks is
 *	not recorded
 */
enum chess_told {
	CHESS_TOLD_COPIED,
	CHESS_TOLD_INSTALLED,
	CHESS_TOLD_OPENED,
	CHESS_TOLD_BLOCKED,
	CHESS_TOLD_SENT,
	CHESS_TOLD_ARMED,
	CHESS_TOLD_HANDLER,
	CHESS_TOLD_RETURNED,
	CHESS_TOLD_JUMPED,
	CHESS_TOLD_RETIRED,
	CHESS_TOLD_POPPED,
	CHESS_TOLD_RESTS,
	CHESS_TOLD_UNSEEN,
};

/* The task itself caused the signal there: an instruction that faults, raise(). */
#define CHESS_HANDLER_OWN		0x01
/* A call that waits, such as sigsuspend(), unblocks the signal, which is blocked otherwise. */
#define CHESS_HANDLER_WAITED		0x02
/* The signal ends a call of the task, which reports it. */
#define CHESS_HANDLER_INTERRUPTS	0x04
/* A timer sent it. */
#define CHESS_HANDLER_TIMER		0x08
/* It runs on an alternative stack, which at least in part is that of another thread, too. */
#define CHESS_HANDLER_SHARED		0x10

/**
 * struct chess_access - an access to memory in a run
 * @address: first byte
 * @ip: address of the instruction in the process; for FRESH and ALLOCATED a return
 *	address, or zero
 * @size: number of bytes; a repeated instruction is one access
 * @seq: the last event that was recorded before it; 0: none was
 * @site: id given with the trap, which identifies image and offset; 0: none. For memory
 *	that a heap frees it is that of the function
 * @task: the task that made it
 * @kind: CHESS_ACCESS_*
 * @memory: for SHARED, the number of the memory that processes of the run share, from 1;
 *	zero: there were too many. The address is that in its first mapping in the run
 *
 * For CHESS_ACCESS_TOLD, enum chess_told defines address, ip and site.
 *
 * Accesses are separate from the events, in the order in which they were made. An
 * instruction with two operands is two accesses, with the read first. Addresses on the
 * first stack are recorded as in events.
 */
struct chess_access {
	__u64 address;
	__u64 ip;
	__u32 size;
	__u32 seq;
	__u32 site;
	__u16 task;
	__u8 kind;
	__u8 memory;
};

#endif /* _UAPI_LINUX_CHESS_ACCESS_H */
