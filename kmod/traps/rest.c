// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traps at accesses rest while the run has had one task only, and that has made many accesses.
 *
 * Nothing races with what a task does before there is another one: whatever comes later is
 * ordered after it. An interpreter executes millions of loads and stores until its program
 * creates a thread; recorded, they would be most of the time of a run, and nothing would come
 * of them. Points are not recorded there either, see is_alone() in access_point.c.
 *
 * The first accesses are recorded all the same: that costs little, most programs make no more,
 * and a use after free is found among them. No trap rests while a timer is armed, nor after a
 * signal was sent: a handler may run at any instruction.
 */
#include "access.h"
#include "arch_x86.h"
#include "chess.h"
#include "group.h"
#include "image.h"
#include "patch.h"
#include "rest.h"
#include "space.h"
#include "task.h"
#include "trap.h"

/* So many accesses are recorded first; a kept process has fewer than CHESS_ASIDE_ACCESSES. */
#define CHESS_REST_RECORD	50000
/* And in runs that record none so many accesses at points are counted. */
#define CHESS_REST_POINTS	10000

/**
 * chess_rest_start() - before a run
 * @r: of an idle group
 *
 * Context: netlink, group->lock held.
 */
void chess_rest_start(struct chess_rest *r)
{
	*r = (struct chess_rest) { .due = CHESS_REST_RECORD };
}

/*
 * Loops that wait show that in the record, and atomic instructions order others. An operand
 * without registers may stand for something other than memory, as what a call does to a stream.
 */
static bool may_rest(const struct chess_operand *op)
{
	return !op->size || (!(op->flags & CHESS_OPERAND_ATOMIC) && !op->awaits &&
			     (op->base != CHESS_REG_NONE || op->index != CHESS_REG_NONE));
}

/**
 * chess_rest_wants() - is a trap one of those that rest
 * @image: the file
 * @i: which of chess_image.chosen
 *
 * Context: any.
 * Return: whether it is.
 */
bool chess_rest_wants(const struct chess_image *image, u32 i)
{
	const struct chess_probe *p = chess_image_probe(image, i);
	const struct chess_operand *op;

	if (p->id || p->flags != CHESS_PROBE_ACCESS)
		return false;
	op = chess_image_operands(image, i);
	return may_rest(&op[0]) && may_rest(&op[1]);
}

/* Not by the tasks there are: one that ended without having been waited for may race. */
static bool is_first(const struct chess_group *g)
{
	return READ_ONCE(g->next_id) == 1 && !g->adoption.process &&
	       (g->flags & CHESS_RUN_FLAGS_VIRTUAL_TIME);
}

/**
 * chess_rest_has_timers() - is there a timer that a task which is alone could wait for
 * @g: the group
 *
 * Context: any.
 * Return: whether there is.
 */
bool chess_rest_has_timers(const struct chess_group *g)
{
	return READ_ONCE(g->timers.narmed) | READ_ONCE(g->timers.ncpu);
}

/* Timers are armed in system calls of the task, and go off in others. */
static bool should_rest(const struct chess_group *g)
{
	return READ_ONCE(g->accesses.rest.resting) && !chess_rest_has_timers(g);
}

/**
 * chess_rest_begin() - traps rest from here on, if the task is the only one there has been
 * @t: the task, which is current, has the token, and is at an access
 *
 * They are taken out on the way to user mode: at the same access in every run.
 *
 * Context: probe (trap of current), IRQs off.
 */
void chess_rest_begin(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_rest *r = &g->accesses.rest;

	r->due = U32_MAX;
	if (READ_ONCE(r->had_company) || !is_first(g))
		return;
	chess_access_tell(t, CHESS_TOLD_RESTS, 0, 0, 0);
	WRITE_ONCE(r->resting, true);
	chess_work_queue(&t->chore, current, TWA_RESUME);
}

/**
 * chess_rest_at_point() - the task is at an access that would be a point, had it company
 * @t: the task, which is current, has the token, and is alone
 *
 * Context: probe (trap of current), IRQs off.
 */
void chess_rest_at_point(struct chess_task *t)
{
	struct chess_rest *r = &t->group->accesses.rest;

	if (r->due != U32_MAX && ++r->passed == CHESS_REST_POINTS)
		chess_rest_begin(t);
}

/**
 * chess_rest_end() - the first task has company
 * @r: of its group
 *
 * That happens in a system call, on whose way to user mode the traps are armed, as they are by
 * a new task in its own address space.
 *
 * Context: any.
 */
void chess_rest_end(struct chess_rest *r)
{
	WRITE_ONCE(r->had_company, true);
	WRITE_ONCE(r->resting, false);
}

/**
 * chess_rest_is_due() - are the traps of the task's address space to be taken out, or armed
 * @t: the task, which is current
 *
 * Context: probe (sys_exit) or task work.
 * Return: whether they are.
 */
bool chess_rest_is_due(const struct chess_task *t)
{
	return t->mm && READ_ONCE(t->mm->rests) != should_rest(t->group);
}

/**
 * chess_rest_map() - take traps of a map out, or arm them
 * @mm: the address space, which is current's
 * @map: the map
 * @rests: they are taken out
 *
 * Context: task work; group->leaving held.
 * Return: false where a page could not be read or written.
 */
bool chess_rest_map(struct chess_mm *mm, struct chess_map *map, bool rests)
{
	struct chess_patch w = {
		.mm = mm->mm, .map = map, .arm = !rests, .is_own = true,
		.wants = chess_rest_wants,
	};

	return chess_patch_text(&w);
}

/**
 * chess_rest_change() - take traps of the task's address space out, or arm them
 * @t: the task, which is current
 *
 * Context: task work; group->leaving held.
 */
void chess_rest_change(struct chess_task *t)
{
	bool rests = should_rest(t->group);
	u32 i;

	lockdep_assert_held(&t->group->leaving);
	if (!t->mm || t->mm->mm != current->mm)
		return;
	for (i = 0; i < t->mm->nmaps; i++)
		if (!chess_rest_map(t->mm, t->mm->maps[i], rests) && !rests)
			t->group->lost++;
	WRITE_ONCE(t->mm->rests, rests);
}
