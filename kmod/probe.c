// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints of the core kernel: found, attached with the first group and
 * detached some time after the last (invariant I5). handle_<event>() looks the task up,
 * translates and calls; no policy here.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/binfmts.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/signal_types.h>
#include <trace/events/signal.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "arch_x86.h"
#include "bystander.h"
#include "calls.h"
#include "chess.h"
#include "compat.h"
#include "gate.h"
#include "handler.h"
#include "heap.h"
#include "point.h"
#include "probe.h"
#include "record.h"
#include "syscalls.h"
#include "taker.h"
#include "task.h"
#include "traps/trap.h"
#include "uring.h"

static struct chess_task *find_running(struct task_struct *task)
{
	struct chess_task *t = chess_task_find(task);

	return t && !READ_ONCE(t->pending) && !READ_ONCE(t->apart) ? t : NULL;
}

CHESS_HOT static void handle_sys_enter(void *data, struct pt_regs *regs, long nr)
{
	struct chess_task *t = chess_task_current();

	if (unlikely(!t)) {
		if (!chess_kept_enter(regs, nr))
			chess_bystander_excuse();
		return;
	}
	if (unlikely(t->traps.fast.granted))
		chess_fast_drain(t);
	chess_syscall_enter(t, regs, nr);
}

CHESS_HOT static void handle_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	struct chess_task *t = chess_task_current();

	if (!t)
		return;
	/* Nearly all calls. Negative numbers are not below anything. */
	if ((unsigned long)ret < chess_call_of(regs->orig_ax)->plain_below)
		chess_syscall_result(t, ret);
	else
		chess_syscall_exit(t, regs, ret);
}

/*
 * Does a sleep in this state take the token away? Waits that a program asks for
 * do. A stop by a debugger outside the group does not: the program must not see
 * it in its schedule. Nor does a wait on the way out: whether a core dump has to
 * wait for the other threads' ends is a race between them.
 */
static bool is_block(const struct chess_task *t, unsigned int state)
{
	const struct task_struct *tracer;

	if (chess_task_dying(t))
		return false;
	if (state & __TASK_TRACED) {
		tracer = rcu_dereference_sched(current->parent);
		t = chess_task_find(tracer);
		return t && t->group == chess_task_find(current)->group;
	}
	return state & (TASK_INTERRUPTIBLE | TASK_FREEZABLE | __TASK_STOPPED);
}

static void handle_sched_switch(void *data, bool preempt, struct task_struct *prev,
				struct task_struct *next, unsigned int prev_state)
{
	struct chess_task *t;
	unsigned int state;

	if (preempt || !prev_state)
		return;
	t = chess_task_find(prev);
	if (!t)
		return;
	/* A page fault of the program may sleep, and be seen by others. */
	if (t->traps.fast.granted)
		chess_fast_drain(t);
	state = READ_ONCE(prev->__state);
	if (state == TASK_DEAD) {
		chess_point_dead(t);
		return;
	}
	/* RUNNING: a signal was pending, it did not block. */
	if (state == TASK_RUNNING || READ_ONCE(t->gate.is_parked) || READ_ONCE(t->pending) ||
	    READ_ONCE(t->apart))
		return;
	/* It is to go on as if nothing had been: it has the token, or is where it was. */
	if (READ_ONCE(t->gate.frozen) || chess_compat_is_frozen(prev, prev_state)) {
		t->gate.thawed = true;
		return;
	}
	if (is_block(t, prev_state))
		chess_point_blocked(t, prev_state);
	else if (!(prev_state & __TASK_TRACED))
		chess_point_slept(t);
}

static void handle_sched_waking(void *data, struct task_struct *p)
{
	struct chess_task *t = find_running(p);

	if (t && !READ_ONCE(t->gate.is_parked))
		chess_point_woken(t);
}

static void handle_sched_process_fork(void *data, struct task_struct *parent,
				      struct task_struct *child)
{
	struct chess_task *t = chess_task_find(parent);

	/* One that has not arrived yet may have a child that nobody else would see. */
	if (!t)
		chess_kept_forked(parent, child);
	else if (!READ_ONCE(t->pending))
		chess_task_forked(t, child);
}

static void handle_sched_process_exec(void *data, struct task_struct *p, pid_t old_pid,
				      struct linux_binprm *bprm)
{
	struct chess_task *t = chess_task_find(p);

	if (t)
		chess_task_executed(t, bprm);
}

/*
 * Illegal instructions and arithmetic are recognised by the address of the instruction, from
 * before we could say which one it is.
 */
