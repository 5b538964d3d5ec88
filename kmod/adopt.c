// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking control of a process that is running. netlink_task.c calls; gate.c tells when a
 * task arrives.
 *
 *	check all tasks of the process; refused: nothing was changed
 *	repeat until there is no new task and all have arrived, or for GATHER_MS:
 *	    register those that are not: in the table, apart, gate armed
 *	    link those that sleep
 *	the first decision
 *
 * A task that runs arrives by itself: the gate is a task work, which runs when it
 * returns to user mode, and there it parks. A task that sleeps in a system call is
 * not woken for it. While it is off its processor and p->pi_lock is held nobody can
 * make it run, so its preempt notifier can be linked by us, as chess_task_forked()
 * does for a child that does not run yet; from then on it is a task that is blocked,
 * and parks at the wake-up gate. A task that does neither in time (it waits for a
 * disk, say) goes on free, and arrives later.
 *
 * No thread is missed. One that a registered task creates is seen by the probe of
 * sched_process_fork. One that an unregistered task creates is in the list of threads
 * before that probe fires, so either the next pass finds it, or its creator was
 * registered by then. A pass that finds nobody new proves that all are registered.
 *
 * Where one is apart it runs beside the token; it is not in the enabled set.
 */
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/freezer.h>
#include <linux/pid.h>
#include <linux/sched/jobctl.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <net/netlink.h>

#include "adopt.h"
#include "affinity.h"
#include "chess.h"
#include "compat.h"
#include "compat_netlink.h"
#include "gate.h"
#include "group.h"
#include "point.h"
#include "rights.h"
#include "task.h"
#include "watchdog.h"

/* How long those that run may take to arrive before the others may go on. */
#define GATHER_MS	200
/* So many times longer may those take that are in an execve. */
#define EXECVES		4
/* A process with more generations above it than this is not found. */
#define MAX_DEPTH	64

/* Threads that are not part of the program: io_uring's workers and the like. */
static bool is_foreign(const struct task_struct *task)
{
	return task->flags & (PF_KTHREAD | PF_IO_WORKER | CHESS_COMPAT_PF_WORKER);
}

static bool is_ending(const struct task_struct *task)
{
	return task->exit_state || (task->flags & PF_EXITING);
}

static bool is_wanted(const struct chess_adopt *a, struct task_struct *process)
{
	struct task_struct *p = process;
	int depth;

	if (same_thread_group(process, a->leader))
		return true;
	for (depth = 0; a->tree && depth < MAX_DEPTH && p->pid > 1; depth++) {
		p = rcu_dereference(p->real_parent);
		if (same_thread_group(p, a->leader))
			return true;
	}
	return false;
}

typedef int visit_fn(struct task_struct *task, void *data);

static int visit_threads(struct task_struct *process, visit_fn *visit, void *data)
{
	struct task_struct *task;
	int ret;

	for_each_thread(process, task) {
		if (is_foreign(task) || is_ending(task))
			continue;
		ret = visit(task, data);
		if (ret)
			return ret;
	}
	return 0;
}

/* Until @visit returns not zero. Context: RCU. */
static int visit_wanted(const struct chess_adopt *a, visit_fn *visit, void *data)
{
	struct task_struct *process;
	int ret = 0;

	if (!a->tree)
		return visit_threads(a->leader, visit, data);
	for_each_process(process) {
		if (is_wanted(a, process))
			ret = visit_threads(process, visit, data);
		if (ret)
			return ret;
	}
	return 0;
}

struct check {
	const struct chess_group *group;
	struct netlink_ext_ack *extack;
	u32 count;
};

/* Why not this one? */
static int check_task(struct task_struct *task, void *data)
{
	struct check *c = data;

	if (same_thread_group(task, current)) {
		NL_SET_ERR_MSG(c->extack, "the controller cannot take control of itself");
		return -EINVAL;
	}
	if (!chess_rights_over(c->group, task)) {
		NL_SET_ERR_MSG(c->extack,
			       "this process needs ptrace rights over it, or CAP_SYS_ADMIN");
		return -EPERM;
	}
	if (chess_task_find(task)) {
		NL_SET_ERR_MSG_FMT(c->extack, "task %d is under control already",
				   task_pid_vnr(task));
		return -EEXIST;
	}
	if (READ_ONCE(task->ptrace)) {
		NL_SET_ERR_MSG_FMT(c->extack,
				   "task %d is being traced, by gdb or strace perhaps; end that first",
				   task_pid_vnr(task));
		return -EBUSY;
	}
	if ((READ_ONCE(task->jobctl) & JOBCTL_TRAP_FREEZE) ||
	    (READ_ONCE(task->__state) & TASK_FROZEN)) {
		NL_SET_ERR_MSG_FMT(c->extack, "task %d is frozen; thaw its cgroup first",
				   task_pid_vnr(task));
		return -EBUSY;
	}
	if (++c->count > CHESS_MAX_TASKS) {
		NL_SET_ERR_MSG(c->extack, "there are more tasks than a group can have");
		return -E2BIG;
	}
	return 0;
}

