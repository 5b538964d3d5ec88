/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduling policy that a program sees of its tasks.
 */
#ifndef _CHESS_SCHED_SHOWN_H
#define _CHESS_SCHED_SHOWN_H

#include <linux/types.h>

struct chess_task;
struct pt_regs;

/**
 * struct chess_shown - what a task shows of its policy
 * @asked: the program chose the policy, for the task or for one that it descends from
 *
 * Only the token holder, in a system call.
 */
struct chess_shown {
	bool asked;
};

void chess_sched_exit(struct chess_task *t, struct pt_regs *regs, long ret);

#endif /* _CHESS_SCHED_SHOWN_H */
