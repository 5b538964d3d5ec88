// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks under control: the table that finds them, and their end. How they come in is in
 * birth.c. A task leaves when it is dead or when control ends. Who calls: point.c for death,
 * netlink_task.c for registration, group.c for the end of control.
 *
 * Where a dying chess_task may still be in use, and why that is safe:
 *  - the table: readers are under RCU (tracepoints run with preemption off),
 *    and it is freed after a grace period;
 *  - its preempt notifier: fired for the last time in the context switch in
 *    which it dies, with preemption off, that is inside the same grace period;
 *  - its task works: exit_task_work() has run them all before TASK_DEAD, and
 *    task_work_add() refuses afterwards;
 *  - group->token, group->deferral: cleared under plock when it is removed;
 *  - the swait queue: only the task itself waits there, and it is dead.
 */
#include <linux/binfmts.h>
#include <linux/file.h>
#include <linux/hashtable.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "affinity.h"
#include "bystander.h"
#include "chess.h"
#include "enabled.h"
#include "gate.h"
#include "group.h"
#include "memory.h"
#include "point.h"
#include "probe.h"
#include "queue.h"
#include "random.h"
#include "record.h"
#include "run.h"
#include "spurious.h"
#include "task.h"
#include "time/clock.h"
#include "time/cputime.h"
#include "time/deadline.h"
#include "time/timer.h"
#include "traps/rest.h"
#include "traps/trap.h"
#include "uring.h"
#include "user.h"
#include "watchdog.h"

static DEFINE_HASHTABLE(chess_tasks, 10);
static DEFINE_RAW_SPINLOCK(chess_tasks_lock);	/* protects writers of chess_tasks */

/**
 * chess_task_find() - the controlled task of a kernel task
 * @task: the kernel's task
 *
 * Context: any, under RCU or with preemption off. No reference is taken.
 * Return: the task or NULL.
 */
struct chess_task *chess_task_find(const struct task_struct *task)
{
	struct chess_task *t;

	hash_for_each_possible_rcu_notrace(chess_tasks, t, node, (unsigned long)task)
		if (t->task == task)
			return t;
	return NULL;
}

static void table_add(struct chess_task *t)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&chess_tasks_lock, flags);
	hash_add_rcu(chess_tasks, &t->node, (unsigned long)t->task);
	raw_spin_unlock_irqrestore(&chess_tasks_lock, flags);
	chess_bystander_involve(t->task);
}

static void table_remove(struct chess_task *t)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&chess_tasks_lock, flags);
	hash_del_rcu(&t->node);
	raw_spin_unlock_irqrestore(&chess_tasks_lock, flags);
}

/**
 * chess_work_queue() - queue a task work unless it is queued already
 * @work: the work; its callback clears @work->queued first
 * @task: where it runs
 * @mode: TWA_RESUME or TWA_SIGNAL
 *
 * Context: any.
 * Return: false when the task is too far on its way out to run it.
 */
bool chess_work_queue(struct chess_work *work, struct task_struct *task,
		      enum task_work_notify_mode mode)
{
	if (test_and_set_bit(0, &work->queued))
		return true;
	if (!task_work_add(task, &work->head, mode))
		return true;
	clear_bit(0, &work->queued);
	return false;
}

/*
 * Two tasks of an adopted process may come here at once, or while it is being let go:
 * what is armed after that is never taken out. While tasks are still being taken one of
 * the address space may not be known yet; chess_task_arm_adopted() comes later.
 */
static void rearm(struct chess_task *t)
{
	struct chess_group *g = t->group;

	/* Its holder may wait long, for a file system: a task being killed does not wait too. */
	if (mutex_lock_killable(&g->leaving))
		return;
	if (READ_ONCE(g->state) == CHESS_GROUP_STATE_RUNNING && !READ_ONCE(g->adoption.gathering)) {
		t->rearm = false;
		chess_trap_arm(t);
	}
	mutex_unlock(&g->leaving);
}

static void change_traps(struct chess_task *t)
{
	struct chess_group *g = t->group;

	if (mutex_lock_killable(&g->leaving))
		return;
	if (READ_ONCE(g->state) == CHESS_GROUP_STATE_RUNNING)
		chess_trap_change(t);
	mutex_unlock(&g->leaving);
}