static int check_all(const struct chess_group *g, const struct chess_adopt *a,
		     struct netlink_ext_ack *extack)
{
	struct check c = { .group = g, .extack = extack };
	int ret;

	if (is_foreign(a->leader)) {
		NL_SET_ERR_MSG(extack, "this is a thread of the kernel");
		return -EINVAL;
	}
	if (is_global_init(a->leader)) {
		NL_SET_ERR_MSG(extack, "this is the first process of the machine, which would stop with it");
		return -EINVAL;
	}
	rcu_read_lock();
	ret = visit_wanted(a, check_task, &c);
	rcu_read_unlock();
	if (!ret && !c.count) {
		NL_SET_ERR_MSG(extack, "the process has ended, or is ending");
		ret = -ESRCH;
	}
	return ret;
}

/* One that is not in the table, and not among the first @skip of those. */
struct find {
	struct task_struct *task;
	u32 skip;
};

static int find_unregistered(struct task_struct *task, void *data)
{
	struct find *f = data;

	if (chess_task_find(task))
		return 0;
	if (f->skip) {
		f->skip--;
		return 0;
	}
	f->task = get_task_struct(task);
	return 1;
}

/*
 * It may have become a program with other rights since it was looked at: so once more, and it
 * is in the table before it can become another one.
 */
static int register_one(struct chess_group *g, struct task_struct *task)
{
	int ret = -EPERM;

	if (g->owner.privileged)
		return chess_task_adopt(g, task);
	if (!chess_rights_bar_exec(task))
		return -EBUSY;
	if (chess_rights_over(g, task))
		ret = chess_task_adopt(g, task);
	chess_rights_allow_exec(task);
	return ret;
}

/*
 * Returns how many were new, or negative errno. @busy: so many are in an execve just now, and
 * left to the next pass. Those whose creators are in do not come again.
 */
static int register_new(struct chess_group *g, const struct chess_adopt *a, u32 *busy)
{
	int n = 0, ret;

	*busy = 0;
	for (;;) {
		struct find f = { .skip = *busy };

		rcu_read_lock();
		ret = visit_wanted(a, find_unregistered, &f);
		rcu_read_unlock();
		if (!ret)
			return n;
		ret = register_one(g, f.task);
		put_task_struct(f.task);
		if (ret == -EBUSY) {
			++*busy;
			continue;
		}
		/* Found meanwhile by the probe, as the child of one that is in. */
		if (ret && ret != -EEXIST)
			return ret;
		n += !ret;
		cond_resched();
	}
}

/*
 * It is off its processor and stays there: link it. What it may run on is read here,
 * where nobody changes it.
 */
static bool link_asleep(struct chess_task *t, struct task_struct *task)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	bool linked = false;

	raw_spin_lock_irqsave(&task->pi_lock, flags);
	if (chess_compat_is_asleep(task) && !chess_task_dying(t)) {
		raw_spin_lock(&g->plock);
		if (t->alive && t->apart && !t->out && g->state == CHESS_GROUP_STATE_RUNNING) {
			t->blocked = true;
			t->block_state = READ_ONCE(task->__state);
			/* One that created a task on its way to the gate is bound. */
			if (!t->binding.is_bound)
				chess_affinity_keep(t);
			hlist_add_head(&t->notifier.link, &task->preempt_notifiers);
			WRITE_ONCE(t->apart, false);
			linked = true;
		}
		raw_spin_unlock(&g->plock);
	}
	raw_spin_unlock_irqrestore(&task->pi_lock, flags);
	return linked;
}

/* Returns how many are still to arrive. */
static u32 link_all_asleep(struct chess_group *g)
{
	struct task_struct *task;
	struct chess_task *t;
	u32 id = 0, apart = 0;
	bool linked;

	for (;;) {
		rcu_read_lock();
		t = chess_task_next(g, id);
		if (!t) {
			rcu_read_unlock();
			return apart;
		}
		id = t->id + 1;
		task = get_task_struct(t->task);
		linked = READ_ONCE(t->apart) && link_asleep(t, task);
		apart += READ_ONCE(t->apart);
		rcu_read_unlock();
		if (linked && set_cpus_allowed_ptr(task, cpumask_of(g->place.cpu)))
			pr_debug("task %u of group %u stays on its processors\n", id - 1, g->id);
		put_task_struct(task);
	}
}

