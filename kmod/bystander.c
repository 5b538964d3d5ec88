// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that are not under control, and the tracepoints of system calls. The kernel has one
 * switch for both tracepoints: with the first probe each task of the machine gets a flag that
 * sends all its system calls the slow way, a third slower. So that others do not pay for a
 * group, only our tasks keep the flag:
 *
 *	a task comes under control	the flag is set		chess_bystander_involve()
 *	anybody else comes to sys_enter	it drops its own flag	chess_bystander_excuse()
 *	a child is created		the kernel gives it the flag of its parent
 *
 * Other tracers want to see all tasks. As long as one has a probe at either tracepoint no
 * flag is dropped; and as the kernel does not set the flags for the second user of a
 * tracepoint, we do when one comes: kretprobes on what registers probes tell. Called by
 * probe.c and task.c.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/kprobes.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/thread_info.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "arch_x86.h"
#include "bystander.h"
#include "compat.h"
#include "task.h"

static struct {
	const char *name;
	struct tracepoint *tp;
	void *ours;
} calls[] = {
	{ .name = "sys_enter" },
	{ .name = "sys_exit" },
};

static bool drops;	/* flags may be dropped; changes under probe_lock of probe.c */

/* Has anybody but us a probe there? */
static bool is_shared(void)
{
	const struct tracepoint_func *func;
	bool shared = false;
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		for (func = rcu_dereference(calls[i].tp->funcs); func && func->func; func++)
			shared |= func->func != calls[i].ours;
	rcu_read_unlock();
	return shared;
}

/* As syscall_regfunc() of the kernel, but for the lock, which is not exported. */
static void involve_all(void)
{
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task)
		set_task_syscall_work(task, SYSCALL_TRACEPOINT);
	rcu_read_unlock();
}

/*
 * A task that was at chess_bystander_excuse() when the other tracer came may have dropped its
 * flag after it was set, and a child that was being created had that of its parent from before.
 */
static void involve_stragglers(struct work_struct *work)
{
	synchronize_rcu();
	involve_all();
}

static DECLARE_WORK(stragglers, involve_stragglers);

static int handle_register(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct tracepoint *tp = (void *)chess_arch_function_arg(regs, 1);

	return tp != calls[0].tp && tp != calls[1].tp;
}

static int handle_registered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (is_shared()) {
		involve_all();
		schedule_work(&stragglers);
	}
	return 0;
}

/* Each may be inlined into another; twice is as good as once. */
static const char *const functions[] = {
	"tracepoint_probe_register",
	"tracepoint_probe_register_prio",
	"tracepoint_probe_register_prio_may_exist",
};
static struct kretprobe registrations[ARRAY_SIZE(functions)];
static struct kretprobe *registration[ARRAY_SIZE(functions)];

/**
 * chess_bystander_attach() - from now on others drop the flag
 * @enter: our probe of sys_enter, which is registered
 * @exit: our probe of sys_exit, which is, too
 *
 * Where it cannot be known when other tracers come, all tasks keep the flag.
 *
 * Context: process, may sleep; with the first group.
 */
void chess_bystander_attach(void *enter, void *exit)
{
	unsigned int i;

	calls[0].ours = enter;
	calls[1].ours = exit;
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		calls[i].tp = chess_compat_tracepoint(calls[i].name);
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		registrations[i] = (struct kretprobe) {
			.kp.symbol_name = functions[i],
			.entry_handler = handle_register,
			.handler = handle_registered,
		};
		registration[i] = &registrations[i];
	}
	if (register_kretprobes(registration, ARRAY_SIZE(functions))) {
		pr_warn_once("cannot tell when others trace system calls: all tasks pay for groups\n");
		return;
	}
	WRITE_ONCE(drops, true);
}

/**
 * chess_bystander_detach() - undo chess_bystander_attach()
 *
 * Our probes are gone and have been waited for, so nobody drops a flag any more. Whoever
 * still traces has all flags set.
 *
 * Context: process, may sleep; no group is left.
 */
void chess_bystander_detach(void)
{
	if (!drops)
		return;
	WRITE_ONCE(drops, false);
	unregister_kretprobes(registration, ARRAY_SIZE(functions));
	cancel_work_sync(&stragglers);
	if (is_shared())
		involve_all();
}

/**
 * chess_bystander_involve() - a task is in the table from now on
 * @task: the task
 *
 * Context: any.
 */
void chess_bystander_involve(struct task_struct *task)
{
	/* Pairs with chess_bystander_excuse(). */
	smp_mb();
	set_task_syscall_work(task, SYSCALL_TRACEPOINT);
}

/**
 * chess_bystander_excuse() - a task that does not execute under control made a system call
 *
 * Context: probe (sys_enter).
 */
void chess_bystander_excuse(void)
{
	if (!READ_ONCE(drops) || chess_task_find(current) || is_shared())
		return;
	clear_task_syscall_work(current, SYSCALL_TRACEPOINT);
	/* It is in the table by now, or its flag will be set after this. */
	smp_mb();
	if (chess_task_find(current))
		set_task_syscall_work(current, SYSCALL_TRACEPOINT);
}
