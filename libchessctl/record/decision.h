/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which events of a record are decisions, and whether the module made some of them itself
 * (forced.c).
 */
#ifndef CHESSCTL_DECISION_H
#define CHESSCTL_DECISION_H

#include "chessctl/chessctl.h"

static inline bool chess_event_is_decision(const struct chess_event *e)
{
	return e->type && CHESS_EVENT_IS_DECISION(e->type);
}

/* Has a record an event of this type? All were seen when they were appended. */
bool chess_record_has_type(const struct chess_record *r, enum chess_event_type type);
/* Is a signal sent in it, by a task or a timer? */
bool chess_record_has_signals(const struct chess_record *r);

/* Does @e say which task goes on? Where no task was enabled and no deadline could pass there
 * was nothing to decide: the module takes nothing from the prefix there.
 */
static inline bool chess_event_decides(const struct chess_event *e)
{
	return chess_event_is_decision(e) && e->chosen != CHESS_TASK_NONE;
}

/* Is @e about points, waits and ends, and do neither time nor anything outside take part? */
static inline bool chess_event_is_ordinary(const struct chess_event *e)
{
	switch (e->type) {
	case CHESS_EVENT_WAKE:
		if (e->object == CHESS_TASK_NONE)
			return false;
		break;
	case CHESS_EVENT_POINT:
	case CHESS_EVENT_BLOCK:
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_SPAWN:
	case CHESS_EVENT_EXEC:
	case CHESS_EVENT_KILLED:
		break;
	default:
		return false;
	}
	return !e->timed && !(e->flags & (CHESS_OPF_EARLY | CHESS_OPF_TIMER));
}

/* At a system call that sends a signal? */
static inline bool chess_event_sends_signal(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && e->op == CHESS_OP_SIGNAL &&
	       (e->flags & (CHESS_OPF_RELEASE | CHESS_OPF_PROBE)) == CHESS_OPF_RELEASE;
}

/* At an access of a loop that waits, whose turn before this one was like it? */
static inline bool chess_event_awaits(const struct chess_record *r, const struct chess_event *e)
{
	return e->flags & CHESS_OPF_YIELD && e->type == CHESS_EVENT_POINT &&
	       chess_record_yield_await(r) && chess_event_is_access(e);
}

/* Was @task the only one that could go on at decision @i? A set has 64 tasks at most. */
static inline bool chess_record_is_alone(const struct chess_record *r, size_t i, uint16_t task)
{
	const struct chess_event *e = chess_record_event(r, i);

	return chess_record_tasks(r) > 64 || !((e->enabled | e->timed) & ~(1ULL << task));
}

bool chess_record_was_forced(const struct chess_record *r);

#endif /* CHESSCTL_DECISION_H */
