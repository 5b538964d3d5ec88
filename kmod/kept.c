// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs that begin where the start of the program is over.
 *
 * Until it has a second task a program does the same in each run: the loader maps libraries,
 * resolves symbols, and so on. So after a given number of decisions the process of a run is
 * kept: it parks here, belongs to no run, and what the run came to is put aside. A run with
 * from-kept begins with that, and with a fork of the process.
 *
 *	run with keep-at     point due --> gate.c --> chess_kept_stay(): END, parks
 *	run with from-kept   chess_kept_start(): what was put aside; wakes it
 *	  kept process       kept_fn: clone()  --> chess_kept_forked() in sched_process_fork
 *	  its child          setpgid()         --> child_fn: joins the run as its root task
 *	                     goes on at the point, in the registers that were kept
 *
 * Both calls are made by a syscall instruction of the program, to which a task work points
 * the registers; the next work is queued at their entry. The process has been executed for an
 * owner with CAP_SYS_ADMIN, nothing but its owner's requests has it fork, and it executes no
 * other instruction of the program. What of a process fork() does not copy is refused here,
 * or set by chess_kept_forked(); the library refuses what only it sees (kept.c there).
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <net/netlink.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "aside.h"
#include "chess.h"
#include "compat.h"
#include "enabled.h"
#include "gate.h"
#include "kept.h"
#include "kept_call.h"
#include "point.h"
#include "task.h"
#include "time/cputime.h"
#include "traps/trap.h"
#include "watchdog.h"

/* How long a fork may take, with the wait for its process number. */
#define FORK_WAIT	(8 * HZ)

/**
 * struct chess_kept - a kept process
 * @ref: of the group, and of works that are queued or run
 * @entry: in the list of kept processes, RCU
 * @rcu: for freeing
 * @task: the kernel's task; a reference is held
 * @model: what it was under control
 * @regs: registers at the point where it is
 * @blocked: signals that it blocks there
 * @syscall: address of a syscall instruction
 * @work: task work that parks it
 * @child_work: task work by which its child joins
 * @wait: where it parks
 * @due: a run waits for its fork
 * @dropped: it is to end, and its child, if that has not joined
 * @forked: its call has made a child; only touched by itself
 * @child: its last child, or NULL; a reference is held
 * @joining: that, until it has joined
 * @failed: there is no child
 * @made: the child has joined, or there is none
 * @aside: what the run came to
 */
struct chess_kept {
	struct kref ref;
	struct list_head entry;
	struct rcu_head rcu;
	struct task_struct *task;
	struct chess_task *model;
	struct pt_regs regs;
	sigset_t blocked;
	unsigned long syscall;
	struct callback_head work;
	struct callback_head child_work;
	struct swait_queue_head wait;
	bool due;
	bool dropped;
	bool forked;
	struct task_struct *child;
	struct task_struct *joining;
	bool failed;
	struct completion made;
	struct chess_aside aside;
};

static LIST_HEAD(all_kept);
static DEFINE_RAW_SPINLOCK(all_kept_lock);	/* protects writers of all_kept */

static void free_kept(struct chess_kept *k)
{
	chess_aside_free(&k->aside);
	chess_task_free(k->model);
	if (k->child)
		put_task_struct(k->child);
	if (k->task)
		put_task_struct(k->task);
	kfree(k);
}

static void free_rcu_fn(struct rcu_head *rcu)
{
	free_kept(container_of(rcu, struct chess_kept, rcu));
}

/* Not before: one that is dropped while it forks is to be found by the fork. */
static void release(struct kref *ref)
{
	struct chess_kept *k = container_of(ref, struct chess_kept, ref);
	unsigned long flags;

	raw_spin_lock_irqsave(&all_kept_lock, flags);
	list_del_rcu(&k->entry);
	raw_spin_unlock_irqrestore(&all_kept_lock, flags);
	call_rcu(&k->rcu, free_rcu_fn);
}

/* Context: RCU, or preemption off. */
static struct chess_kept *find(const struct task_struct *task)
{
	struct chess_kept *k;

	list_for_each_entry_rcu(k, &all_kept, entry)
		if (k->task == task || READ_ONCE(k->joining) == task)
			return k;
	return NULL;
}

/**
 * chess_kept_give_up() - the process of this run is not kept
 * @g: the group
 *
 * Context: any, by the token holder.
 */
void chess_kept_give_up(struct chess_group *g)
{
	WRITE_ONCE(g->keep.at, CHESS_KEEP_NONE);
}

/* --- the kept process ------------------------------------------------------- */

