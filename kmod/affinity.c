// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processors. Every task of a group runs on the group's; what it had, or asked for
 * since, it gets when it leaves control. task.c binds and restores, syscalls.c
 * answers sched_setaffinity().
 */
#include <linux/cpumask.h>
#include <linux/pid.h>
#include <linux/uaccess.h>

#include "affinity.h"
#include "task.h"

/**
 * chess_affinity_bind() - put a task on the group's processor
 * @t: the task, which is current
 *
 * The root goes there before its program's first instruction, and its children are
 * created there; adopted tasks when they arrive.
 *
 * Context: task work.
 */
void chess_affinity_bind(struct chess_task *t)
{
	struct chess_group *g = t->group;

	if (t->bound)
		return;
	cpumask_copy(t->cpus, &current->cpus_mask);
	t->bound = true;
	if (set_cpus_allowed_ptr(current, cpumask_of(g->cpu)))
		g->lost++;
}

/**
 * chess_affinity_restore() - give a task its processors back
 * @t: the task, which is current and leaves control
 *
 * When all of them went offline in the meantime it stays where it is, as it would
 * have been moved somewhere by the kernel.
 *
 * Context: task work.
 */
void chess_affinity_restore(struct chess_task *t)
{
	if (!t->bound)
		return;
	t->bound = false;
	set_cpus_allowed_ptr(current, t->cpus);
}

/* One word of a user's mask; behind its end there is nothing. */
static bool read_mask(unsigned long *word, const unsigned long __user *mask, unsigned int len,
		      unsigned int i)
{
	*word = 0;
	return (i + 1) * sizeof(*word) > len ||
	       !copy_from_user_nofault(word, mask + i, sizeof(*word));
}

/**
 * chess_affinity_ask() - a program asks to run on other processors
 * @t: the task that asks, which is current
 * @pid: for which task; 0 for itself
 * @len: bytes of the mask
 * @mask: the processors
 *
 * The task stays on the group's processor and gets these when it leaves control.
 *
 * Context: probe (sys_enter).
 * Return: what the program is told, 0 or negative errno; 1 when the task is none
 * of the group and the call is to be made.
 */
int chess_affinity_ask(struct chess_task *t, pid_t pid, unsigned int len,
		       const unsigned long __user *mask)
{
	unsigned int i, n = BITS_TO_LONGS(nr_cpu_ids);
	struct chess_task *of = t;
	struct task_struct *task;
	unsigned long word;
	bool any = false;
	int ret = 0;

	rcu_read_lock();
	if (pid) {
		task = pid_task(find_vpid(pid), PIDTYPE_PID);
		of = task ? chess_task_find(task) : NULL;
	}
	if (!of || of->group != t->group || !of->bound) {
		ret = 1;
		goto out;
	}
	for (i = 0; i < n; i++) {
		if (!read_mask(&word, mask, len, i)) {
			ret = -EFAULT;
			goto out;
		}
		any |= word & cpumask_bits(cpu_possible_mask)[i];
	}
	if (!any) {
		ret = -EINVAL;
		goto out;
	}
	/* Only the token holder is here, and @of reads it when control has ended. */
	for (i = 0; i < n && read_mask(&word, mask, len, i); i++)
		cpumask_bits(of->cpus)[i] = word;
out:
	rcu_read_unlock();
	return ret;
}
