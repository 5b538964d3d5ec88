// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processor time. With virtual time it passes with the group's clock and is as little
 * measured as that: who reads a clock uses the step by which the reading moves it, who
 * yields to nobody, or runs in a loop without a point, the time that passes by that. Sleep
 * uses none, and neither does time that passes early, by decision. While a timer of
 * processor time is armed each system call is a step, too, so that a loop of calls comes to
 * its end.
 *
 * So the sum over all tasks is never more than the wall clock shows. Every way to
 * ask for processor time shows this: the clocks, times(), getrusage(), wait4() and waitid(), and
 * the timers (timer.c).
 *
 *     fork --> join_locked()     a process's account, which its threads share
 *     clock.c, settle.c, timer.c --> charge_locked()
 *     sys_exit of wait4() --> fold()     a child's account goes to who waited for it
 */
#include <linux/math64.h>
#include <linux/pid.h>
#include <linux/resource.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "clock.h"
#include "cputime.h"
#include "task.h"
#include "timer.h"
#include "user.h"

/* As times(2) counts, and where waitid() has the number of the child. */
#define CHESS_NS_OF_TICK	(NSEC_PER_SEC / USER_HZ)
#define CHESS_SIGINFO_PID	16
/* Accounts that are kept before those of processes that nobody waits for are looked for. */
#define CHESS_ACCOUNTS		256

/**
 * struct chess_account - the processor time of a process
 * @entry: in group->accounts
 * @pid: the process; a reference is held
 * @ntasks: its tasks that are alive
 * @user: nanoseconds in user mode
 * @system: and in the kernel
 * @child_user: the same, of children it waited for
 * @child_system: see @child_user
 *
 * Under plock.
 */
struct chess_account {
	struct list_head entry;
	struct pid *pid;
	u32 ntasks;
	u64 user;
	u64 system;
	u64 child_user;
	u64 child_system;
};

/**
 * chess_cputime_create() - memory for the account of a process
 *
 * Context: process, may sleep.
 * Return: it, or NULL without memory.
 */
struct chess_account *chess_cputime_create(void)
{
	return kzalloc(sizeof(struct chess_account), GFP_KERNEL_ACCOUNT);
}

/**
 * chess_cputime_free() - free an account that is in no list
 * @account: it, or NULL
 *
 * Context: any, not under plock.
 */
void chess_cputime_free(struct chess_account *account)
{
	if (account)
		put_pid(account->pid);
	kfree(account);
}

/**
 * chess_cputime_join_locked() - a task begins to use processor time
 * @t: the task, which the kernel's is known of
 * @account: that of its process, or NULL: it is the first task, and brings one along
 *
 * Context: any, group->plock held.
 */
void chess_cputime_join_locked(struct chess_task *t, struct chess_account *account)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&g->plock);
	if (!account) {
		account = t->cputime.spare;
		t->cputime.spare = NULL;
		account->pid = get_pid(task_tgid(t->task));
		list_add_tail(&account->entry, &g->cputime.accounts);
		g->cputime.n++;
	}
	account->ntasks++;
	t->cputime.account = account;
}

/**
 * chess_cputime_leave_locked() - a task uses no more
 * @t: the task
 *
 * Context: any, group->plock held.
 */
void chess_cputime_leave_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	if (t->cputime.account)
		t->cputime.account->ntasks--;
	t->cputime.account = NULL;
}

/**
 * chess_cputime_ending_locked() - the process that ends with a task
 * @t: the task, before chess_cputime_leave_locked()
 *
 * Context: any, group->plock held.
 * Return: the process; NULL: other tasks of it are under control, or it has no account.
 */
const struct pid *chess_cputime_ending_locked(const struct chess_task *t)
	__must_hold(&t->group->plock)
{
	const struct chess_account *account = t->cputime.account;

	lockdep_assert_held(&t->group->plock);
	return account && account->ntasks == 1 ? account->pid : NULL;
}

static void take_out_locked(struct chess_group *g, struct chess_account *account,
			    struct list_head *out)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	list_move(&account->entry, out);
	g->cputime.n--;
}

static void free_list(struct list_head *list)
{
	struct chess_account *account, *next;

	list_for_each_entry_safe(account, next, list, entry)
		chess_cputime_free(account);
}

/* The kernel has forgotten the process: somebody waited for it, or nobody will. */
static bool is_released(const struct chess_account *account)
{
	return !pid_task(account->pid, PIDTYPE_TGID);
}

/**
 * chess_cputime_purge() - forget processes that ended and that nobody waits for
 * @g: the group
 *
 * Not the youngest: a task that waits for one may be on the way to its account.
 *
 * Context: process.
 */
