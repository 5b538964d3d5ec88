/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which processors a task runs on, and which it believes it may.
 */
#ifndef _CHESS_AFFINITY_H
#define _CHESS_AFFINITY_H

#include "chess.h"

void chess_affinity_bind(struct chess_task *t);
void chess_affinity_keep(struct chess_task *t);
void chess_affinity_restore(struct chess_task *t);
void chess_affinity_give_back(struct task_struct *task, struct cpumask *had, bool asked, int cpu);
int chess_affinity_ask(struct chess_task *t, pid_t pid, unsigned int len,
		       const unsigned long __user *mask);

/**
 * chess_affinity_place() - for chess_affinity_give_back(): where it was bound to
 * @t: a task that is bound
 *
 * Context: any.
 * Return: the processor, or -1 when the kernel had to move its tasks.
 */
static inline int chess_affinity_place(const struct chess_task *t)
{
	return READ_ONCE(t->group->uprooted) ? -1 : (int)t->cpu;
}

#endif /* _CHESS_AFFINITY_H */
