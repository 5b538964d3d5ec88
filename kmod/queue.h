/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waiters in line: who of them is woken.
 */
#ifndef _CHESS_QUEUE_H
#define _CHESS_QUEUE_H

#include <linux/types.h>

struct chess_group;
struct chess_task;
struct mm_struct;
struct pt_regs;

/**
 * struct chess_line - where a task may wait in line with others (queue.c)
 * @nr: number of the call it executes
 * @ip: of that
 * @sp: user stack pointer there
 * @kind: of what line, zero: of none; only the task itself
 * @word: the futex's address, or the number of the pipe; only the task itself
 * @mm: whose address that is; NULL: it is shared
 * @wakes: how many waiters the call wakes that it is at
 * @place: it sleeps there, and those with lower ones came before; 0: it does not; under plock
 * @again: it was sent round, and is not back yet; under plock
 */
struct chess_line {
	long nr;
	unsigned long ip;
	unsigned long sp;
	u8 kind;
	u64 word;
	const struct mm_struct *mm;
	u32 wakes;
	u32 place;
	bool again;
};

/**
 * struct chess_queue - lines in which the tasks of a group wait
 * @places: the last place that was given; under plock
 * @waker: those in front of task @target are sent round before this one goes on; or
 *	CHESS_TASK_NONE; under plock
 * @target: see @waker; under plock
 */
struct chess_queue {
	u32 places;
	u32 waker;
	u32 target;
};

void chess_queue_wakes(struct chess_task *t, const struct pt_regs *regs, long nr);
void chess_queue_enter(struct chess_task *t, const struct pt_regs *regs, long nr);
bool chess_queue_left(struct chess_task *t);
void chess_queue_blocked_locked(struct chess_task *t);
bool chess_queue_back_locked(struct chess_task *t, unsigned int state);
void chess_queue_decide_locked(struct chess_group *g);
void chess_queue_forget_locked(struct chess_task *t);

#endif /* _CHESS_QUEUE_H */