/* Calls that a filter refuses do not come to chess_kept_enter(). */
static bool may_refuse_calls(void)
{
	return test_syscall_work(SECCOMP) || test_syscall_work(SYSCALL_USER_DISPATCH);
}

/* What fork() does not copy, or what is put aside does not have. */
static bool may_be_kept(const struct chess_task *t)
{
	const struct chess_group *g = t->group;

	return g->owner.privileged && !g->adoption.process && !t->id && g->ntasks == 1 &&
	       thread_group_empty(current) && list_empty(&current->children) &&
	       atomic_read(&current->mm->mm_users) == 1 && !current->ptrace &&
	       !signal_pending(current) && !may_refuse_calls() &&
	       !t->handlers.depth && !t->handlers.beyond && !t->split.step && !t->copy.going &&
	       !t->spurious.back.set && !t->timer_call.drain &&
	       !g->fair.rows && !g->timers.n && !g->latches.given && !g->lost &&
	       !g->stalls && !g->record.dropped && !g->record.nseqs && !g->accesses.is_hot &&
	       list_empty(&g->killed) && (g->flags & CHESS_RUN_FLAGS_VIRTUAL_TIME) &&
	       g->record.length <= CHESS_ASIDE_EVENTS && g->accesses.length <= CHESS_ASIDE_ACCESSES;
}

static void set_blocked(const sigset_t *set)
{
	spin_lock_irq(chess_compat_siglock());
	current->blocked = *set;
	recalc_sigpending();
	spin_unlock_irq(chess_compat_siglock());
}

static void tell_failed(struct chess_kept *k)
{
	WRITE_ONCE(k->failed, true);
	complete(&k->made);
}

static void park(struct chess_kept *k)
{
	DECLARE_SWAITQUEUE(wait);

	for (;;) {
		prepare_to_swait_exclusive(&k->wait, &wait,
					   TASK_KILLABLE | TASK_NOLOAD | TASK_FREEZABLE);
		if (READ_ONCE(k->due) || READ_ONCE(k->dropped) || fatal_signal_pending(current))
			break;
		schedule();
	}
	finish_swait(&k->wait, &wait);
}

static void wait_and_fork(struct chess_kept *k)
{
	unsigned long how = 0;

	park(k);
	if (!READ_ONCE(k->dropped) && !fatal_signal_pending(current))
		how = chess_kept_prepare_fork();
	if (!how) {
		send_sig(SIGKILL, current, 1);
		tell_failed(k);
		return;
	}
	WRITE_ONCE(k->due, false);
	k->forked = false;
	chess_kept_call(task_pt_regs(current), &k->regs, k->syscall, __NR_clone, how);
}

/* It is under no control, and would not come under it any more. */
static void end_child(struct chess_kept *k)
{
	/* Called by who drops it and by itself: one of the two sees both. */
	smp_mb();
	if (READ_ONCE(k->dropped) && READ_ONCE(k->joining))
		send_sig(SIGKILL, k->child, 1);
}

static void kept_fn(struct callback_head *head)
{
	struct chess_kept *k = container_of(head, struct chess_kept, work);

	end_child(k);
	/* The clone() is over. */
	if (!(current->flags & PF_EXITING)) {
		if (!k->forked)
			tell_failed(k);
		wait_and_fork(k);
	} else {
		tell_failed(k);
	}
	kref_put(&k->ref, release);
}

static void join_locked(struct chess_task *t, struct chess_kept *k)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	chess_aside_model_locked(t, k->model);
	chess_task_add_locked(t, current);
	chess_cputime_join_locked(t, NULL);
	chess_cputime_charge_locked(t, k->model->cputime.user, k->model->cputime.system);
	if (k->model->mm)
		chess_mm_forked(k->model, t);
	chess_task_enable_locked(t);
	g->token = t;
	g->state = CHESS_GROUP_STATE_RUNNING;
	preempt_notifier_register(&t->notifier);
}

/* Returns whether it is in. */
static bool join(struct chess_kept *k)
{
	struct chess_group *g = k->model->group;
	struct chess_task *t = chess_task_create_with_spare(g);
	unsigned long flags;
	bool in;

	if (!t)
		return false;
	raw_spin_lock_irqsave(&g->plock, flags);
	in = g->state == CHESS_GROUP_STATE_ARMED && g->keep.kept == k && list_empty(&g->tasks);
	if (in)
		join_locked(t, k);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (in)
		chess_watchdog_start(g);
	else
		chess_task_free(t);
	return in;
}

