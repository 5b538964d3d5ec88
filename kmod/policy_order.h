/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Policy order: tasks do a few chosen operations in a chosen order, where the program allows
 * it. Pure as policy.h is; policy.c is the only caller.
 */
#ifndef _CHESS_POLICY_ORDER_H
#define _CHESS_POLICY_ORDER_H

#include "decide.h"

struct chess_policy;
struct chess_policy_choice;

/**
 * struct chess_policy_range - the object of a step that was done
 * @first: its number as in struct chess_event; of an access to memory its first byte
 * @last: of an access to memory its last byte, else @first
 * @kind: enum chess_object_kind
 * @bound: a step with this object was done
 */
struct chess_policy_range {
	__u64 first;
	__u64 last;
	__u8 kind;
	bool bound;
};

/**
 * struct chess_policy_order - where in the order a run is
 * @next: number of the step that comes next; the plan's number of steps when all are done
 * @task: the tasks that do the steps of either side, or CHESS_TASK_NONE until one is done
 * @object: the objects of the steps
 */
struct chess_policy_order {
	unsigned int next;
	unsigned int task[2];
	struct chess_policy_range object[2];
};

const char *chess_order_fault(const __u32 *changes, unsigned int n);
void chess_order_start(struct chess_policy *p);
bool chess_order_holds(const struct chess_policy *p, unsigned int id);
unsigned int chess_order_choose(const struct chess_policy *p,
				const struct chess_policy_choice *from, bool *held);
void chess_order_go(struct chess_policy *p, unsigned int id);

#endif /* _CHESS_POLICY_ORDER_H */
