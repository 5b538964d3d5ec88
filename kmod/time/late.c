// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which deadlines and timers the owner keeps from passing early, besides those that limit the
 * time of a child or of a process: those that are far away, and those of programs with
 * certain names. They pass at their time as others do, and not before.
 *
 *     deadline.c, timer_call.c, timer_table.c --> chess_late_why_locked()
 *     elapse.c --> chess_late_overdue_locked()
 */
#include <linux/sched.h>
#include <linux/string.h>

#include "chess.h"
#include "clock.h"
#include "deadline.h"
#include "late.h"
#include "task.h"

/*
 * By the name of the first thread, as in /proc/PID/comm. Only the program itself changes it, or
 * somebody outside control, who could as well change its memory.
 */
static bool is_named(const struct chess_task *t)
{
	const char *comm = t->task->group_leader->comm, *from = t->group->late.programs, *end;
	size_t len = strnlen(comm, TASK_COMM_LEN);

	for (; *from; from = *end ? end + 1 : end) {
		end = strchrnul(from, ',');
		if (len == end - from && !memcmp(from, comm, len))
			return true;
	}
	return false;
}

/**
 * chess_late_why_locked() - is a deadline or timer kept from passing early?
 * @t: the task that sets it, which is current
 * @deadline: on the group's clock, nanoseconds
 *
 * Context: any, group->plock held.
 * Return: why it is, or CHESS_LATE_NOT.
 */
enum chess_late_why chess_late_why_locked(const struct chess_task *t, u64 deadline)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	if (is_named(t))
		return CHESS_LATE_NAMED;
	return chess_late_is_far_locked(t->group, deadline) ? CHESS_LATE_FAR : CHESS_LATE_NOT;
}

/**
 * chess_late_is_far_locked() - is a deadline too far away to pass early?
 * @g: the group
 * @deadline: on the group's clock, nanoseconds
 *
 * Context: any, group->plock held.
 * Return: whether it is.
 */
bool chess_late_is_far_locked(const struct chess_group *g, u64 deadline)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return g->late.early_max && deadline > chess_clock_later(g, g->late.early_max);
}

/* One that passes at its time, and not before. */
static struct chess_task *first_late_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_set *held = &g->deadlines.guarding;
	struct chess_task *t, *first = NULL;
	unsigned int id;

	lockdep_assert_held(&g->plock);
	for (id = chess_set_next(held, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(held, id + 1)) {
		t = g->by_id[id];
		if (!t->wait_for.guards &&
		    (!first || t->wait_for.deadline < first->wait_for.deadline))
			first = t;
	}
	return first;
}

/**
 * chess_late_comes_locked() - does a task wait for time to pass
 * @g: the group
 *
 * Not for a limit of a child.
 *
 * Context: any, group->plock held.
 * Return: whether one does.
 */
bool chess_late_comes_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return g->timed.count || (g->deadlines.guarding.count && first_late_locked(g));
}

/**
 * chess_late_overdue_locked() - whose deadline has the clock passed
 * @g: the group
 *
 * Not limits for children, which pass only when nobody else can go on.
 *
 * Context: any, group->plock held.
 * Return: the task with the earliest, or NULL.
 */
struct chess_task *chess_late_overdue_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *late = g->deadlines.guarding.count ? first_late_locked(g) : NULL;
	struct chess_task *first = chess_deadline_first_locked(g);

	lockdep_assert_held(&g->plock);
	if (late && (!first || late->wait_for.deadline < first->wait_for.deadline))
		first = late;
	return first && first->wait_for.deadline <= g->clock.now ? first : NULL;
}