static void child_fn(struct callback_head *head)
{
	struct chess_kept *k = container_of(head, struct chess_kept, child_work);

	WRITE_ONCE(k->joining, NULL);
	if (!(current->flags & PF_EXITING) && !fatal_signal_pending(current) &&
	    task_pid_vnr(current) == task_pid_nr_ns(k->task, task_active_pid_ns(k->task)) &&
	    join(k)) {
		current->flags &= ~PF_FORKNOEXEC;
		*task_pt_regs(current) = k->regs;
		set_blocked(&k->blocked);
		complete(&k->made);
	} else {
		send_sig(SIGKILL, current, 1);
		tell_failed(k);
	}
	kref_put(&k->ref, release);
}

/**
 * chess_kept_enter() - a task that is under no control enters a system call
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter).
 * Return: whether it is a kept process, or the child of one that has not joined.
 */
bool chess_kept_enter(struct pt_regs *regs, long nr)
{
	struct chess_kept *k;

	if (likely(list_empty(&all_kept)))
		return false;
	rcu_read_lock();
	k = find(current);
	if (k && kref_get_unless_zero(&k->ref) &&
	    task_work_add(current, k->task == current ? &k->work : &k->child_work, TWA_RESUME))
		kref_put(&k->ref, release);
	rcu_read_unlock();
	return k;
}

/**
 * chess_kept_forked() - a task that is under no control created a child
 * @parent: the task, which is current
 * @child: not running yet
 *
 * Context: probe (sched_process_fork).
 */
void chess_kept_forked(struct task_struct *parent, struct task_struct *child)
{
	struct chess_kept *k;

	if (likely(list_empty(&all_kept)))
		return;
	rcu_read_lock();
	k = find(parent);
	if (k && k->task == parent) {
		/* fork() does not copy these; who executes a program has them from its start. */
		chess_compat_copy_robust_list(child, parent);
		child->clear_child_tid = parent->clear_child_tid;
		child->pdeath_signal = parent->pdeath_signal;
		/* In a group of processes of its own, as the first one of each run is. */
		chess_kept_call(task_pt_regs(child), &k->regs, k->syscall, __NR_setpgid, 0);
		k->forked = true;
		WRITE_ONCE(k->child, get_task_struct(child));
		WRITE_ONCE(k->joining, child);
	}
	rcu_read_unlock();
}

static struct chess_kept *make_kept(struct chess_task *t)
{
	struct chess_kept *k = kzalloc(sizeof(*k), GFP_KERNEL_ACCOUNT);

	if (!k)
		return NULL;
	kref_init(&k->ref);
	init_swait_queue_head(&k->wait);
	init_completion(&k->made);
	init_task_work(&k->work, kept_fn);
	init_task_work(&k->child_work, child_fn);
	k->regs = *task_pt_regs(current);
	k->blocked = current->blocked;
	k->syscall = chess_kept_find_call(t->group);
	if (k->syscall && chess_aside_put(&k->aside, t->group))
		return k;
	free_kept(k);
	return NULL;
}

/* As leave_fn() in task.c, but @t is not freed: it is the model of others. */
static bool leave(struct chess_task *t, struct chess_kept *k)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	bool leaves;

	local_irq_save(flags);
	raw_spin_lock(&g->plock);
	leaves = g->token == t && g->state == CHESS_GROUP_STATE_RUNNING && !g->keep.kept &&
		 !chess_task_works_queued(t) && !g->deferral.waits &&
		 g->record.length == k->aside.nevents && g->decisions == k->aside.decisions;
	if (leaves) {
		preempt_notifier_unregister(&t->notifier);
		k->task = get_task_struct(current);
		k->model = t;
		chess_task_bury_locked(t);
		g->keep.kept = k;
		g->keep.at = CHESS_KEEP_NONE;
		raw_spin_lock(&all_kept_lock);
		list_add_rcu(&k->entry, &all_kept);
		raw_spin_unlock(&all_kept_lock);
		chess_point_end_locked(g);
	}
	raw_spin_unlock(&g->plock);
	local_irq_restore(flags);
	if (leaves)
		irq_work_queue(&g->irq_work);
	return leaves;
}

/**
 * chess_kept_stay() - current is where it is to be kept
 * @t: its task, which has the token
 *
 * Context: task work.
 * Return: false: it goes on, and may be here again.
 */
