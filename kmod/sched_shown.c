// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduling policy that a program sees of its tasks. The library begins a program with
 * SCHED_BATCH, because a task that is woken is not to preempt the one with the token
 * (runner_launch.c). A program that asks gets SCHED_OTHER for it all the same, as it would
 * without control: else it could not tell one that has been set to SCHED_BATCH by another task
 * from one that has not. What the program sets itself it sees. Called by syscalls.c.
 */
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <uapi/linux/sched.h>
#include <uapi/linux/sched/types.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "sched_shown.h"
#include "task.h"
#include "user.h"

static bool is_shown_as_other(struct chess_task *t, pid_t pid)
{
	const struct chess_task *of;
	bool yes;

	rcu_read_lock();
	of = chess_task_of_pid(t, pid);
	yes = of && !of->shown.asked && READ_ONCE(of->task->policy) == SCHED_BATCH;
	rcu_read_unlock();
	return yes;
}

static bool keeps_policy(const struct pt_regs *regs)
{
	const struct sched_attr __user *attr = (void __user *)chess_arch_syscall_arg(regs, 1);
	u64 flags;

	return !copy_from_user_nofault(&flags, &attr->sched_flags, sizeof(flags)) &&
	       (flags & SCHED_FLAG_KEEP_POLICY);
}

static void note_asked(struct chess_task *t, pid_t pid)
{
	struct chess_task *of;

	rcu_read_lock();
	of = chess_task_of_pid(t, pid);
	if (of)
		of->shown.asked = true;
	rcu_read_unlock();
}

/**
 * chess_sched_exit() - a task leaves a call that is perhaps about a scheduling policy
 * @t: the task, which is current
 * @regs: its user registers; the result is replaced where another policy is shown
 * @ret: the result
 *
 * Context: probe (sys_exit).
 */
void chess_sched_exit(struct chess_task *t, struct pt_regs *regs, long ret)
{
	pid_t pid = chess_arch_syscall_arg(regs, 0);
	u32 other = SCHED_NORMAL;

	/* A service that was running has the policy that it was given. */
	if (ret < 0 || t->group->adoption.process)
		return;
	switch (regs->orig_ax) {
	case __NR_sched_setscheduler:
		note_asked(t, pid);
		break;
	case __NR_sched_setattr:
		if (!keeps_policy(regs))
			note_asked(t, pid);
		break;
	case __NR_sched_getscheduler:
		if (is_shown_as_other(t, pid))
			regs->ax = other | (ret & SCHED_RESET_ON_FORK);
		break;
	case __NR_sched_getattr:
		if (is_shown_as_other(t, pid))
			chess_user_put(t, chess_arch_syscall_arg(regs, 1) +
					  offsetof(struct sched_attr, sched_policy),
				       &other, sizeof(other));
		break;
	}
}