void chess_cputime_purge(struct chess_group *g)
{
	struct chess_account *account, *next;
	LIST_HEAD(out);
	u32 n = 0;

	if (READ_ONCE(g->cputime.n) < READ_ONCE(g->cputime.purge_at))
		return;
	rcu_read_lock();
	raw_spin_lock_irq(&g->plock);
	list_for_each_entry_safe(account, next, &g->cputime.accounts, entry) {
		if (g->cputime.n < CHESS_ACCOUNTS / 2 || ++n > g->cputime.purge_at)
			break;
		if (!account->ntasks && is_released(account))
			take_out_locked(g, account, &out);
	}
	g->cputime.purge_at = 2 * g->cputime.n + CHESS_ACCOUNTS;
	raw_spin_unlock_irq(&g->plock);
	rcu_read_unlock();
	free_list(&out);
}

/**
 * chess_cputime_clear() - drop all accounts
 * @g: a group without tasks
 *
 * Context: process.
 */
void chess_cputime_clear(struct chess_group *g)
{
	LIST_HEAD(out);

	raw_spin_lock_irq(&g->plock);
	list_splice_init(&g->cputime.accounts, &out);
	g->cputime.n = 0;
	g->cputime.purge_at = CHESS_ACCOUNTS;
	raw_spin_unlock_irq(&g->plock);
	free_list(&out);
}

/**
 * chess_cputime_charge_locked() - a task used processor time
 * @t: the task, or NULL
 * @user: nanoseconds in user mode
 * @system: and in the kernel
 *
 * Context: any, group->plock held.
 */
void chess_cputime_charge_locked(struct chess_task *t, u64 user, u64 system)
	__must_hold(&t->group->plock)
{
	/* Of adopted tasks time is the machine's. */
	if (!t || !t->cputime.account)
		return;
	lockdep_assert_held(&t->group->plock);
	t->cputime.user += user;
	t->cputime.system += system;
	t->cputime.account->user += user;
	t->cputime.account->system += system;
}

/**
 * chess_cputime_read_locked() - what a clock of processor time shows
 * @t: of this task, or of its process
 * @kind: what it counts
 *
 * Context: any, group->plock held.
 * Return: nanoseconds.
 */
u64 chess_cputime_read_locked(const struct chess_task *t, enum chess_cpu_kind kind)
	__must_hold(&t->group->plock)
{
	const struct chess_account *account = t->cputime.account;

	lockdep_assert_held(&t->group->plock);
	switch (kind) {
	case CHESS_CPU_PROCESS:
		return account ? account->user + account->system : 0;
	case CHESS_CPU_PROCESS_USER:
		return account ? account->user : 0;
	case CHESS_CPU_TASK:
		return t->cputime.user + t->cputime.system;
	case CHESS_CPU_TASK_USER:
		return t->cputime.user;
	default:
		return 0;
	}
}

/* A task of the group in the process, whichever. */
static struct chess_task *any_of(struct task_struct *process)
{
	struct task_struct *task;
	struct chess_task *t;

	for_each_thread(process, task) {
		t = chess_task_find(task);
		if (t)
			return t;
	}
	return NULL;
}

/**
 * chess_cputime_clock() - is this a clock of processor time that the group tells
 * @t: the task, which is current
 * @clock: number of the clock, as a program gives it
 * @of: set to whose it is, valid under RCU
 *
 * Context: any, under RCU or with preemption off.
 * Return: false for other clocks, and for what the kernel refuses.
 */
bool chess_cputime_clock(struct chess_task *t, int clock, struct chess_cpu_clock *of)
{
	/* As posix-cpu-timers.c has them: ~pid, whether of a thread, what. */
	pid_t pid = ~(clock >> 3);
	bool thread = clock & 4, user = (clock & 3) == 1;
	struct task_struct *task = current;

	if (!t->cputime.account)
		return false;
	if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) {
		pid = 0;
		thread = clock == CLOCK_THREAD_CPUTIME_ID;
		user = false;
	} else if (clock >= 0 || (clock & 3) == 3) {
		return false;
	}
	if (pid)
		task = pid_task(find_vpid(pid), thread ? PIDTYPE_PID : PIDTYPE_TGID);
	if (!task || (thread && !same_thread_group(task, current)))
		return false;
	of->task = thread ? chess_task_find(task) : pid ? any_of(task) : t;
	if (thread)
		of->kind = user ? CHESS_CPU_TASK_USER : CHESS_CPU_TASK;
	else
		of->kind = user ? CHESS_CPU_PROCESS_USER : CHESS_CPU_PROCESS;
	return of->task && of->task->group == t->group && of->task->cputime.account;
}

/**
 * chess_cputime_call() - a task makes a call while timers of processor time are armed
 * @t: the task, which is current and holds the token
 *
 * Context: probe (sys_enter), virtual time.
 */
