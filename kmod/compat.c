// SPDX-License-Identifier: GPL-2.0-only
/*
 * See compat.h.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/task_work.h>

#include "compat.h"

struct tracepoint_lookup {
	const char *name;
	struct tracepoint *found;
};

static void match_tracepoint(struct tracepoint *tp, void *priv)
{
	struct tracepoint_lookup *lookup = priv;

	if (!strcmp(tp->name, lookup->name))
		lookup->found = tp;
}

/**
 * chess_compat_tracepoint() - find a tracepoint of the core kernel
 * @name: its name, as in its TRACE_EVENT()
 *
 * The scheduler's tracepoint objects are not exported (6.12); the iterator and
 * tracepoint_probe_register() are.
 *
 * Context: process.
 * Return: the tracepoint or NULL.
 */
struct tracepoint *chess_compat_tracepoint(const char *name)
{
	struct tracepoint_lookup lookup = { .name = name };

	for_each_kernel_tracepoint(match_tracepoint, &lookup);
	return lookup.found;
}

typedef bool may_ptrace_fn(struct task_struct *task, unsigned int mode);

static bool may_not_ptrace(struct task_struct *task, unsigned int mode)
{
	return false;
}

/*
 * ptrace_may_access() is not exported (6.12). A static call, not a pointer:
 * the kernel seals functions nobody calls indirectly against such calls (IBT).
 */
DEFINE_STATIC_CALL(chess_may_ptrace, may_not_ptrace);

/**
 * chess_compat_may_ptrace() - may current control this task (invariant I7)
 * @task: the task
 *
 * Context: process.
 * Return: whether ptrace(2) would let it attach.
 */
bool chess_compat_may_ptrace(struct task_struct *task)
{
	return static_call(chess_may_ptrace)(task, PTRACE_MODE_ATTACH_REALCREDS);
}

static int no_send_signal(int sig, struct kernel_siginfo *info, struct task_struct *task,
			  enum pid_type type)
{
	return -EOPNOTSUPP;
}

/* do_send_sig_info() is not exported; what is cannot send to a whole process. */
DEFINE_STATIC_CALL(chess_send_signal, no_send_signal);

/**
 * chess_compat_send_signal() - send a signal with what comes with it
 * @info: what comes with it
 * @task: to this thread, or to its process
 * @type: PIDTYPE_PID or PIDTYPE_TGID
 *
 * Context: any, under RCU.
 */
void chess_compat_send_signal(struct kernel_siginfo *info, struct task_struct *task,
			      enum pid_type type)
{
	static_call(chess_send_signal)(info->si_signo, info, task, type);
}

typedef bool match_work_fn(struct callback_head *work, void *data);

static struct callback_head *no_cancel_work(struct task_struct *task, match_work_fn *match,
					    void *data)
{
	return NULL;
}

/* Not exported anywhere; 6.1 .. 6.12. */
DEFINE_STATIC_CALL(chess_cancel_work, no_cancel_work);

/**
 * chess_compat_works_can_be_cancelled() - can a queued task work be taken back
 *
 * Context: any.
 * Return: whether it can.
 */
bool chess_compat_works_can_be_cancelled(void)
{
	return static_call_query(chess_cancel_work) != no_cancel_work;
}

static bool is_work(struct callback_head *work, void *data)
{
	return work == data;
}

/**
 * chess_compat_work_cancel() - take back a task work
 * @task: where it is queued
 * @work: the work
 *
 * Context: any; not under @task->pi_lock.
 * Return: whether it was queued; else it is being executed, or about to be.
 */
bool chess_compat_work_cancel(struct task_struct *task, struct callback_head *work)
{
	return static_call(chess_cancel_work)(task, is_work, work);
}

/**
 * chess_compat_is_asleep() - does a task sleep, in a way that it can be waited for
 * @task: the task
 *
 * In 6.12 a task that sleeps may still be on its run queue, "delayed".
 *
 * Context: any. The answer stays true as long as @task->pi_lock is held.
 * Return: whether it is off its processor, and nobody but a waker can change that.
 */
