// SPDX-License-Identifier: GPL-2.0-only
/*
 * How tasks come under control: at an execve they were registered for, created by one that
 * is in, or adopted while they run (adopt.c); and who leaves the run while it goes on.
 * Called by probe.c and adopt.c.
 */
#include <linux/preempt.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>

#include "arch_x86.h"
#include "chess.h"
#include "enabled.h"
#include "gate.h"
#include "handler.h"
#include "kinship.h"
#include "memory.h"
#include "point.h"
#include "record_push.h"
#include "rights.h"
#include "task.h"
#include "time/cputime.h"
#include "time/timer.h"
#include "traps/rest.h"
#include "traps/trap.h"

static void record_leave_locked(const struct chess_task *t)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	chess_record_push_locked(t->group, &(struct chess_event) {
		.type = CHESS_EVENT_LEAVE,
		.task = t->id,
		.chosen = CHESS_TASK_NONE,
	});
}

/*
 * In a run that began with tasks that were there already the record says of each where it
 * lives: nobody was seen to make it. The thread pointer is by what a join names a thread;
 * of a process the record has @kinship.
 */
static void record_spawn_locked(const struct chess_task *t, u16 maker, bool thread, u64 kinship)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	chess_record_push_locked(g, &(struct chess_event) {
		.type = CHESS_EVENT_SPAWN,
		.op = !g->adoption.process ? 0 : thread ? CHESS_OP_CREATE : CHESS_OP_FORK,
		.object_kind = CHESS_OBJECT_TASK,
		.task = maker,
		.chosen = CHESS_TASK_NONE,
		.object = t->id,
		.arg = kinship ?: thread ? chess_arch_thread_pointer(t->task) : 0,
	});
	chess_policy_spawn(&g->policy, maker, t->id);
}

/* The first task that is in of the process of @task, or NULL. Context: g->plock held. */
static const struct chess_task *first_of_process_locked(const struct chess_group *g,
							struct task_struct *task)
	__must_hold(&g->plock)
{
	const struct chess_task *t;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(t, &g->tasks, entry)
		if (same_thread_group(t->task, task))
			return t;
	return NULL;
}

static int add_adopted_locked(struct chess_task *t, struct task_struct *task,
			      struct mm_struct *space)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	const struct chess_task *first = first_of_process_locked(g, task);

	lockdep_assert_held(&t->group->plock);
	if (g->state != CHESS_GROUP_STATE_RUNNING)
		return -ECANCELED;
	if (chess_task_find(task))
		return -EEXIST;
	if (chess_task_free_id_locked(g) == CHESS_TASK_NONE)
		return -E2BIG;
	t->apart = true;
	if (g->images.nprobes && space)
		chess_mm_share(t, space);
	chess_task_add_locked(t, task);
	if (t->id)
		record_spawn_locked(t, first ? first->id : 0, first, 0);
	return 0;
}

/**
 * chess_task_adopt() - put a task that is running somewhere under control
 * @g: an adopted group that gathers
 * @task: the task; a reference is taken
 *
 * It is apart until it arrives, see adopt.c. The record has it as created by the
 * first of its process, and that one by the first of all.
 *
 * Context: netlink; group->lock held.
 * Return: 0, -EEXIST when it is under control already, -E2BIG when there are no more
 * numbers, -ECANCELED when the run was ended meanwhile, -ENOMEM.
 */
int chess_task_adopt(struct chess_group *g, struct task_struct *task)
{
	struct chess_task *t = chess_task_create_with_spare(g);
	struct mm_struct *space;
	unsigned long flags;
	int ret;

	lockdep_assert_held(&g->lock);
	if (!t)
		return -ENOMEM;
	space = get_task_mm(task);
	rcu_read_lock();
	raw_spin_lock_irqsave(&g->plock, flags);
	ret = add_adopted_locked(t, task, space);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	/* Too late for the work: it is as good as dead, and may be dead already. */
	if (!ret && !chess_gate_adopt(t))
		chess_point_dead(t);
	rcu_read_unlock();
	if (space)
		mmput(space);
	if (ret)
		chess_task_free(t);
	return ret;
}

/**
 * chess_task_arm_adopted() - have traps armed where adopted tasks return to user mode
 * @g: a group all of whose tasks are known
 *
 * Whoever of an address space comes first does it for all, before it executes any of the
 * program's code.
 *
 * Context: netlink.
 */
void chess_task_arm_adopted(struct chess_group *g)
{
	struct chess_task *t;
	u32 id = 0;

	/* With group->lock held nobody drains: @t is used by nobody but its task. */
	lockdep_assert_held(&g->lock);
	for (;;) {
		rcu_read_lock();
		t = chess_task_next(g, id);
		if (t) {
			id = t->id + 1;
			WRITE_ONCE(t->rearm, true);
			chess_work_queue(&t->chore, t->task, TWA_RESUME);
		}
		rcu_read_unlock();
		if (!t)
			return;
	}
}

/**
 * chess_task_forked() - a task of a group created a child
 * @parent: the creating task, which is current
 * @child: not running yet
 *
 * The child is controlled from its first instruction: it parks in its first
 * context switch, before it touches user memory.
 *
 * Context: probe (sched_process_fork).
 */
