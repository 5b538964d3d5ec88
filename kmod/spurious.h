/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits that end without a wake-up.
 */
#ifndef _CHESS_SPURIOUS_H
#define _CHESS_SPURIOUS_H

#include <linux/types.h>
#include "decide.h"

struct chess_frame;
struct chess_group;
struct chess_task;
struct pt_regs;

/**
 * struct chess_back - a condition wait ended without a wake-up: it returns by its own trap
 * @set: whether one does
 * @ip: of the trap
 * @sp: where the return address is
 * @ret: what it was
 */
struct chess_back {
	bool set;
	unsigned long ip;
	unsigned long sp;
	unsigned long ret;
};

/**
 * struct chess_spurious - may the call that a task waits in end without a wake-up
 * @decided: it does, and not because its deadline passes; under plock
 * @returns: what it returns then, see spurious.c; zero: it may not
 * @frame: the condition wait it is in, where that has to be known
 * @back: a condition wait that ended so
 *
 * Where nothing else is said: written by the task itself alone.
 */
struct chess_spurious {
	bool decided;
	u8 returns;
	struct chess_frame *frame;
	struct chess_back back;
};

/**
 * struct chess_spurious_waits - tasks of a group whose wait may end without a wake-up
 * @tasks: those that are blocked without a deadline; under plock
 * @ending: these and chess_group.timed; scratch of a decision, under plock
 */
struct chess_spurious_waits {
	struct chess_set tasks;
	struct chess_set ending;
};

void chess_spurious_enter(struct chess_task *t, const struct pt_regs *regs, long nr);
const struct chess_set *chess_spurious_ending_locked(struct chess_group *g);
bool chess_spurious_decide_locked(struct chess_task *t, bool early);
long chess_spurious_end(struct chess_task *t);
bool chess_spurious_returned(struct chess_task *t, struct pt_regs *regs);
void chess_spurious_forget(struct chess_task *t);
void chess_spurious_hide(void *stack, u32 size, unsigned long sp);

#endif /* _CHESS_SPURIOUS_H */