bool chess_compat_is_asleep(struct task_struct *task)
{
	if (!(READ_ONCE(task->__state) &
	      (TASK_INTERRUPTIBLE | TASK_FREEZABLE | __TASK_STOPPED | __TASK_TRACED)))
		return false;
	/* Pairs with finish_task(): the switch is over. As in try_to_wake_up(). */
	return !task_is_runnable(task) && !smp_load_acquire(&task->on_cpu);
}

static enum hrtimer_restart no_timerfd_expire(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

/*
 * What the kernel calls when a timerfd's timer expires. The timer is the first
 * member of the file's private data, whatever its clock (6.1 .. 6.12).
 */
DEFINE_STATIC_CALL(chess_timerfd_expire, no_timerfd_expire);

/**
 * chess_compat_timerfd_works() - can a timerfd be made to expire
 *
 * Context: any.
 * Return: whether it can.
 */
bool chess_compat_timerfd_works(void)
{
	return static_call_query(chess_timerfd_expire) != no_timerfd_expire;
}

/**
 * chess_compat_timerfd_expire() - a timerfd expires once
 * @file: the timerfd
 *
 * Context: irq work.
 */
void chess_compat_timerfd_expire(struct file *file)
{
	static_call(chess_timerfd_expire)(file->private_data);
}

static void *find_function(const char *name)
{
	struct kprobe probe = { .symbol_name = name };

	if (register_kprobe(&probe))
		return NULL;
	unregister_kprobe(&probe);
	return probe.addr;
}

static void *ring_timers[2];

/**
 * chess_compat_is_ring_timer() - is it the timer of a time-out request of io_uring
 * @timer: a timer that has its function
 *
 * Context: any.
 * Return: whether it is.
 */
bool chess_compat_is_ring_timer(const struct hrtimer *timer)
{
	unsigned long function = (unsigned long)timer->function;
	unsigned int i;

	/* A probe stands behind the instruction that marks a target of calls. */
	for (i = 0; i < ARRAY_SIZE(ring_timers); i++)
		if (ring_timers[i] && (unsigned long)ring_timers[i] - function <= 4)
			return true;
	return false;
}

/**
 * chess_compat_has_btf() - does the kernel know the types of this module
 *
 * register_btf_kfunc_id_set() is content without (6.12). A module built where the
 * headers carry no vmlinux has none.
 *
 * Context: process.
 * Return: whether it does.
 */
bool chess_compat_has_btf(void)
{
#ifdef CONFIG_DEBUG_INFO_BTF_MODULES
	return THIS_MODULE->btf_data_size;
#else
	return false;
#endif
}

/**
 * chess_compat_init() - look up what is not exported
 *
 * Where ptrace_may_access() cannot be found only CAP_SYS_ADMIN may control.
 *
 * Context: process, module init.
 * Return: 0.
 */
int chess_compat_init(void)
{
	may_ptrace_fn *may_ptrace = find_function("ptrace_may_access");
	void *send = find_function("do_send_sig_info"), *expire = find_function("timerfd_tmrproc");
	void *cancel = find_function("task_work_cancel_match");

	/* Without them, as in a kernel without io_uring, it has no such timers. */
	ring_timers[0] = find_function("io_timeout_fn");
	ring_timers[1] = find_function("io_link_timeout_fn");
	if (may_ptrace)
		static_call_update(chess_may_ptrace, may_ptrace);
	else
		pr_warn("ptrace_may_access not found: CAP_SYS_ADMIN is needed for everything\n");
	if (send)
		static_call_update(chess_send_signal, send);
	else
		pr_warn("do_send_sig_info not found: POSIX timers do not go off in virtual time\n");
	if (cancel)
		static_call_update(chess_cancel_work, cancel);
	else
		pr_warn("task_work_cancel_match not found: no process can be adopted\n");
	if (expire)
		static_call_update(chess_timerfd_expire, expire);
	else
		pr_warn("timerfd_tmrproc not found: timerfds go by the machine's time\n");
	return 0;
}
