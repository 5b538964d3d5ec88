// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Other ways at a decision of a record: which there are, and whether they are preemptions. See
 * forks.h, for which they are the branches of the tree.
 */
#include "internal.h"
#include "record/decision.h"
#include "search/forks.h"

/**
 * chess_forks_may() - is a task another way at a decision?
 * @r: the record
 * @i: the decision
 * @task: not the one that was chosen there
 *
 * A task that yields is an alternative where fairness limits how often, but not to time that
 * passes. Where nothing is fair, it lets another task go first, if there is one.
 *
 * Return: whether it could be chosen.
 */
bool chess_forks_may(const struct chess_record *r, size_t i, uint16_t task)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (task == e->chosen || e->type == CHESS_EVENT_EXPIRE)
		return false;
	if (chess_event_gives_way(e) && task == e->task &&
	    !(chess_record_fair(r) && chess_record_enabled(r, i, e->chosen)))
		return false;
	return chess_record_timed(r, i, task) || chess_record_allowed(r, i, task);
}

/**
 * chess_forks_preempts() - is it a preemption when another enabled task runs?
 * @r: the record
 * @i: the decision
 *
 * Leaving a task is free where it was killed at its point, or where fairness no longer lets it
 * go first; in a fair run also where it yields (PLDI'08, section 3). It is free too after timers
 * that went off early: the tasks they made runnable preempted it and are done (OSDI'08,
 * section 3.4).
 */
bool chess_forks_preempts(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (chess_event_gives_way(e) ? chess_record_fair(r) : e->type != CHESS_EVENT_POINT)
		return false;
	if (chess_record_is_expired(r, i))
		return false;
	return chess_record_allowed(r, i, e->task);
}

/**
 * chess_forks_ways() - the range of the numbers of ways at a decision
 * @r: the record
 * @i: the decision
 *
 * Return: the size of the range; ways to end a wait are not tasks.
 */
size_t chess_forks_ways(const struct chess_record *r, size_t i)
{
	return chess_record_event(r, i)->type == CHESS_EVENT_SPURIOUS ? CHESS_ENDS_FOR_NOTHING + 1 :
	       chess_record_tasks(r);
}

/**
 * chess_forks_ends_early() - does a way end a wait before its time?
 * @r: the record
 * @i: the decision
 * @way: number of a task, or a way to end a wait
 *
 * How the wait ends is free where the decision before this one ended it early.
 *
 * Return: whether it does.
 */
bool chess_forks_ends_early(const struct chess_record *r, size_t i, uint16_t way)
{
	const struct chess_event *e = chess_record_event(r, i);

	if (e->type == CHESS_EVENT_SPURIOUS)
		return way == CHESS_ENDS_FOR_NOTHING && !e->arg;
	return chess_record_timed(r, i, way);
}
