// SPDX-License-Identifier: GPL-2.0-only
/*
 * See policy_order.h. This is the active scheduler of Maple (Yu, Narayanasamy, Pereira, Pokam,
 * Maple: A Coverage-Driven Testing Tool for Multithreaded Programs, OOPSLA'12, section 4).
 *
 * A plan is a list of steps in the order in which they are to be done. A step is a place (an
 * access to memory or a call), one of two sides, and one of two objects: all steps of one side
 * are done by one task, the sides by different ones, and all steps with one object work on the
 * same one. Which tasks and objects these are is found out in the run.
 *
 * A task at the place of a step whose turn has not come is held. The first step is done when
 * a task is ready for the second; from then on the task whose step is next goes first, and the
 * one of the other side last (watch mode, section 4.4). All other tasks run by strict priority:
 * in the order of their creation or, for the complementary schedule (section 4.3), the other way
 * round. Where every task that can go on is held, the one whose step comes first goes on: the
 * paper needs a time-out to notice that, here the enabled set says so. Something that comes in
 * between, and makes what was done so far useless, begins the list again.
 *
 * Deviation: the paper tosses a coin where a task comes to a place and another could be the one
 * that is meant (section 4.5). Here this is so for a plan with a seed other than zero only:
 * without one the first that comes is taken, as most lists that can be followed at all can
 * then be followed in a first or second run.
 */
#include "policy.h"

/* Words of the plan: flags, then a place and a role for each step. */
static unsigned int steps(const struct chess_policy *p)
{
	return p->n_changes / 2;
}

static __u32 place_of(const struct chess_policy *p, unsigned int step)
{
	return p->changes[1 + 2 * step];
}

static unsigned int side_of(const struct chess_policy *p, unsigned int step)
{
	return !!(p->changes[2 + 2 * step] & CHESS_ORDER_SIDE);
}

static unsigned int object_of(const struct chess_policy *p, unsigned int step)
{
	return !!(p->changes[2 + 2 * step] & CHESS_ORDER_OBJECT);
}

/**
 * chess_order_fault() - is this a list of steps
 * @changes: as the plan has it
 * @n: its length
 *
 * Context: any.
 * Return: what is wrong with it, or NULL.
 */
const char *chess_order_fault(const __u32 *changes, unsigned int n)
{
	unsigned int i;

	if (n % 2 == 0 || n / 2 < 2 || n / 2 > CHESS_ORDER_STEPS)
		return "policy order needs flags, and a place and a role for each of two to four steps";
	if (changes[0] & ~CHESS_ORDER_REVERSED)
		return "policy order knows no such flag";
	for (i = 0; i < n / 2; i++) {
		if (!changes[1 + 2 * i])
			return "a step of policy order has no place";
		if (changes[2 + 2 * i] & ~(CHESS_ORDER_SIDE | CHESS_ORDER_OBJECT))
			return "a step of policy order has no such role";
	}
	return NULL;
}

static void begin(struct chess_policy *p)
{
	p->order = (struct chess_policy_order){ .task = { CHESS_TASK_NONE, CHESS_TASK_NONE } };
}

/**
 * chess_order_start() - a run begins
 * @p: the policy, with the plan's data set
 *
 * Context: any.
 */
void chess_order_start(struct chess_policy *p)
{
	begin(p);
}

static bool on_object(const struct chess_policy *p, const struct chess_policy_task *t,
		      unsigned int object)
{
	const struct chess_policy_range *r = &p->order.object[object];

	return r->kind == t->object_kind && t->object <= r->last && r->first <= t->last;
}

/* The first step from the next one on that @id is at; the number of steps: it is at none. */
static unsigned int step_at(const struct chess_policy *p, unsigned int id)
{
	const struct chess_policy_order *o = &p->order;
	const struct chess_policy_task *t = &p->tasks[id];
	unsigned int i, side;

	if (id >= p->known || !t->pending || !t->place)
		return steps(p);
	for (i = o->next; i < steps(p); i++) {
		side = side_of(p, i);
		if (place_of(p, i) != t->place)
			continue;
		if (o->task[side] == CHESS_TASK_NONE ? o->task[!side] == id : o->task[side] != id)
			continue;
		if (o->object[object_of(p, i)].bound && !on_object(p, t, object_of(p, i)))
			continue;
		return i;
	}
	return steps(p);
}

/**
 * chess_order_holds() - is a task held
 * @p: the policy
 * @id: a task that can go on
 *
 * Context: any.
 * Return: whether it is at a step.
 */
