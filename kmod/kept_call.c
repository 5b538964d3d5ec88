// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls that a kept process and its children make, see kept.c: clone() with a certain
 * process number, and setpgid(). They are made by a syscall instruction of the program.
 */
#include <linux/jiffies.h>
#include <linux/nsproxy.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "arch_x86.h"
#include "chess.h"
#include "kept_call.h"

/* How long a process number of the last run is waited for. */
#define NUMBER_WAIT	(5 * HZ)

/**
 * chess_kept_find_call() - a syscall instruction of the program of a run
 * @g: the group, of which current is the only task
 *
 * Context: task work.
 * Return: where the last call of the record was made, or zero.
 */
unsigned long chess_kept_find_call(const struct chess_group *g)
{
	unsigned long at;
	u32 i = g->record.length;
	u8 code[CHESS_ARCH_SYSCALL_LEN];

	while (i--) {
		const struct chess_event *e = &g->record.events[i];

		if (e->type != CHESS_EVENT_POINT || (e->flags & CHESS_OPF_PROBE))
			continue;
		at = e->ip - CHESS_ARCH_SYSCALL_LEN;
		if (!copy_from_user(code, (void __user *)at, sizeof(code)) &&
		    code[0] == 0x0f && code[1] == 0x05)
			return at;
	}
	return 0;
}

/**
 * chess_kept_call() - have a task make a system call next
 * @regs: its user registers
 * @kept: what they are besides
 * @at: address of a syscall instruction
 * @nr: number of the call
 * @arg: its first argument; the others are zero
 *
 * Context: any; the task is current, or has not run yet.
 */
void chess_kept_call(struct pt_regs *regs, const struct pt_regs *kept, unsigned long at, long nr,
		     unsigned long arg)
{
	*regs = *kept;
	regs->ip = at;
	regs->orig_ax = -1;
	regs->ax = nr;
	regs->di = arg;
	regs->si = 0;
	regs->dx = 0;
	regs->r10 = 0;
	regs->r8 = 0;
}

static bool is_taken(struct pid_namespace *ns, pid_t nr)
{
	bool taken;

	rcu_read_lock();
	taken = find_pid_ns(nr, ns);
	rcu_read_unlock();
	return taken;
}

/**
 * chess_kept_prepare_fork() - the next child has the process number that current has
 *
 * Each among its own. As the number of a group of processes the last run may still have it: the
 * ends of its tasks are not waited for.
 *
 * Context: task work, of a kept process.
 * Return: flags for clone(), or zero: the number does not become free.
 */
unsigned long chess_kept_prepare_fork(void)
{
	struct pid_namespace *own = task_active_pid_ns(current);
	struct pid_namespace *of_child = current->nsproxy->pid_ns_for_children;
	unsigned long until = jiffies + NUMBER_WAIT;
	pid_t nr = task_pid_vnr(current);

	if (own == of_child)
		return CLONE_PARENT | SIGCHLD;
	while (is_taken(of_child, nr)) {
		if (time_after(jiffies, until) || fatal_signal_pending(current))
			return 0;
		schedule_timeout_killable(1);
	}
	idr_set_cursor(&of_child->idr, nr);
	return CLONE_PARENT | SIGCHLD;
}
