// SPDX-License-Identifier: GPL-2.0-only
/*
 * See compat.h. What is about timers is in compat_timer.c.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/freezer.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/magic.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched/coredump.h>
#include <linux/sched/jobctl.h>
#include <linux/sched/signal.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/task_work.h>
#include <linux/version.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#include <linux/sched/exec_state.h>
#define CHESS_COMPAT_EXEC_STATE
#endif

#include "compat.h"

/**
 * chess_compat_function() - a function of the kernel that is not exported
 * @name: its name
 *
 * Context: process, module init.
 * Return: its address or NULL.
 */
void *chess_compat_function(const char *name)
{
	struct kprobe probe = { .symbol_name = name };

	if (register_kprobe(&probe))
		return NULL;
	unregister_kprobe(&probe);
	return probe.addr;
}

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

static int no_ptrace_check(struct task_struct *task, unsigned int mode)
{
	return -EPERM;
}

/* Not exported either. A kernel without security modules has the rule of capabilities alone. */
#ifdef CONFIG_SECURITY
#define PTRACE_CHECK	"security_ptrace_access_check"
#else
#define PTRACE_CHECK	"cap_ptrace_access_check"
#endif
DEFINE_STATIC_CALL(chess_ptrace_check, no_ptrace_check);

/* What an execve() said: one of a program that others may not look at. 7.2 has it elsewhere. */
static bool may_dump_self(void)
{
#ifdef CHESS_COMPAT_EXEC_STATE
	const struct task_exec_state *state;
	bool may;

	rcu_read_lock();
	state = rcu_dereference(current->exec_state);
	may = READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER ||
	      ns_capable(state->user_ns, CAP_SYS_PTRACE);
	rcu_read_unlock();
	return may;
#else
	return get_dumpable(current->mm) == SUID_DUMP_USER ||
	       ns_capable(current->mm->user_ns, CAP_SYS_PTRACE);
#endif
}

/* ptrace_may_access() allows everything within a process. Context: credentials overridden. */
static bool may_ptrace_self(const struct cred *cred, struct task_struct *task)
{
	const struct cred *other;
	bool is_same, may;

	rcu_read_lock();
	other = __task_cred(task);
	is_same = uid_eq(cred->uid, other->euid) && uid_eq(cred->uid, other->suid) &&
		  uid_eq(cred->uid, other->uid) && gid_eq(cred->gid, other->egid) &&
		  gid_eq(cred->gid, other->sgid) && gid_eq(cred->gid, other->gid);
	may = is_same || ns_capable(other->user_ns, CAP_SYS_PTRACE);
	rcu_read_unlock();
	if (!may || !current->mm || !may_dump_self())
		return false;
	return !static_call(chess_ptrace_check)(task, PTRACE_MODE_ATTACH_REALCREDS);
}

/**
 * chess_compat_may_ptrace() - may somebody control this task (invariant I7)
 * @cred: with these credentials
 * @task: the task; one of current's process too is looked at
 *
 * Context: any but interrupts; does not sleep.
 * Return: whether ptrace(2) would let current attach, if it had @cred.
 */
bool chess_compat_may_ptrace(const struct cred *cred, struct task_struct *task)
{
	const struct cred *old = override_creds(cred);
	bool may;

	if (same_thread_group(task, current))
		may = may_ptrace_self(cred, task);
	else
		may = static_call(chess_may_ptrace)(task, PTRACE_MODE_ATTACH_REALCREDS);
	revert_creds(old);
	return may;
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

static bool is_runnable(struct task_struct *task)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	return task_is_runnable(task);
#else
	return READ_ONCE(task->on_rq);
#endif
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
	return !is_runnable(task) && !smp_load_acquire(&task->on_cpu);
}

/**
 * chess_compat_is_frozen() - does a task sleep because it is frozen
 * @task: the task
 * @state: the state it sleeps in
 *
 * In version 2 of control groups a frozen task sleeps interruptibly, in get_signal(), and
 * is marked; so is one that is stopped or waits for a vfork, in other states. In version 1,
 * and when the machine is suspended, there is a state of its own.
 *
 * Context: any.
 * Return: whether it does.
 */
bool chess_compat_is_frozen(struct task_struct *task, unsigned int state)
{
	return (state & TASK_FROZEN) || ((state & TASK_INTERRUPTIBLE) && cgroup_task_frozen(task));
}

/**
 * chess_compat_is_freezing() - is a task to be frozen, or is it
 * @task: the task
 *
 * Context: any.
 * Return: whether somebody asks for it.
 */
bool chess_compat_is_freezing(struct task_struct *task)
{
	return (READ_ONCE(task->jobctl) & JOBCTL_TRAP_FREEZE) || freezing(task);
}

static void no_cpuset(struct task_struct *task, struct cpumask *cpus)
{
	cpumask_clear(cpus);
}

/* Not exported; 6.1 .. 6.12. */
DEFINE_STATIC_CALL(chess_cpuset, no_cpuset);

