/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where tasks wait for the token.
 */
#ifndef _CHESS_GATE_H
#define _CHESS_GATE_H

#include "chess.h"

extern struct preempt_ops chess_gate_notifier;

/**
 * chess_gate_current() - the task of current, if it is executed under control
 *
 * Much faster than chess_task_find(), and other tasks are told at a glance.
 *
 * Context: any.
 * Return: the task or NULL.
 */
static inline struct chess_task *chess_gate_current(void)
{
	struct preempt_notifier *notifier;

	/* Nobody else changes it. */
	hlist_for_each_entry(notifier, &current->preempt_notifiers, link)
		if (notifier->ops == &chess_gate_notifier)
			return container_of(notifier, struct chess_task, notifier);
	return NULL;
}

void chess_gate_init(struct chess_task *t);
void chess_gate_arm(struct chess_task *t);
bool chess_gate_adopt(struct chess_task *t);
void chess_gate_wake(struct chess_group *g);
void chess_gate_open(struct chess_group *g);
void chess_gate_quantum(struct chess_task *t);
int chess_gate_custom(struct chess_task *t, u64 object, u32 op, u32 flags);

#endif /* _CHESS_GATE_H */