/* The timer goes to the group's processor with the root task. */
static void bind(struct chess_task *t)
{
	bool root = !t->binding.is_bound && !t->group->adoption.process;

	chess_affinity_bind(t);
	if (root)
		chess_watchdog_start(t->group);
}

static struct chess_task *create_task(struct chess_group *group);

static void chore_fn(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, chore.head);

	clear_bit(0, &t->chore.queued);
	if (t->out)
		return;
	if (READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING)
		bind(t);
	if (t->executed) {
		t->executed = false;
		chess_clock_hide(t);
	}
	chess_timer_take_over(t);
	chess_timer_drain(t);
	chess_cputime_purge(t->group);
	if (t->ring.is_new) {
		t->ring.is_new = false;
		chess_probe_rings();
	}
	if (!t->spare)
		t->spare = create_task(t->group);
	if (t->rearm)
		rearm(t);
	if (t->traps.retired || t->traps.fast.wanted || chess_rest_is_due(t))
		change_traps(t);
}

/**
 * chess_task_works_queued() - is there a task work of ours but the one that leaves
 * @t: the task
 *
 * Context: any.
 * Return: whether there is.
 */
bool chess_task_works_queued(const struct chess_task *t)
{
	return test_bit(0, &t->gate.work.queued) || test_bit(0, &t->gate.quantum.queued) ||
	       test_bit(0, &t->gate.custom.work.queued) || test_bit(0, &t->chore.queued) ||
	       test_bit(0, &t->expire.queued) || test_bit(0, &t->late.work.queued) ||
	       test_bit(0, &t->fetch.work.queued) || test_bit(0, &t->random.work.queued) ||
	       test_bit(0, &t->ring.work.queued);
}

/*
 * End of control in the task's own context. The traps go first: after this a hit
 * is no longer ours.
 *
 * This must be the last work of the task, because it gives @t up: works run last
 * in, first out, so it goes to the back until the others are done. It stays
 * marked as queued, else a second stop would have it run twice. With interrupts
 * off the watchdog cannot add a work in between; nor can a BPF program that is
 * attached to what is called here.
 */
static void leave_fn(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, leave.head);
	unsigned long flags;
	bool last;

	if (READ_ONCE(t->group->kill) && !t->out) {
		chess_run_kill(t->group);
		send_sig(SIGKILL, current, 1);
	}
	if (t->traps.fast.granted)
		chess_fast_drain(t);
	chess_spurious_forget(t);
	/* Who is being killed needs neither. */
	if (!mutex_lock_killable(&t->group->leaving)) {
		chess_trap_disarm(t);
		chess_affinity_restore(t);
		mutex_unlock(&t->group->leaving);
	}
	local_irq_save(flags);
	set_bit(0, &t->gate.custom.busy);
	last = !chess_task_works_queued(t);
	if (last) {
		if (!t->apart)
			preempt_notifier_unregister(&t->notifier);
		chess_point_dead(t);
	}
	local_irq_restore(flags);
	/* Does not fail: works are being run. */
	if (!last)
		task_work_add(current, head, TWA_RESUME);
}

static struct chess_task *create_task(struct chess_group *group)
{
	struct chess_task *t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);

	if (!t)
		return NULL;
	t->spare_mm = chess_mm_create();
	t->fair = kmalloc(sizeof(*t->fair), GFP_KERNEL_ACCOUNT);
	t->cputime.spare = chess_cputime_create();
	if (!t->spare_mm || !t->fair || !t->cputime.spare ||
	    !zalloc_cpumask_var(&t->binding.cpus, GFP_KERNEL_ACCOUNT)) {
		chess_mm_put(t->spare_mm);
		chess_cputime_free(t->cputime.spare);
		kfree(t->fair);
		kfree(t);
		return NULL;
	}
	t->group = group;
	chess_mm_forget(t);
	chess_group_get(group);
	chess_gate_init(t);
	chess_deadline_init(t);
	chess_user_init(t);
	chess_random_init(t);
	chess_uring_init(t);
	init_task_work(&t->leave.head, leave_fn);
	init_task_work(&t->chore.head, chore_fn);
	INIT_LIST_HEAD(&t->entry);
	return t;
}

/**
 * chess_task_free() - free a task nobody can find
 * @t: the task
 *
 * Context: process or softirq.
 */