/**
 * chess_compat_cpuset() - which processors a task may have at most
 * @task: the task
 * @cpus: set to what its control group allows
 *
 * Context: any, not under task->pi_lock.
 * Return: whether that is known.
 */
bool chess_compat_cpuset(struct task_struct *task, struct cpumask *cpus)
{
	static_call(chess_cpuset)(task, cpus);
	return !cpumask_empty(cpus);
}

static long no_set_affinity(pid_t pid, const struct cpumask *cpus)
{
	return -EOPNOTSUPP;
}

/* Not exported; 6.1 .. 6.12. */
DEFINE_STATIC_CALL(chess_set_affinity, no_set_affinity);

/**
 * chess_compat_set_affinity() - what sched_setaffinity(2) does, with its checks
 * @pid: the task, as current knows it; 0: current
 * @cpus: the processors
 *
 * Context: process.
 * Return: 0 or negative errno.
 */
long chess_compat_set_affinity(pid_t pid, const struct cpumask *cpus)
{
	return static_call(chess_set_affinity)(pid, cpus);
}

static void no_enter_frozen(void)
{
}

static void no_leave_frozen(bool always)
{
}

/* Not exported; 5.2 .. 6.12. */
DEFINE_STATIC_CALL(chess_enter_frozen, no_enter_frozen);
DEFINE_STATIC_CALL(chess_leave_frozen, no_leave_frozen);

/**
 * chess_compat_freeze_begin() - current is frozen from here on, where it is
 *
 * A control group is frozen when all of its tasks say that they are.
 *
 * Context: process, no lock held.
 */
void chess_compat_freeze_begin(void)
{
	static_call(chess_enter_frozen)();
}

/**
 * chess_compat_freeze_end() - current is frozen no more, though it may be asked to
 *
 * Context: process, no lock held, after chess_compat_freeze_begin().
 */
void chess_compat_freeze_end(void)
{
	static_call(chess_leave_frozen)(true);
}

/**
 * chess_compat_is_pidfd() - does a file stand for a process
 * @file: any file
 *
 * They have a file system of their own since 6.9; before they were anonymous inodes.
 *
 * Context: any.
 * Return: whether it does.
 */
bool chess_compat_is_pidfd(const struct file *file)
{
	unsigned long magic = file_inode(file)->i_sb->s_magic;

#ifdef PID_FS_MAGIC
	if (magic == PID_FS_MAGIC)
		return true;
#endif
	return magic == ANON_INODE_FS_MAGIC &&
	       !strcmp(file->f_path.dentry->d_name.name, "[pidfd]");
}

/**
 * chess_compat_is_in_epoll() - is a file in an epoll set
 * @file: any file
 *
 * Context: any.
 * Return: whether it is in one.
 */
bool chess_compat_is_in_epoll(const struct file *file)
{
#ifdef CONFIG_EPOLL
	const struct hlist_head *sets = READ_ONCE(file->f_ep);

	return sets && !hlist_empty(sets);
#else
	return false;
#endif
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
 * Where the two that ask for ptrace rights cannot be found only CAP_SYS_ADMIN may control.
 *
 * Context: process, module init.
 * Return: 0.
 */
int chess_compat_init(void)
{
	may_ptrace_fn *may_ptrace = chess_compat_function("ptrace_may_access");
	void *check = chess_compat_function(PTRACE_CHECK);
	void *send = chess_compat_function("do_send_sig_info");
	void *cancel = chess_compat_function("task_work_cancel_match");
	void *cpuset = chess_compat_function("cpuset_cpus_allowed");
	void *affinity = chess_compat_function("sched_setaffinity");
	void *enter_frozen = chess_compat_function("cgroup_enter_frozen");
	void *leave_frozen = chess_compat_function("cgroup_leave_frozen");

	if (may_ptrace && check) {
		static_call_update(chess_may_ptrace, may_ptrace);
		static_call_update(chess_ptrace_check, check);
	} else {
		pr_warn("%s not found: CAP_SYS_ADMIN is needed for everything\n",
			may_ptrace ? PTRACE_CHECK : "ptrace_may_access");
	}
	if (send)
		static_call_update(chess_send_signal, send);
	else
		pr_warn("do_send_sig_info not found: POSIX timers do not go off in virtual time\n");
	if (cancel)
		static_call_update(chess_cancel_work, cancel);
	else
		pr_warn("task_work_cancel_match not found: no process can be adopted\n");
	if (cpuset)
		static_call_update(chess_cpuset, cpuset);
	else
		pr_warn("cpuset_cpus_allowed not found: tasks keep the group's processor\n");
	if (affinity)
		static_call_update(chess_set_affinity, affinity);
	else
		pr_warn("sched_setaffinity not found: what programs ask for is forgotten\n");
	if (enter_frozen && leave_frozen) {
		static_call_update(chess_enter_frozen, enter_frozen);
		static_call_update(chess_leave_frozen, leave_frozen);
	} else {
		pr_warn("cgroup_enter_frozen not found: groups of parked tasks do not freeze\n");
	}
	chess_compat_timer_init();
	return 0;
}
