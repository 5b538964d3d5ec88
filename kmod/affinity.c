// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processors. Every task of a group runs on the group's; what it had, or asked for
 * since, it gets when it leaves control, within what it may have then. What it asked for it also
 * sees. task.c binds and restores, syscalls.c answers sched_setaffinity().
 */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "affinity.h"
#include "arch_x86.h"
#include "chess.h"
#include "compat.h"
#include "group.h"
#include "task.h"
#include "user.h"

/**
 * chess_affinity_keep() - note what a task may run on, before it is bound
 * @t: the task, which is current, or asleep with its pi_lock held
 *
 * Context: any.
 */
void chess_affinity_keep(struct chess_task *t)
{
	cpumask_copy(t->binding.cpus, &t->task->cpus_mask);
	t->binding.cpu = t->group->place.cpu;
	t->binding.asked = false;
	t->binding.is_bound = true;
}

/**
 * chess_affinity_bind() - put a task on the group's processor
 * @t: the task, which is current
 *
 * The root goes there before its program's first instruction, and its children are
 * created there; adopted tasks when they arrive. Where that cannot be, as for a task with
 * a deadline, it stays where it is: one token is enough, one processor is faster.
 *
 * Context: task work.
 */
void chess_affinity_bind(struct chess_task *t)
{
	if (t->binding.is_bound)
		return;
	if (!t->group->adoption.process)
		chess_group_place(t->group, current);
	chess_affinity_keep(t);
	set_cpus_allowed_ptr(current, cpumask_of(t->binding.cpu));
}

/* As sched_setaffinity(2) does: the control group may change meanwhile. */
static void set_limited(struct task_struct *task, struct cpumask *cpus, struct cpumask *limits)
{
	if (!chess_compat_cpuset(task, limits))
		return;
	if (!cpumask_and(cpus, cpus, limits))
		cpumask_copy(cpus, limits);
	set_cpus_allowed_ptr(task, cpus);
	if (chess_compat_cpuset(task, limits) && !cpumask_subset(cpus, limits))
		set_cpus_allowed_ptr(task, limits);
}

/**
 * chess_affinity_give_back() - give a task its processors back
 * @task: the task
 * @had: what it had or asked for; changed
 * @asked: whether it asked
 * @cpu: where it was bound to; -1: anything that it is bound to now is not its own
 *
 * Never more than the kernel would grant it now. Where its control group was changed, or
 * it was bound to others from outside, it has the right ones already.
 *
 * Context: process, may sleep.
 */
void chess_affinity_give_back(struct task_struct *task, struct cpumask *had, bool asked, int cpu)
{
	cpumask_var_t limits;

	if (asked && !chess_compat_set_affinity(task == current ? 0 : task_pid_nr(task), had))
		return;
	if (cpu >= 0 && !cpumask_equal(&task->cpus_mask, cpumask_of(cpu)))
		return;
	/* Without memory it stays on one that it may use. */
	if (!zalloc_cpumask_var(&limits, GFP_KERNEL))
		return;
	set_limited(task, had, limits);
	free_cpumask_var(limits);
}

/**
 * chess_affinity_place() - for chess_affinity_give_back(): where it was bound to
 * @t: a task that is bound
 *
 * Context: any.
 * Return: the processor, or -1 when the kernel had to move its tasks.
 */
int chess_affinity_place(const struct chess_task *t)
{
	return READ_ONCE(t->group->place.uprooted) ? -1 : (int)t->binding.cpu;
}

/**
 * chess_affinity_restore() - give current its processors back
 * @t: its task, which leaves control
 *
 * Context: task work.
 */
void chess_affinity_restore(struct chess_task *t)
{
	if (!t->binding.is_bound)
		return;
	t->binding.is_bound = false;
	chess_affinity_give_back(current, t->binding.cpus, t->binding.asked,
				 chess_affinity_place(t));
}

/* Else the kernel refuses, and says so. */
static bool may_bind(const struct task_struct *task)
{
	const struct cred *cred = __task_cred(task);

	return uid_eq(current_euid(), cred->euid) || uid_eq(current_euid(), cred->uid);
}

/* One word of a user's mask; after its end there is nothing. */
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
 * Return: what the program gets, 0 or negative errno; 1 when the task is none
 * of the group and the call is to be made.
 */
int chess_affinity_ask(struct chess_task *t, pid_t pid, unsigned int len,
		       const unsigned long __user *mask)
{
	unsigned int i, n = BITS_TO_LONGS(nr_cpu_ids);
	struct chess_task *of;
	unsigned long word;
	bool any = false;
	int ret = 0;

	rcu_read_lock();
	of = chess_task_of_pid(t, pid);
	if (!of || !of->binding.is_bound || !may_bind(of->task)) {
		ret = 1;
		goto out;
	}
	for (i = 0; i < n; i++) {
		if (!read_mask(&word, mask, len, i)) {
			ret = -EFAULT;
			goto out;
		}
		any |= word & cpumask_bits(cpu_online_mask)[i] &
		       cpumask_bits(t->group->place.limits)[i];
	}
	if (!any) {
		ret = -EINVAL;
		goto out;
	}
	/* Only the token holder is here, and @of reads it when control has ended. */
	for (i = 0; i < n && read_mask(&word, mask, len, i); i++)
		cpumask_bits(of->binding.cpus)[i] = word;
	of->binding.asked = true;
out:
	rcu_read_unlock();
	return ret;
}

/**
 * chess_affinity_exit() - a task leaves a call that perhaps asks for the processors of a task
 * @t: the task, which is current
 * @regs: its user registers
 * @ret: the result, bytes of the mask that the kernel wrote
 *
 * Where the program has set them, that is what it gets: else it could not tell that another task
 * did so. Before that it is the one that the task is on.
 *
 * Context: probe (sys_exit).
 */
void chess_affinity_exit(struct chess_task *t, const struct pt_regs *regs, long ret)
{
	const struct cpumask *limits = t->group->place.limits;
	unsigned int i, n = BITS_TO_LONGS(nr_cpu_ids);
	const struct chess_task *of;
	unsigned long word;

	if (regs->orig_ax != __NR_sched_getaffinity || ret <= 0 ||
	    !(READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_MORE_CALLS))
		return;
	n = min(n, ret / sizeof(word));
	rcu_read_lock();
	of = chess_task_of_pid(t, chess_arch_syscall_arg(regs, 0));
	for (i = 0; of && of->binding.is_bound && of->binding.asked && i < n; i++) {
		word = cpumask_bits(of->binding.cpus)[i] & cpumask_bits(cpu_online_mask)[i] &
		       cpumask_bits(limits)[i];
		chess_user_put(t, chess_arch_syscall_arg(regs, 2) + i * sizeof(word), &word,
			       sizeof(word));
	}
	rcu_read_unlock();
}