void chess_cputime_call(struct chess_task *t)
{
	struct chess_group *g = t->group;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	chess_clock_step_locked(t);
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_cputime_answer() - answer a question for processor time
 * @t: the task, which is current and holds the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Those that return more than time are left to the kernel: chess_cputime_exit().
 *
 * Context: probe (sys_enter), virtual time.
 * Return: whether the call was one, and is answered.
 */
bool chess_cputime_answer(struct chess_task *t, struct pt_regs *regs, long nr)
{
	const struct chess_account *account = t->cputime.account;
	unsigned long to = chess_arch_syscall_arg(regs, 0);
	struct chess_group *g = t->group;
	unsigned long flags;
	u64 now;
	s64 tms[4];

	if (nr != __NR_times || !account)
		return false;
	raw_spin_lock_irqsave(&g->plock, flags);
	chess_clock_step_locked(t);
	now = g->clock.now;
	tms[0] = div_u64(account->user, CHESS_NS_OF_TICK);
	tms[1] = div_u64(account->system, CHESS_NS_OF_TICK);
	tms[2] = div_u64(account->child_user, CHESS_NS_OF_TICK);
	tms[3] = div_u64(account->child_system, CHESS_NS_OF_TICK);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_arch_syscall_answer(regs, div_u64(now, CHESS_NS_OF_TICK));
	if (to)
		chess_user_put(t, to, tms, sizeof(tms));
	return true;
}

/* The first two members of struct rusage; the others are the machine's. */
static void put_usage(struct chess_task *t, unsigned long to, u64 user, u64 system)
{
	u32 rest;
	s64 times[4];

	times[0] = div_u64_rem(user, NSEC_PER_SEC, &rest);
	times[1] = rest / NSEC_PER_USEC;
	times[2] = div_u64_rem(system, NSEC_PER_SEC, &rest);
	times[3] = rest / NSEC_PER_USEC;
	chess_user_put(t, to, times, sizeof(times));
}

static void tell_usage(struct chess_task *t, int who, unsigned long to)
{
	struct chess_group *g = t->group;
	u64 user, system;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	chess_clock_step_locked(t);
	switch (who) {
	case RUSAGE_CHILDREN:
		user = t->cputime.account->child_user;
		system = t->cputime.account->child_system;
		break;
	case RUSAGE_THREAD:
		user = t->cputime.user;
		system = t->cputime.system;
		break;
	default:
		user = t->cputime.account->user;
		system = t->cputime.account->system;
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	put_usage(t, to, user, system);
}

/* The account of a child by the number that current knows it by; numbers come again. */
static struct chess_account *find_child_locked(struct chess_group *g, pid_t nr)
	__must_hold(&g->plock)
{
	struct chess_account *account, *found = NULL;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(account, &g->cputime.accounts, entry)
		if (pid_vnr(account->pid) == nr) {
			found = account;
			if (is_released(account))
				break;
		}
	return found;
}

/*
 * Somebody waited for a child. Where that has ended for good its account goes to who
 * waited, as the kernel has it.
 */
static void fold(struct chess_task *t, pid_t nr, unsigned long usage)
{
	struct chess_group *g = t->group;
	struct chess_account *child;
	u64 user = 0, system = 0;
	unsigned long flags;
	LIST_HEAD(out);

	rcu_read_lock();
	raw_spin_lock_irqsave(&g->plock, flags);
	child = find_child_locked(g, nr);
	if (child) {
		user = child->user + child->child_user;
		system = child->system + child->child_system;
	}
	if (child && child != t->cputime.account && is_released(child)) {
		t->cputime.account->child_user += user;
		t->cputime.account->child_system += system;
		child->user = 0;
		child->system = 0;
		child->child_user = 0;
		child->child_system = 0;
		if (!child->ntasks)
			take_out_locked(g, child, &out);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	rcu_read_unlock();
	if (child && usage)
		put_usage(t, usage, user, system);
	free_list(&out);
}

/**
 * chess_cputime_exit() - a call ends that may return processor time
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call
 * @ret: its result
 *
 * Context: probe (sys_exit), virtual time.
 */
void chess_cputime_exit(struct chess_task *t, const struct pt_regs *regs, long nr, long ret)
{
	unsigned long info = chess_arch_syscall_arg(regs, 2);
	pid_t child;

	if (ret < 0 || !t->cputime.account)
		return;
	switch (nr) {
	case __NR_getrusage:
		tell_usage(t, chess_arch_syscall_arg(regs, 0), chess_arch_syscall_arg(regs, 1));
		break;
	case __NR_wait4:
		if (ret)
			fold(t, ret, chess_arch_syscall_arg(regs, 3));
		break;
	case __NR_waitid:
		if (info && !copy_from_user_nofault(&child,
						    (void __user *)(info + CHESS_SIGINFO_PID),
						    sizeof(child)) && child)
			fold(t, child, chess_arch_syscall_arg(regs, 4));
		break;
	}
}