bool chess_kept_stay(struct chess_task *t)
{
	struct chess_kept *k = NULL;
	sigset_t all;

	if (chess_task_works_queued(t)) {
		/* They run first, and then this once more. */
		chess_gate_arm(t);
		return true;
	}
	if (may_be_kept(t))
		k = make_kept(t);
	if (!k || !leave(t, k)) {
		if (k)
			free_kept(k);
		chess_kept_give_up(t->group);
		return false;
	}
	kref_get(&k->ref);
	sigfillset(&all);
	sigdelsetmask(&all, sigmask(SIGKILL) | sigmask(SIGSTOP));
	set_blocked(&all);
	wait_and_fork(k);
	kref_put(&k->ref, release);
	return true;
}

/* --- requests ----------------------------------------------------------------- */

/**
 * chess_kept_check() - can a run begin with the kept process
 * @g: an idle group
 * @flags: of the run
 * @fair: which yields of a task count
 * @max_accesses: accesses that are recorded at most
 * @extack: where to say why it cannot
 *
 * Context: netlink, group->lock held.
 * Return: 0 or negative errno.
 */
int chess_kept_check(struct chess_group *g, u32 flags, u32 fair, u32 max_accesses,
		     struct netlink_ext_ack *extack)
{
	const struct chess_kept *k = g->keep.kept;
	const struct chess_aside *a = k ? &k->aside : NULL;

	lockdep_assert_held(&g->lock);
	if (!k || READ_ONCE(k->failed)) {
		NL_SET_ERR_MSG(extack, "the group has no kept process");
		return -ENOENT;
	}
	if (flags != a->flags || fair != a->fair.every || !max_accesses == a->records ||
	    max_accesses < a->naccesses || g->late.early_max != a->late.early_max ||
	    strcmp(g->late.programs, a->late.programs) || !cpu_online(g->place.cpu)) {
		NL_SET_ERR_MSG(extack, "the process was kept in a run with other flags");
		return -EINVAL;
	}
	return 0;
}

/**
 * chess_kept_start() - have the run that is armed begin with a fork of the kept process
 * @g: the group; chess_kept_check() has returned 0
 * @pid: set to the process number of the root task; on error, to that of a child to be waited
 *	for that has not become one, if there is one
 * @extack: where to say what is wrong
 *
 * Context: netlink, group->lock held.
 * Return: 0 or negative errno; then no run is armed.
 */
int chess_kept_start(struct chess_group *g, u32 *pid, struct netlink_ext_ack *extack)
{
	struct chess_kept *k = g->keep.kept;
	struct task_struct *child;
	unsigned long flags;
	char *maps = NULL;
	bool follows;

	lockdep_assert_held(&g->lock);
	if (k->aside.maps)
		maps = kstrdup(k->aside.maps, GFP_KERNEL_ACCOUNT);
	raw_spin_lock_irqsave(&g->plock, flags);
	follows = !maps == !k->aside.maps && chess_aside_follow_locked(g, &k->aside);
	if (follows)
		chess_aside_restore_locked(g, &k->aside);
	else
		g->state = CHESS_GROUP_STATE_IDLE;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	/* chess_record_start() has freed the last one. */
	g->record.maps = maps;
	if (!follows) {
		NL_SET_ERR_MSG(extack, "the plan does not come to where the process was kept");
		return -ECHILD;
	}
	chess_aside_copy(g, &k->aside);
	reinit_completion(&k->made);
	child = xchg(&k->child, NULL);
	if (child)
		put_task_struct(child);
	WRITE_ONCE(k->due, true);
	swake_up_one(&k->wait);
	if (wait_for_completion_killable_timeout(&k->made, FORK_WAIT) <= 0 || k->failed) {
		NL_SET_ERR_MSG(extack, "the kept process did not fork");
		child = READ_ONCE(k->child);
		*pid = child ? task_pid_vnr(child) : 0;
		chess_kept_drop(g);
		raw_spin_lock_irqsave(&g->plock, flags);
		if (g->state == CHESS_GROUP_STATE_ARMED)
			g->state = CHESS_GROUP_STATE_IDLE;
		raw_spin_unlock_irqrestore(&g->plock, flags);
		return -EAGAIN;
	}
	*pid = task_pid_vnr(k->child);
	return 0;
}

/**
 * chess_kept_drop() - end the kept process, and a child of it that is under no control yet
 * @g: the group
 *
 * Context: process; group->lock held, or nobody has the group any more.
 */
void chess_kept_drop(struct chess_group *g)
{
	struct chess_kept *k;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	k = g->keep.kept;
	g->keep.kept = NULL;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!k)
		return;
	WRITE_ONCE(k->dropped, true);
	end_child(k);
	send_sig(SIGKILL, k->task, 1);
	swake_up_one(&k->wait);
	kref_put(&k->ref, release);
}
