// SPDX-License-Identifier: GPL-2.0-only
/*
 * Letting go of adopted tasks where they sleep. Others leave in their own context
 * (task.c: leave_fn()), and may be interrupted for it; a service must not notice, so
 * its sleeping tasks are not woken.
 *
 * While a task is off its processor and p->pi_lock is held nobody can make it run.
 * If no task work of ours is queued or being executed then, nothing of ours is in
 * its future but the notifier, which is unlinked; and it is done. A work is being
 * executed only where the task is awake, parked, or in a sleep that does not count
 * as one here (works of ours take mutexes and page faults).
 *
 * Tasks that run get their leave work. One that goes to sleep before it
 * returns to user mode is found by the next pass; passes go on until all have left.
 */
#include <linux/cpumask.h>
#include <linux/sched/task.h>

#include "affinity.h"
#include "chess.h"
#include "compat.h"
#include "drain.h"
#include "group.h"
#include "point.h"
#include "task.h"
#include "traps/trap.h"

#define FIRST_PAUSE	1
#define LONGEST_PAUSE	(HZ / 10)

/*
 * Works that need not be done when the task leaves. Not those that write results to
 * its memory (@late, @random), and not @settle.
 */
static void cancel_works(struct chess_task *t)
{
	struct chess_work *works[] = {
		&t->gate.work, &t->gate.quantum, &t->gate.custom.work, &t->chore, &t->expire,
		&t->leave,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(works); i++)
		if (test_bit(0, &works[i]->queued) &&
		    chess_compat_work_cancel(t->task, &works[i]->head))
			clear_bit(0, &works[i]->queued);
}

/* Not in a function of ours. */
static bool sleeps_in_kernel(const struct chess_task *t)
{
	return chess_compat_is_asleep(t->task) && !READ_ONCE(t->gate.is_parked) &&
	       !READ_ONCE(t->gate.frozen);
}

static bool may_unlink(const struct chess_task *t)
{
	return t->alive && sleeps_in_kernel(t) && !chess_task_works_queued(t) &&
	       !test_bit(0, &t->leave.queued);
}

/* Returns whether the task is out of control. Context: RCU. */
static bool unlink_asleep(struct chess_task *t)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	bool gone;

	cancel_works(t);
	raw_spin_lock_irqsave(&t->task->pi_lock, flags);
	raw_spin_lock(&g->plock);
	gone = may_unlink(t);
	if (gone) {
		if (!t->apart)
			hlist_del_init(&t->notifier.link);
		chess_task_remove_locked(t);
		chess_point_end_locked(g);
		irq_work_queue(&g->irq_work);
	}
	raw_spin_unlock(&g->plock);
	raw_spin_unlock_irqrestore(&t->task->pi_lock, flags);
	return gone;
}

/*
 * The task with this id, if the group drains: another run may have begun since, but
 * not while one of this one's is there.
 */
static struct chess_task *find_draining(struct chess_group *g, u32 id)
{
	struct chess_task *t = chess_task_next(g, id);

	return t && t->id == id && READ_ONCE(g->state) == CHESS_GROUP_STATE_DRAINING ? t : NULL;
}

/*
 * Its processors before it is let go, else what the program asks for itself in that
 * moment would be overwritten. group->leaving: the task does not leave meanwhile.
 */
static void restore_affinity(struct chess_group *g, u32 id, cpumask_var_t cpus)
{
	struct task_struct *task = NULL;
	struct chess_task *t;
	bool asked = false;
	int cpu = -1;

	rcu_read_lock();
	t = find_draining(g, id);
	if (t && t->binding.is_bound) {
		cpumask_copy(cpus, t->binding.cpus);
		asked = t->binding.asked;
		cpu = chess_affinity_place(t);
		t->binding.is_bound = false;
		task = get_task_struct(t->task);
	}
	rcu_read_unlock();
	if (!task)
		return;
	chess_affinity_give_back(task, cpus, asked, cpu);
	put_task_struct(task);
}

/*
 * Traps before the task, which would die of one that nobody knows any more. Nothing
 * arms after this: rearm() looks at the state, with group->leaving held. Returns whether
 * none is left.
 */
static bool disarm(struct chess_group *g, u32 id)
{
	struct chess_mm *mm = NULL;
	struct chess_task *t;
	bool clean = true;

	rcu_read_lock();
	t = find_draining(g, id);
	if (t)
		mm = chess_mm_get(READ_ONCE(t->mm));
	rcu_read_unlock();
	if (mm)
		clean = chess_trap_disarm_other(mm);
	chess_mm_put(mm);
	return clean;
}

static bool is_asleep(struct chess_group *g, u32 id)
{
	struct chess_task *t;
	bool asleep;

	rcu_read_lock();
	t = find_draining(g, id);
	asleep = t && sleeps_in_kernel(t);
	rcu_read_unlock();
	return asleep;
}

/*
 * In an adopted group only tasks themselves queue a leave work for themselves: after
 * unlink_asleep() none comes. One that is leaving counts as queued, and a dead task takes
 * none.
 */
static bool try_one(struct chess_group *g, u32 id, cpumask_var_t cpus)
{
	bool asleep = is_asleep(g, id), gone = false;
	struct chess_task *t;

	/* A task may have it and wait for the file system its text is on: come again. */
	if (!mutex_trylock(&g->leaving))
		return false;
	if (asleep) {
		restore_affinity(g, id, cpus);
		/* Else it does so itself when it wakes up. */
		asleep = disarm(g, id);
	}
	rcu_read_lock();
	t = find_draining(g, id);
	if (t) {
		gone = asleep && unlink_asleep(t);
		if (!gone)
			chess_work_queue(&t->leave, t->task, TWA_RESUME);
	}
	rcu_read_unlock();
	mutex_unlock(&g->leaving);
	return gone;
}

/* Returns whether there are tasks left. */
static bool drain_pass(struct chess_group *g, cpumask_var_t cpus)
{
	struct chess_task *t;
	bool left = false;
	u32 id = 0;

	for (;;) {
		rcu_read_lock();
		t = chess_task_next(g, id);
		if (t)
			id = t->id;
		rcu_read_unlock();
		if (!t)
			return left;
		left |= !try_one(g, id, cpus);
		id++;
		cond_resched();
	}
}

static void drain_later(struct chess_group *g, unsigned long pause)
{
	chess_group_get(g);
	if (!queue_delayed_work(chess_wq, &g->drainer.work, pause))
		chess_group_put(g);
}

static void drain_worker(struct work_struct *work)
{
	struct chess_group *g = container_of(to_delayed_work(work), struct chess_group,
					     drainer.work);
	cpumask_var_t cpus;
	bool left = true;

	if (zalloc_cpumask_var(&cpus, GFP_KERNEL)) {
		left = drain_pass(g, cpus);
		free_cpumask_var(cpus);
	}
	if (left && READ_ONCE(g->state) == CHESS_GROUP_STATE_DRAINING) {
		g->drainer.pause = min_t(unsigned long, g->drainer.pause * 2, LONGEST_PAUSE);
		drain_later(g, g->drainer.pause);
	}
	chess_group_put(g);
}

/**
 * chess_drain_init() - prepare a new group
 * @g: the group
 *
 * Context: process.
 */
void chess_drain_init(struct chess_group *g)
{
	INIT_DELAYED_WORK(&g->drainer.work, drain_worker);
}

/**
 * chess_drain() - let go of all tasks that sleep, now and until there are none
 * @g: a group that drains
 *
 * Context: process, may sleep.
 */
void chess_drain(struct chess_group *g)
{
	g->drainer.pause = FIRST_PAUSE;
	drain_later(g, 0);
}