static void leave_slot_told(const struct chess_mm *mm, int sig, struct kernel_siginfo *info)
{
	struct pt_regs at = {};

	if ((sig != SIGILL && sig != SIGFPE) || info->si_code <= 0)
		return;
	at.ip = (unsigned long)info->si_addr;
	chess_mm_leave_slot(mm, &at);
	info->si_addr = (void __user *)at.ip;
}

static void leave_slot(struct chess_task *t)
{
	struct pt_regs *regs = task_pt_regs(current);
	unsigned long ip = regs->ip;

	/* As where it is parked at a trap and a signal comes: leave_trap() in gate.c. */
	if (chess_mm_leave_slot(t->mm, regs))
		t->pass = (struct chess_pass) {
			.ip = regs->ip, .sp = regs->sp, .nr = -1, .seq = t->seq, .set = true,
			.again = true,
		};
	if (regs->ip != ip)
		chess_heap_not_freed(t, regs);
}

/*
 * A handler runs. It may interrupt a sync function, and its own ops are points.
 * A call that will not be restarted after it is over: the next one like it is a
 * new op. (orig_ax of -1: no call was interrupted, the task is parked at one.)
 */
static void handle_signal_deliver(void *data, int sig, struct kernel_siginfo *info,
				  struct k_sigaction *ka)
{
	struct chess_task *t;

	/* The frame of the handler, or the core dump, is about to be made. */
	t = chess_task_find(current);
	if (t && t->mm) {
		leave_slot(t);
		leave_slot_told(t->mm, sig, info);
	}
	if (ka->sa.sa_handler == SIG_IGN)
		return;
	t = find_running(current);
	if (!t)
		return;
	if (ka->sa.sa_handler == SIG_DFL) {
		if (sig_kernel_coredump(sig))
			chess_record_fault(t->group, t->id, info, task_pt_regs(current));
		return;
	}
	chess_handler_begin(t, sig, info, ka, task_pt_regs(current));
	t->traps.depth = 0;
	chess_await_leave(&t->traps.await);
	if (syscall_get_nr(current, task_pt_regs(current)) != -1 &&
	    !(ka->sa.sa_flags & SA_RESTART))
		t->pass.set = false;
}

static void handle_signal_generate(void *data, int sig, struct kernel_siginfo *info,
				   struct task_struct *task, int group, int result)
{
	struct chess_task *t = find_running(current);

	if (t && t->traps.fast.granted && in_task())
		chess_fast_drain(t);
	if (t && result == TRACE_SIGNAL_DELIVERED)
		chess_handler_sent(t, sig, info, task, group);
}

static atomic_t freezes;

/* Some control group is about to be frozen. */
static void handle_cgroup_freeze(void *data, struct cgroup *cgroup, const char *path)
{
	atomic_inc(&freezes);
}

/* Other tasks of the system may be stopped in there by the thousand. */
static int handle_get_signal(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct chess_task *t;

	rcu_read_lock();
	t = find_running(current);
	if (t && t->traps.fast.granted)
		chess_fast_drain(t);
	/* A debugger is notified before the signal is delivered. */
	if (t && t->mm && current->ptrace)
		leave_slot(t);
	rcu_read_unlock();
	return !t;
}

/* Backstop of gate.c: whoever left the gate for a signal comes back here. */
static int handle_get_signal_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct chess_task *t;

	rcu_read_lock();
	t = find_running(current);
	if (t && READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING &&
	    (READ_ONCE(t->group->token) != t || t->gate.thawed))
		chess_gate_arm(t);
	rcu_read_unlock();
	return 0;
}

/*
 * Tasks stay in get_signal() while they are stopped, traced or frozen, and while
 * they are parked by a work that it runs; all tasks of a group may be. 4096 returns
 * take 200 KB and 32 KB for each possible processor, while there are groups.
 */
static struct kretprobe get_signal_probe = {
	.kp.symbol_name = "get_signal",
	.entry_handler = handle_get_signal,
	.handler = handle_get_signal_return,
	.maxactive = CHESS_MAX_TASKS,
};

static struct {
	const char *name;
	void *handler;
	bool is_optional;
	struct tracepoint *tp;
} probes[] = {
	{ "sys_enter", handle_sys_enter },
	{ "sys_exit", handle_sys_exit },
	{ "sched_switch", handle_sched_switch },
	{ "sched_waking", handle_sched_waking },
	{ "sched_process_fork", handle_sched_process_fork },
	{ "sched_process_exec", handle_sched_process_exec },
	{ "signal_deliver", handle_signal_deliver },
	{ "signal_generate", handle_signal_generate },
	/* Not where the kernel has no control groups. */
	{ "cgroup_freeze", handle_cgroup_freeze, .is_optional = true },
};