void chess_task_forked(struct chess_task *parent, struct task_struct *child)
{
	struct chess_group *g = parent->group;
	struct chess_task *t = parent->spare;
	u64 kinship = same_thread_group(child, current) ? 0 : chess_kinship_of(child);
	unsigned long flags;
	bool stays;

	chess_rest_end(&g->accesses.rest);
	chess_work_queue(&parent->chore, current, TWA_RESUME);
	raw_spin_lock_irqsave(&g->plock, flags);
	/* Adopted before its parent came here. */
	if (chess_task_find(child)) {
		raw_spin_unlock_irqrestore(&g->plock, flags);
		return;
	}
	if (!t || chess_task_free_id_locked(g) == CHESS_TASK_NONE) {
		g->lost++;
		raw_spin_unlock_irqrestore(&g->plock, flags);
		return;
	}
	parent->spare = NULL;
	parent->has_threads |= same_thread_group(child, current);
	stays = !g->adoption.process || g->adoption.follow || child->mm == current->mm;
	t->brief = parent->brief || (g->adoption.process && !g->adoption.follow &&
				     child->mm == current->mm &&
				     !same_thread_group(child, current));
	t->apart = !stays;
	t->blocked = stays;
	t->block_state = TASK_INTERRUPTIBLE;
	cpumask_copy(t->binding.cpus, parent->binding.cpus);
	t->binding.cpu = parent->binding.cpu;
	t->binding.asked = parent->binding.asked;
	t->binding.is_bound = parent->binding.is_bound;
	t->shown = parent->shown;
	chess_handler_reset(t, child);
	/* Where a handler between two pieces of it forks, the child returns to it, too. */
	if (child->mm != current->mm && parent->copy.going)
		t->copy = parent->copy;
	chess_task_add_locked(t, child);
	if (parent->cputime.account)
		chess_cputime_join_locked(t, same_thread_group(child, current) ?
					     parent->cputime.account : NULL);
	if (parent->mm)
		chess_mm_forked(parent, t);
	if (stays)
		chess_task_enable_locked(t);
	if (g->state == CHESS_GROUP_STATE_RUNNING) {
		record_spawn_locked(t, parent->id, child->mm == current->mm, kinship);
		if (!stays)
			record_leave_locked(t);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_memory_created(parent, child->mm != current->mm);
	/* What preempt_notifier_register() does for current; the child does not run. */
	if (stays)
		hlist_add_head(&t->notifier.link, &child->preempt_notifiers);
	if (stays)
		chess_work_queue(&t->chore, child, TWA_RESUME);
	if (!stays || g->state != CHESS_GROUP_STATE_RUNNING)
		chess_work_queue(&t->leave, child, TWA_RESUME);
}

/* The registered task has executed the program: the run begins with it. */
static void join_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	t->pending = false;
	t->id = g->next_id++;
	g->pids[t->id] = t->task->pid;
	g->by_id[t->id] = t;
	g->ntasks++;
	chess_cputime_join_locked(t, NULL);
	chess_task_enable_locked(t);
	g->token = t;
	g->state = CHESS_GROUP_STATE_RUNNING;
	preempt_notifier_register(&t->notifier);
}

/**
 * chess_task_executed() - a task of a group, or a registered one, did an execve
 * @t: the task, which is current
 * @bprm: the program
 *
 * A program that raised its privileges, or that its user may not read, leaves the
 * control of an owner without CAP_SYS_ADMIN (invariant I7), as it leaves an
 * unprivileged tracer's.
 *
 * Context: probe (sched_process_exec).
 */
void chess_task_executed(struct chess_task *t, struct linux_binprm *bprm)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	bool raised = !chess_rights_kept(g, bprm);
	bool leaves = raised || t->brief;

	if (leaves)
		WRITE_ONCE(t->out, true);
	/* The old program's traps went away with its address space. */
	WRITE_ONCE(t->rearm, !leaves);
	t->executed = !leaves;
	t->wait_for.kept = false;
	chess_timer_executed(t);
	chess_handler_reset(t, current);
	t->traps.depth = 0;
	t->spurious.back.set = false;
	t->traps.retry = (struct chess_retry){};
	chess_await_leave(&t->traps.await);
	t->pass.set = false;
	t->traps.slot = 0;
	raw_spin_lock_irqsave(&g->plock, flags);
	if (t->pending) {
		/* Not later either: it may shed the signs of what it rose to. */
		if (raised && t->alive) {
			chess_task_remove_locked(t);
			chess_point_end_locked(g);
			irq_work_queue(&g->irq_work);
		}
		if (g->state != CHESS_GROUP_STATE_ARMED || !t->alive) {
			raw_spin_unlock_irqrestore(&g->plock, flags);
			return;
		}
		join_locked(t);
	}
	if (g->state == CHESS_GROUP_STATE_RUNNING)
		chess_record_push_locked(g, &(struct chess_event) {
			.type = CHESS_EVENT_EXEC,
			.task = t->id,
			.chosen = CHESS_TASK_NONE,
		});
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_work_queue(&t->chore, current, TWA_RESUME);
	if (leaves)
		chess_task_leave(t);
}

/**
 * chess_task_leave() - one task leaves control, the run goes on without it
 * @t: the task, which is current and holds the token
 *
 * Context: probe.
 */
void chess_task_leave(struct chess_task *t)
{
	struct chess_group *g = t->group;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	record_leave_locked(t);
	/* One that was to stay. */
	g->lost += !t->brief;
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_work_queue(&t->leave, current, TWA_RESUME);
}
