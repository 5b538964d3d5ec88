/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recvmmsg(), whose time-out is looked at between datagrams.
 */
#ifndef _CHESS_BATCH_H
#define _CHESS_BATCH_H

#include <linux/types.h>

struct chess_task;
struct pt_regs;

/**
 * struct chess_batch - a recvmmsg() with a time-out (batch.c)
 * @active: it is being executed
 * @split: one datagram at a time
 * @done: datagrams received; not zero: it goes on after the last of them
 * @sp: user stack pointer, by which the call is known when it goes on
 * @args: its arguments
 * @until: end of its time, nanoseconds of the group's clock
 *
 * Only touched by the task itself.
 */
struct chess_batch {
	bool active;
	bool split;
	u32 done;
	unsigned long sp;
	unsigned long args[6];
	u64 until;
};

void chess_batch_enter(struct chess_task *t, struct pt_regs *regs);
void chess_batch_exit(struct chess_task *t, struct pt_regs *regs);

#endif /* _CHESS_BATCH_H */