static int gather(struct chess_group *g, struct chess_adopt *a)
{
	unsigned long limit = msecs_to_jiffies(GATHER_MS);
	unsigned long end;
	u32 busy;
	int ret;

	if (a->guard.max_stall)
		limit = min(limit, a->guard.max_stall / 2);
	end = jiffies + limit;
	do {
		ret = register_new(g, a, &busy);
		if (ret < 0)
			return ret;
		a->late = link_all_asleep(g);
		if (!ret && !a->late && !busy)
			break;
		if (!ret)
			schedule_timeout_uninterruptible(1);
	} while (ret || (time_before(jiffies, end + (busy ? EXECVES * limit : 0)) &&
			 !fatal_signal_pending(current)));
	return busy ? -EBUSY : 0;
}

/*
 * Somebody runs in an address space of the group's and is not in it: the child of a
 * vfork that was under way. Traps would kill it.
 */
static bool is_shared(struct chess_group *g)
{
	struct task_struct *process, *task;
	bool shared = false;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		struct mm_struct *space = READ_ONCE(task->mm);

		if (!space || is_foreign(task) || is_ending(task) || chess_task_find(task))
			continue;
		shared = chess_task_shares(g, space);
		if (shared)
			goto out;	/* these are two loops: break leaves one */
	}
out:
	rcu_read_unlock();
	return shared;
}

static int begin(struct chess_group *g, const struct chess_adopt *a)
{
	struct pid *process = get_task_pid(a->leader, PIDTYPE_TGID);
	unsigned long flags;

	if (!process)
		return -ESRCH;
	chess_group_place(g, a->leader);
	raw_spin_lock_irqsave(&g->plock, flags);
	g->adoption.process = process;
	g->adoption.follow = a->follow;
	g->adoption.held = a->hold;
	g->adoption.latching = a->latch;
	g->watchdog.guard = a->guard;
	g->watchdog.guard.heard = jiffies;
	g->adoption.gathering = true;
	g->state = CHESS_GROUP_STATE_RUNNING;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return 0;
}

/**
 * chess_adopt() - begin the armed run with a process that is running
 * @g: a group that is armed and has no task
 * @a: what is asked for
 * @extack: where to say what is wrong
 *
 * Context: netlink, group->lock held. Waits for up to GATHER_MS.
 * Return: 0 or negative errno. Where it fails after tasks were taken the run is left
 * running: the caller stops it.
 */
int chess_adopt(struct chess_group *g, struct chess_adopt *a, struct netlink_ext_ack *extack)
{
	int ret;

	lockdep_assert_held(&g->lock);
	if (!chess_compat_works_can_be_cancelled()) {
		NL_SET_ERR_MSG(extack, "this kernel has no task_work_cancel_match()");
		return -EOPNOTSUPP;
	}
	if (g->flags & (CHESS_RUN_FLAGS_VIRTUAL_TIME | CHESS_RUN_FLAGS_FIXED_RANDOM)) {
		NL_SET_ERR_MSG(extack,
			       "a process that is running keeps its time and its random numbers");
		return -EINVAL;
	}
	ret = check_all(g, a, extack);
	if (ret)
		return ret;
	ret = begin(g, a);
	if (!ret)
		ret = gather(g, a);
	a->taken = g->next_id;
	if (!ret && !a->taken)
		ret = -ESRCH;
	if (ret == -E2BIG)
		NL_SET_ERR_MSG(extack, "there are more tasks than a group can have");
	else if (ret == -ENOMEM)
		NL_SET_ERR_MSG(extack, "no memory for a task");
	else if (ret == -EPERM)
		NL_SET_ERR_MSG(extack,
			       "a task executed a program over which ptrace rights are missing");
	else if (ret == -EBUSY)
		NL_SET_ERR_MSG(extack,
			       "a task is about to execute another program, and takes long; try again");
	else if (ret == -ECANCELED)
		NL_SET_ERR_MSG(extack, "the run was ended while its tasks were taken");
	else if (ret)
		NL_SET_ERR_MSG(extack, "the process has ended, or is ending");
	if (ret)
		return ret;
	chess_watchdog_adopted(g);
	chess_point_begin(g);
	if (g->images.nprobes && is_shared(g))
		g->lost += g->images.nprobes;
	else if (g->images.nprobes)
		chess_task_arm_adopted(g);
	return 0;
}

/**
 * chess_adopt_arrive() - an adopted task is about to return to user mode
 * @t: the task, which is current
 *
 * Context: task work.
 * Return: whether it is in the run now; else it is on its way out.
 */
bool chess_adopt_arrive(struct chess_task *t)
{
	unsigned long flags;

	if ((current->flags & PF_EXITING) || t->out)
		return false;
	if (READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING)
		return true;
	chess_affinity_bind(t);
	local_irq_save(flags);
	preempt_notifier_register(&t->notifier);
	WRITE_ONCE(t->apart, false);
	local_irq_restore(flags);
	return true;
}
