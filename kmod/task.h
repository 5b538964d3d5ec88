/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks under control: the table that finds them, their birth and their end.
 */
#ifndef _CHESS_TASK_H
#define _CHESS_TASK_H

#include <linux/sched/signal.h>

#include "chess.h"

struct linux_binprm;

struct chess_task *chess_task_find(const struct task_struct *task);
struct chess_task *chess_task_create_with_spare(struct chess_group *group);
void chess_task_free(struct chess_task *t);
void chess_task_free_dead(struct chess_task *list);
int chess_task_register(struct chess_group *group, struct task_struct *task);
void chess_task_add_locked(struct chess_task *t, struct task_struct *task);
bool chess_task_works_queued(const struct chess_task *t);
bool chess_task_shares(struct chess_group *g, const struct mm_struct *space);
struct chess_task *chess_task_next(struct chess_group *g, u32 id);
void chess_task_bury_locked(struct chess_task *t);
void chess_task_discard_locked(struct chess_task *t);
void chess_task_remove_locked(struct chess_task *t);
int chess_task_exit_code(const struct task_struct *task);

/* birth.c */
int chess_task_adopt(struct chess_group *g, struct task_struct *task);
void chess_task_arm_adopted(struct chess_group *g);
void chess_task_forked(struct chess_task *parent, struct task_struct *child);
void chess_task_executed(struct chess_task *t, struct linux_binprm *bprm);
void chess_task_leave(struct chess_task *t);

/**
 * chess_task_settled_locked() - a task that was woken to be frozen is back in its place
 * @t: the task, or another
 *
 * Context: any, group->plock held.
 * Return: whether it was.
 */
static inline bool chess_task_settled_locked(struct chess_task *t)
{
	bool was = t->unsettled;

	t->unsettled = false;
	t->group->nunsettled -= was;
	return was;
}

/**
 * chess_task_enable_locked() - put a task into the enabled set
 * @t: the task, which may be latched
 *
 * Context: any, group->plock held.
 */
static inline void chess_task_enable_locked(struct chess_task *t)
{
	struct chess_group *g = t->group;

	if (t->latched) {
		t->latched = false;
		g->nlatched--;
	}
	t->enabled = true;
	t->line.place = 0;
	chess_task_settled_locked(t);
	chess_set_add(&g->enabled, t->id);
	chess_set_remove(&g->timed, t->id);
	chess_set_remove(&g->spurious, t->id);
	chess_set_remove(&g->guarding, t->id);
}

/**
 * chess_task_address() - an address of current's program, as records tell it
 * @address: user address
 *
 * The kernel leaves more room than this between the first stack and the mappings
 * below it.
 *
 * Context: any, in current.
 * Return: the same; on the first stack: as if that began at CHESS_STACK_START.
 */
static inline u64 chess_task_address(u64 address)
{
	if (address - CHESS_STACK_LOW >= TASK_SIZE_MAX - CHESS_STACK_LOW || !current->mm)
		return address;
	return address - current->mm->start_stack + CHESS_STACK_START;
}

bool chess_work_queue(struct chess_work *work, struct task_struct *task,
		      enum task_work_notify_mode mode);

/**
 * chess_task_dying() - does this task go its way out without the token
 * @t: a task other than the one that takes a decision
 *
 * Fatal signals always win (invariant I4): such a task runs to its end at once.
 * Decisions wait for that end, see settle.c.
 *
 * Context: any.
 * Return: whether it does.
 */
static inline bool chess_task_dying(const struct chess_task *t)
{
	return (t->task->flags & PF_EXITING) ||
	       __fatal_signal_pending(t->task) ||
	       (READ_ONCE(t->task->signal->flags) & SIGNAL_GROUP_EXIT);
}

#endif /* _CHESS_TASK_H */