bool chess_order_holds(const struct chess_policy *p, unsigned int id)
{
	return step_at(p, id) < steps(p);
}

/* Could @id do the second step once @first has done the first? */
static bool follows(const struct chess_policy *p, unsigned int first, unsigned int id)
{
	const struct chess_policy_task *a = &p->tasks[first], *b = &p->tasks[id];

	if (id == first || id >= p->known || !b->pending || b->place != place_of(p, 1))
		return false;
	return object_of(p, 0) != object_of(p, 1) ||
	       (a->object_kind == b->object_kind && a->object <= b->last && b->object <= a->last);
}

/* @tries: how many pairs of tasks may still be looked at */
static bool is_ready(const struct chess_policy *p, unsigned int id, unsigned int *tries)
{
	unsigned int other;

	if (step_at(p, id) != p->order.next)
		return false;
	if (p->order.next)
		return true;
	for (other = chess_set_next(&p->choosable, 0); other != CHESS_TASK_NONE && *tries;
	     other = chess_set_next(&p->choosable, other + 1), --*tries)
		if (follows(p, id, other))
			return true;
	return false;
}

enum rank { READY, AWAITED, OTHER, DONE, HELD };

/* What is lowest goes first. */
static unsigned int rank_of(const struct chess_policy *p, unsigned int id, unsigned int *tries)
{
	unsigned int awaited = p->order.task[side_of(p, p->order.next)];

	if (is_ready(p, id, tries))
		return READY;
	if (chess_order_holds(p, id))
		return HELD + step_at(p, id);
	if (id == awaited)
		return AWAITED;
	return id == p->order.task[0] || id == p->order.task[1] ? DONE : OTHER;
}

/**
 * chess_order_choose() - who goes on
 * @p: the policy; @choosable has those who may
 * @from: what there is to choose from; a deadline is let pass only if that is usual
 * @held: whether there was nobody but tasks that are held
 *
 * Context: any.
 * Return: task id.
 */
unsigned int chess_order_choose(const struct chess_policy *p,
				const struct chess_policy_choice *from, bool *held)
{
	unsigned int id, rank, best = from->usual, least = CHESS_TASK_NONE;
	/* Interrupts are off: the work must not grow with the square of the tasks. */
	unsigned int tries = 4 * CHESS_MAX_TASKS;

	*held = false;
	if (p->order.next == steps(p) || !chess_set_has(from->enabled, best))
		return best;
	for (id = chess_set_next(from->enabled, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(from->enabled, id + 1)) {
		if (!chess_set_has(&p->choosable, id) || id >= p->known)
			continue;
		rank = rank_of(p, id, &tries);
		if (rank > least || (rank == least &&
				     p->tasks[id].priority < p->tasks[best].priority))
			continue;
		least = rank;
		best = id;
	}
	*held = least >= HELD && least != CHESS_TASK_NONE;
	return best;
}

/* Is a step on this object done, and the next one on it, of the other side, not yet? */
static bool is_open(const struct chess_policy *p, unsigned int object)
{
	unsigned int i, last = CHESS_TASK_NONE;

	for (i = 0; i < p->order.next; i++)
		if (object_of(p, i) == object)
			last = side_of(p, i);
	for (; i < steps(p); i++)
		if (object_of(p, i) == object)
			return last != CHESS_TASK_NONE && side_of(p, i) != last;
	return false;
}

/*
 * Does an op that is not a step make the steps that were done useless? A write between two
 * that are to follow each other does; so does any access of the task that did the first step,
 * as its side is the one that is interrupted.
 */
static bool spoils(const struct chess_policy *p, unsigned int id)
{
	const struct chess_policy_task *t = &p->tasks[id];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (!p->order.object[i].bound || !on_object(p, t, i))
			continue;
		if (id == p->order.task[side_of(p, 0)] || (t->write && is_open(p, i)))
			return true;
	}
	return false;
}

/**
 * chess_order_go() - a task does what it is at
 * @p: the policy
 * @id: the task; its op is pending still
 *
 * Context: any.
 */
void chess_order_go(struct chess_policy *p, unsigned int id)
{
	struct chess_policy_task *t = &p->tasks[id];
	unsigned int next = p->order.next;

	if (next == steps(p) || !t->pending)
		return;
	if (step_at(p, id) == next) {
		p->order.task[side_of(p, next)] = id;
		p->order.object[object_of(p, next)] = (struct chess_policy_range){
			.first = t->object, .last = t->last, .kind = t->object_kind, .bound = true,
		};
		p->order.next++;
	} else if (spoils(p, id)) {
		begin(p);
	}
}
