/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What decides after the prefix where a plan wants something other than the default
 * policy: chance, priorities, weights. Pure as decide.h is, and compiled where that
 * is: no lock, no allocation, no floating point, no time. A choice depends on the
 * plan and on the events handed in before, so one plan gives one record (invariant
 * I3) on every machine. policy.c says which paper each policy is from.
 */
#ifndef _CHESS_POLICY_H
#define _CHESS_POLICY_H

#include "decide.h"
#include "policy_order.h"
#include "policy_pairs.h"

/* So often at most a policy has timers go off early in a run: a periodic one never ends. */
#define CHESS_POLICY_EXPIRIES	16
/* So often a task that nobody but held ones is beside yields before one of those goes on. */
#define CHESS_POLICY_ROUNDS	8

/**
 * struct chess_policy_task - what a policy knows of a task
 * @priority: pct: of the task; pos, pairs: of its pending op; the highest goes on
 * @object: of its last point
 * @last: order, pairs: last byte of an access to memory, else @object
 * @weight: surw: see the plan; not changed by a run
 * @left: surw: what of @weight is still to come
 * @object_kind: of @object
 * @write: its last point writes
 * @pending: it is at that point, the op has not begun
 * @place: hold, order, pairs: site of that point, or CHESS_HOLD_CALL(); 0: it is something else
 */
struct chess_policy_task {
	__u64 priority;
	__u64 object;
	__u64 last;
	__u32 weight;
	__u32 left;
	__u8 object_kind;
	bool write;
	bool pending;
	__u32 place;
};

/**
 * struct chess_policy - a policy, the plan's data for it, and where it is in a run
 * @kind: enum chess_policy_kind; all below is of no use with the default
 * @n_changes: length of @changes
 * @changes: round robin: steps of a slice; pct: numbers of decisions, from 1 where there is a
 *	second task first; hold: pairs of a place and the task held there, or CHESS_TASK_NONE:
 *	all tasks; order: flags, then a place and a role for each step; pairs: two places and
 *	flags for each
 * @object_kind: surw: of @object; CHESS_OBJECT_NONE: each point is an event
 * @seed: of the random numbers
 * @object: surw: whose events are counted
 * @tasks: CHESS_MAX_TASKS entries; given by whoever sets the policy
 * @random: state of the generator; this and all below is of the run
 * @known: tasks seen so far; the ids below
 * @decisions: taken since there are two tasks
 * @yields: pct: how often a task was put after all others
 * @intended: surw: whose event is the next one; round robin, pos, pairs: who went on last; or
 *	CHESS_TASK_NONE
 * @timer: pct, pos: priority of the timers, as if they were a task
 * @rounds: round robin: steps of @intended in a row; hold, order, pairs: yields since a task that
 *	was held went on
 * @expiries: how often the policy had timers go off before their time
 * @expired: it just did
 * @reached: the event of the decision in work was taken in
 * @order: order: steps done
 * @pairs: pairs: what of them was done
 * @held: surw: tasks at events that have to wait for the intended one
 * @choosable: who can be chosen at the decision in work
 */
struct chess_policy {
	__u32 kind;
	__u32 n_changes;
	__u32 changes[CHESS_MAX_CHANGES];
	__u32 object_kind;
	__u64 seed;
	__u64 object;
	struct chess_policy_task *tasks;
	__u64 random;
	unsigned int known;
	unsigned int decisions;
	unsigned int yields;
	unsigned int intended;
	__u64 timer;
	unsigned int rounds;
	unsigned int expiries;
	bool expired;
	bool reached;
	struct chess_policy_order order;
	struct chess_policy_pairs pairs;
	struct chess_set held;
	struct chess_set choosable;
};

/**
 * struct chess_policy_choice - what there is to choose from
 * @enabled: who may go on: the enabled set, or what fairness leaves of it; together
 *	with @timed not empty
 * @unfair: the enabled set; NULL: it is @enabled
 * @timed: tasks that wait with a deadline; to choose one is to let it pass
 * @usual: what the default policy chooses
 * @forced: what the prefix wants, and one of the two sets has; or CHESS_TASK_NONE
 */
struct chess_policy_choice {
	const struct chess_set *enabled;
	const struct chess_set *unfair;
	const struct chess_set *timed;
	unsigned int usual;
	unsigned int forced;
};

void chess_policy_start(struct chess_policy *p);
void chess_policy_spawn(struct chess_policy *p, unsigned int parent, unsigned int child);
bool chess_policy_expires(struct chess_policy *p, const struct chess_event *e,
			  const struct chess_set *enabled, const struct chess_set *timed);
unsigned int chess_policy_decide(struct chess_policy *p, const struct chess_event *e,
				 const struct chess_policy_choice *from);
unsigned int chess_policy_signal(struct chess_policy *p, __u64 takers, unsigned int usual);

#endif /* _CHESS_POLICY_H */
