/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One access to memory in a run, as it is recorded: beside the events of
 * <linux/chess_record.h>, in the order in which they were made.
 */
#ifndef CHESSCTL_ACCESS_EVENT_H
#define CHESSCTL_ACCESS_EVENT_H

#include <linux/types.h>

#define CHESS_ACCESS_READ	0x01
#define CHESS_ACCESS_WRITE	0x02
/* No other access comes between its read and its write, and it orders. */
#define CHESS_ACCESS_ATOMIC	0x04
/* No access: the bytes were handed out as new memory, what was done to them is over. */
#define CHESS_ACCESS_FRESH	0x08
/* In a shared mapping: the address means the same memory in all processes of the run. */
#define CHESS_ACCESS_SHARED	0x10

/**
 * struct chess_access - an access
 * @address: first byte
 * @ip: the instruction, where it is in the process
 * @size: bytes; those of a repeated instruction as one
 * @seq: the last event that was recorded before it; 0: none was
 * @site: id given with the trap that stands for image and offset; 0: none
 * @task: who
 * @kind: CHESS_ACCESS_*
 * @pad: zero
 *
 * An instruction with two operands is two of them, what it reads first.
 */
struct chess_access {
	__u64 address;
	__u64 ip;
	__u32 size;
	__u32 seq;
	__u32 site;
	__u16 task;
	__u8 kind;
	__u8 pad;
};

_Static_assert(sizeof(struct chess_access) == 32, "an access has 32 bytes");

#endif /* CHESSCTL_ACCESS_EVENT_H */