/*
 * To attach and to detach takes longer than a short run, as the kernel's text is patched and
 * all processors are waited for. Tests and searches come one after the other.
 */
#define KEEP	(5 * HZ)

static DEFINE_MUTEX(probe_lock);	/* protects what follows */
static unsigned int probe_users;
static bool attached;

static void detach_unused(struct work_struct *work);
static DECLARE_DELAYED_WORK(detacher, detach_unused);

static void unregister(unsigned int count)
{
	while (count--)
		if (probes[count].tp)
			tracepoint_probe_unregister(probes[count].tp, probes[count].handler, NULL);
	tracepoint_synchronize_unregister();
	synchronize_rcu_tasks();
}

static int attach(void)
{
	unsigned int i;
	int ret;

	ret = chess_trap_init();
	if (ret)
		return ret;
	preempt_notifier_inc();
	chess_taker_attach();
	/* What the last registration left would be taken for a second address. */
	get_signal_probe.kp.addr = NULL;
	get_signal_probe.kp.flags = 0;
	ret = register_kretprobe(&get_signal_probe);
	if (ret)
		goto err_notifier;
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		probes[i].tp = chess_compat_tracepoint(probes[i].name);
		if (!probes[i].tp && probes[i].is_optional)
			continue;
		ret = probes[i].tp ?
			tracepoint_probe_register(probes[i].tp, probes[i].handler, NULL) : -ENOENT;
		if (ret) {
			pr_err("cannot attach to tracepoint %s: %d\n", probes[i].name, ret);
			goto err_probes;
		}
	}
	chess_bystander_attach(handle_sys_enter, handle_sys_exit);
	attached = true;
	return 0;

err_probes:
	unregister(i);
	unregister_kretprobe(&get_signal_probe);
err_notifier:
	chess_taker_detach();
	preempt_notifier_dec();
	chess_trap_exit();
	return ret;
}

static void detach(void)
{
	lockdep_assert_held(&probe_lock);
	if (!attached || probe_users)
		return;
	unregister(ARRAY_SIZE(probes));
	chess_bystander_detach();
	unregister_kretprobe(&get_signal_probe);
	chess_taker_detach();
	chess_uring_detach();
	preempt_notifier_dec();
	chess_trap_exit();
	attached = false;
}

static void detach_unused(struct work_struct *work)
{
	mutex_lock(&probe_lock);
	detach();
	mutex_unlock(&probe_lock);
}

/**
 * chess_probe_get() - one more group needs the probes
 *
 * Context: process, may sleep.
 * Return: 0 or negative errno.
 */
int chess_probe_get(void)
{
	int ret = 0;

	mutex_lock(&probe_lock);
	if (!attached)
		ret = attach();
	if (!ret)
		probe_users++;
	mutex_unlock(&probe_lock);
	return ret;
}

/**
 * chess_probe_put() - one group less needs the probes
 *
 * Context: process, may sleep.
 */
void chess_probe_put(void)
{
	mutex_lock(&probe_lock);
	if (!--probe_users) {
		cancel_delayed_work(&detacher);
		schedule_delayed_work(&detacher, KEEP);
	}
	mutex_unlock(&probe_lock);
}

/**
 * chess_probe_exit() - module exit; there are no groups, and none can be made
 *
 * Context: process, may sleep.
 */
void chess_probe_exit(void)
{
	cancel_delayed_work_sync(&detacher);
	mutex_lock(&probe_lock);
	detach();
	mutex_unlock(&probe_lock);
}

/**
 * chess_probe_rings() - a task of a group has an io_uring
 *
 * Few programs do. Some of what watches rings is in the way of every timer of the
 * machine, so it comes when it is needed, and goes with the other probes.
 *
 * Context: task work, may sleep.
 */
void chess_probe_rings(void)
{
	mutex_lock(&probe_lock);
	/* The last group may be gone already. */
	if (probe_users)
		chess_uring_attach();
	mutex_unlock(&probe_lock);
}

/**
 * chess_probe_missed() - how often the backstop was not there
 *
 * Context: any, with a group that holds the probes.
 * Return: returns of get_signal() missed since the probes were attached, of any task.
 */
u32 chess_probe_missed(void)
{
	return READ_ONCE(get_signal_probe.nmissed);
}

/**
 * chess_probe_freezes() - how often a control group was frozen
 *
 * Context: any.
 * Return: a number that is another one after each freeze.
 */
u32 chess_probe_freezes(void)
{
	return atomic_read(&freezes);
}
