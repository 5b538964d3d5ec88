/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a task comes into the enabled set: inline, for points and wake-ups.
 */
#ifndef _CHESS_ENABLED_H
#define _CHESS_ENABLED_H

#include "chess.h"

/**
 * chess_task_came_back_locked() - a task that was woken to be frozen is back in its place
 * @t: the task, or another
 *
 * Context: any, group->plock held.
 * Return: whether it was.
 */
static inline bool chess_task_came_back_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	bool was = t->away;

	lockdep_assert_held(&t->group->plock);
	t->away = false;
	t->group->naway -= was;
	return was;
}

/**
 * chess_task_enable_locked() - put a task into the enabled set
 * @t: the task, which may be latched
 *
 * Context: any, group->plock held.
 */
static inline void chess_task_enable_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	if (t->latched) {
		t->latched = false;
		g->latches.n--;
	}
	t->enabled = true;
	t->line.place = 0;
	chess_task_came_back_locked(t);
	chess_set_add(&g->enabled, t->id);
	chess_set_remove(&g->timed, t->id);
	chess_set_remove(&g->spurious.tasks, t->id);
	chess_set_remove(&g->deadlines.guarding, t->id);
}

#endif /* _CHESS_ENABLED_H */