void chess_task_free(struct chess_task *t)
{
	if (!t)
		return;
	chess_task_free(t->spare);
	if (t->timer_call.drain)
		fput(t->timer_call.drain);
	chess_mm_put(t->mm);
	chess_mm_put(t->spare_mm);
	chess_cputime_free(t->cputime.spare);
	if (t->task)
		put_task_struct(t->task);
	chess_group_put(t->group);
	free_cpumask_var(t->binding.cpus);
	kfree(t->fair);
	kfree(t);
}

/**
 * chess_task_create_with_spare() - memory for a task of a group, and for its first child
 * @group: the group
 *
 * Context: process, may sleep.
 * Return: the task, or NULL without memory.
 */
struct chess_task *chess_task_create_with_spare(struct chess_group *group)
{
	struct chess_task *t = create_task(group);

	if (!t)
		return NULL;
	t->spare = create_task(group);
	if (t->spare)
		return t;
	chess_task_free(t);
	return NULL;
}

static void free_rcu_fn(struct rcu_head *rcu)
{
	chess_task_free(container_of(rcu, struct chess_task, rcu));
}

/**
 * chess_task_free_dead() - free dead tasks after a grace period
 * @list: linked through @dead_next
 *
 * Context: irq work.
 */
void chess_task_free_dead(struct chess_task *list)
{
	struct chess_task *next;

	for (; list; list = next) {
		next = list->dead_next;
		call_rcu(&list->rcu, free_rcu_fn);
	}
}

static int may_register_locked(const struct chess_group *group, const struct task_struct *task)
	__must_hold(&group->plock)
{
	int ret = 0;

	lockdep_assert_held(&group->plock);
	rcu_read_lock();
	if (chess_task_find(task))
		ret = -EEXIST;
	else if (!list_empty(&group->tasks))
		ret = -EBUSY;
	rcu_read_unlock();
	return ret;
}

/**
 * chess_task_register() - put a task under control at its next execve
 * @group: an idle or armed group
 * @task: the task; a reference is taken
 *
 * Context: netlink; group->lock held.
 * Return: 0, -EEXIST when it is registered somewhere already, -EBUSY when the
 * group has a root task, -ENOMEM.
 */
int chess_task_register(struct chess_group *group, struct task_struct *task)
{
	struct chess_task *t;
	unsigned long flags;
	int ret;

	lockdep_assert_held(&group->lock);
	t = chess_task_create_with_spare(group);
	if (!t)
		return -ENOMEM;
	t->task = get_task_struct(task);
	t->pending = true;

	raw_spin_lock_irqsave(&group->plock, flags);
	ret = may_register_locked(group, task);
	if (!ret) {
		t->alive = true;
		list_add_tail(&t->entry, &group->tasks);
		table_add(t);
	}
	raw_spin_unlock_irqrestore(&group->plock, flags);
	if (ret)
		chess_task_free(t);
	return ret;
}

static bool is_id_free_locked(const struct chess_group *g, u32 id)
	__must_hold(&g->plock)
{
	const struct chess_task *t;

	lockdep_assert_held(&g->plock);
	if (g->by_id[id])
		return false;
	/* Its end is not in the record yet. */
	list_for_each_entry(t, &g->killed, entry)
		if (t->id == id)
			return false;
	return true;
}

/**
 * chess_task_free_id_locked() - the number that the next task will have
 * @g: the group
 *
 * They grow until there are no more. Then those of tasks that ended are used again, in a
 * circle, so that each stays unused for long. The first task's never is, and none in an
 * adopted group, whose owner keeps what it knows of tasks by their numbers.
 *
 * Context: any, group->plock held.
 * Return: it; CHESS_TASK_NONE: as many tasks are alive as there can be.
 */
u32 chess_task_free_id_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	u32 i, id = g->last_id;

	lockdep_assert_held(&g->plock);
	if (g->next_id < CHESS_MAX_TASKS)
		return g->next_id;
	for (i = 1; i < CHESS_MAX_TASKS && !g->adoption.process; i++) {
		id = id + 1 < CHESS_MAX_TASKS ? id + 1 : 1;
		if (is_id_free_locked(g, id))
			return id;
	}
	return CHESS_TASK_NONE;
}

/* In order of ids. */
static void insert_locked(struct chess_group *g, struct chess_task *t)
	__must_hold(&g->plock)
{
	struct chess_task *pos;

	lockdep_assert_held(&g->plock);
	/* Most often the last one. */
	list_for_each_entry_reverse(pos, &g->tasks, entry)
		if (pos->id < t->id)
			break;
	list_add(&t->entry, &pos->entry);
}

