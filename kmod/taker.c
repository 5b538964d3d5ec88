// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal for a process may be taken by any of its threads that does not block it
 * (POSIX, 2.4.1). complete_signal() picks one and wakes it: the first thread if that
 * has no other signal pending, else whoever comes next in an order of its own. Here
 * that is a decision: the probe replaces its second argument, the thread that it
 * looks at first.
 *
 *     send_signal_locked() -> complete_signal(sig, p, type)
 *                                  ^ handle_complete_signal(): candidates
 *                                       --> chess_point_signal()
 *
 * Signals from outside the group are left alone: when they come is not reproducible
 * to begin with.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/kprobes.h>
#include <linux/sched/signal.h>

#include "arch_x86.h"
#include "chess.h"
#include "point.h"
#include "taker.h"
#include "task.h"

/* As wants_signal() of the kernel, but for a thread that runs while timers go off:
 * whether it still does then is a matter of microseconds.
 */
static bool may_take(struct task_struct *task, int sig, bool holder_sends)
{
	if (sigismember(&task->blocked, sig) || (task->flags & PF_EXITING) ||
	    task_is_stopped_or_traced(task))
		return false;
	return (holder_sends && task == current) || !task_sigpending(task);
}

/* Nobody can tell who took a signal that ends, stops or continues the process. */
static bool does_taker_matter(struct task_struct *task, int sig)
{
	return rcu_dereference(task->sighand)->action[sig - 1].sa.sa_handler != SIG_DFL ||
	       sigismember(&task->real_blocked, sig);
}

/*
 * Is it the group that sends: its token holder, or one of its timers? Threads that
 * die together race for being the last one, which notifies the parent (SIGCHLD).
 */
static bool is_sender(const struct chess_group *g, bool *holder_sends)
{
	const struct chess_task *t = chess_task_find(current);

	*holder_sends = t && t->group == g && READ_ONCE(g->token) == t &&
			(!(current->flags & PF_EXITING) ||
			 (thread_group_leader(current) && !t->has_threads));
	return *holder_sends || READ_ONCE(g->timers.cpu) == smp_processor_id();
}

static struct task_struct *choose_taker(int sig, struct task_struct *p)
{
	struct task_struct *task, *first = NULL;
	struct chess_task *t = chess_task_find(p);
	struct chess_group *g = t ? t->group : NULL;
	bool holder_sends, matters = false;
	unsigned int chosen, usual;
	u64 takers = 0;

	if (!g || !is_sender(g, &holder_sends))
		return p;
	for_each_thread(p, task) {
		t = chess_task_find(task);
		if (!t || t->id >= BITS_PER_TYPE(takers) || !may_take(task, sig, holder_sends))
			continue;
		takers |= BIT_ULL(t->id);
		matters |= does_taker_matter(task, sig);
	}
	if (!matters || hweight64(takers) < 2)
		return p;
	/* The one it is sent to, as in the kernel: nearly always the first thread. */
	t = chess_task_find(p);
	usual = t->id < BITS_PER_TYPE(takers) && (takers & BIT_ULL(t->id)) ? t->id : __ffs(takers);
	chosen = chess_point_signal(g, takers, usual, sig);
	for_each_thread(p, task) {
		t = chess_task_find(task);
		if (t && t->id == chosen)
			first = task;
	}
	return first ? first : p;
}

/* The process's siglock is held. */
static int handle_complete_signal(struct kprobe *kp, struct pt_regs *regs)
{
	int sig = chess_arch_function_arg(regs, 1);
	struct task_struct *p = (void *)chess_arch_function_arg(regs, 2);
	enum pid_type type = chess_arch_function_arg(regs, 3);

	if (type == PIDTYPE_PID || thread_group_empty(p) || sig == SIGKILL)
		return 0;
	rcu_read_lock();
	chess_arch_set_function_arg(regs, 2, (unsigned long)choose_taker(sig, p));
	rcu_read_unlock();
	return 0;
}

static struct kprobe complete_signal_probe = {
	.symbol_name = "complete_signal",
	.pre_handler = handle_complete_signal,
};
static bool attached;	/* protected by probe_lock of probe.c */

/**
 * chess_taker_attach() - take these decisions from now on
 *
 * Where the kernel has no such function of its own, it goes on deciding alone.
 *
 * Context: process, may sleep; with the first group.
 */
void chess_taker_attach(void)
{
	/* What the last registration left would be taken for a second address. */
	complete_signal_probe.addr = NULL;
	complete_signal_probe.flags = 0;
	attached = !register_kprobe(&complete_signal_probe);
	if (!attached)
		pr_warn_once("complete_signal not found: who takes a process's signal is not a decision\n");
}

/**
 * chess_taker_detach() - stop taking them
 *
 * Context: process, may sleep; no group is left.
 */
void chess_taker_detach(void)
{
	if (attached)
		unregister_kprobe(&complete_signal_probe);
	attached = false;
}
