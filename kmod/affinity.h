/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which processors a task runs on, and which it believes it may.
 */
#ifndef _CHESS_AFFINITY_H
#define _CHESS_AFFINITY_H

#include <linux/cpumask.h>

struct chess_group;
struct chess_task;
struct pt_regs;

/**
 * struct chess_place - the processor of a group
 * @cpu: its tasks are bound to it when they come under control; written under the lock of
 *	the list of groups, before the run
 * @limits: what the control group of its first task allows; written before the run
 * @uprooted: the processor went offline during the run; what the kernel moved is not told
 *	from what others moved. No lock: it is only set during a run
 */
struct chess_place {
	unsigned int cpu;
	cpumask_var_t limits;
	bool uprooted;
};

/**
 * struct chess_binding - where a task was put, and what it gets back
 * @cpus: processors it gets back when it leaves control; valid while @is_bound
 * @cpu: the one processor it was put on; valid while @is_bound
 * @asked: the program asked for @cpus
 * @is_bound: it was put on the group's processor
 *
 * Only the task itself, or drain.c while it sleeps, under group->leaving.
 */
struct chess_binding {
	cpumask_var_t cpus;
	unsigned int cpu;
	bool asked;
	bool is_bound;
};

void chess_affinity_bind(struct chess_task *t);
void chess_affinity_keep(struct chess_task *t);
void chess_affinity_restore(struct chess_task *t);
void chess_affinity_give_back(struct task_struct *task, struct cpumask *had, bool asked, int cpu);
int chess_affinity_ask(struct chess_task *t, pid_t pid, unsigned int len,
		       const unsigned long __user *mask);
void chess_affinity_exit(struct chess_task *t, const struct pt_regs *regs, long ret);
int chess_affinity_place(const struct chess_task *t);

#endif /* _CHESS_AFFINITY_H */