/**
 * chess_task_add_locked() - a task is in: it is found from now on, and has the next number
 * @t: what it is to be under control
 * @task: the kernel's task; a reference is taken
 *
 * Context: any, group->plock held; chess_task_free_id_locked() has one.
 */
void chess_task_add_locked(struct chess_task *t, struct task_struct *task)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	t->task = get_task_struct(task);
	t->id = chess_task_free_id_locked(g);
	g->last_id = t->id;
	g->next_id = max(g->next_id, t->id + 1);
	g->pids[t->id] = task->pid;
	g->by_id[t->id] = t;
	t->alive = true;
	insert_locked(g, t);
	g->ntasks++;
	table_add(t);
}

/**
 * chess_task_shares() - does a task of the group run in this address space
 * @g: the group; its tasks know their address spaces
 * @space: the address space
 *
 * Context: any.
 * Return: whether one does.
 */
bool chess_task_shares(struct chess_group *g, const struct mm_struct *space)
{
	const struct chess_task *t;
	unsigned long flags;
	bool shares = false;

	raw_spin_lock_irqsave(&g->plock, flags);
	list_for_each_entry(t, &g->tasks, entry)
		shares |= READ_ONCE(t->task->mm) == space;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return shares;
}

/**
 * chess_task_next() - the first task from an id on
 * @g: the group
 * @id: the id
 *
 * For walks that cannot hold plock, since they wake or send: from one id to the next, which
 * only grow.
 *
 * Context: any, under RCU, which keeps the task.
 * Return: the task or NULL.
 */
struct chess_task *chess_task_next(struct chess_group *g, u32 id)
{
	struct chess_task *t, *found = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	list_for_each_entry(t, &g->tasks, entry)
		if (!t->pending && t->id >= id) {
			found = t;
			break;
		}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return found;
}

/**
 * chess_task_bury_locked() - the task is dead or out of control
 * @t: a task that is alive
 *
 * Nobody finds it any more. If it held the token nobody does afterwards; the
 * caller decides, and sees to it that the task is freed.
 *
 * Context: any, group->plock held.
 */
void chess_task_bury_locked(struct chess_task *t)
	__must_hold(&g->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&g->plock);
	table_remove(t);
	chess_timer_gone_locked(t);
	chess_cputime_leave_locked(t);
	t->alive = false;
	t->enabled = false;
	chess_task_came_back_locked(t);
	chess_set_remove(&g->enabled, t->id);
	chess_set_remove(&g->timed, t->id);
	chess_set_remove(&g->spurious.tasks, t->id);
	chess_set_remove(&g->deadlines.guarding, t->id);
	if (t->latched)
		g->latches.n--;
	t->latched = false;
	if (g->token == t)
		g->token = NULL;
	chess_queue_forget_locked(t);
	if (g->deferral.passing == t->id)
		g->deferral.passing = CHESS_TASK_NONE;
	list_del_init(&t->entry);
	if (t->pending)
		return;
	chess_fair_forget(&g->fair, t->id);
	g->ntasks--;
	g->nwoken -= t->woken;
	g->by_id[t->id] = NULL;
}

/**
 * chess_task_discard_locked() - have a task freed that was buried
 * @t: the task
 *
 * Context: any, group->plock held; group->irq_work must be queued after it.
 */
void chess_task_discard_locked(struct chess_task *t)
	__must_hold(&g->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&g->plock);
	list_del_init(&t->entry);
	t->dead_next = g->dead_tasks;
	g->dead_tasks = t;
}

/**
 * chess_task_remove_locked() - bury a task and have it freed
 * @t: a task that is alive
 *
 * Context: any, group->plock held; group->irq_work must be queued after it.
 */
void chess_task_remove_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	chess_task_bury_locked(t);
	chess_task_discard_locked(t);
}

/**
 * chess_task_exit_code() - the status wait(2) will see
 * @task: a dead task
 *
 * Context: any.
 * Return: the status.
 */
int chess_task_exit_code(const struct task_struct *task)
{
	const struct signal_struct *sig = task->signal;

	if (sig->flags & SIGNAL_GROUP_EXIT)
		return sig->group_exit_code;
	return task->exit_code;
}
