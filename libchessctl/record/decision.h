/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which events of a record are decisions, and whether the module made some of them itself
 * (forced.c).
 */
#ifndef CHESSCTL_DECISION_H
#define CHESSCTL_DECISION_H

#include "chessctl/chessctl.h"

/* Does @e say which task goes on? Where no task was enabled and no deadline could pass there
 * was nothing to decide: the module takes nothing from the prefix there.
 */
static inline bool chess_event_decides(const struct chess_event *e)
{
	return e->type && CHESS_EVENT_IS_DECISION(e->type) && e->chosen != CHESS_TASK_NONE;
}

bool chess_record_was_forced(const struct chess_record *r);

#endif /* CHESSCTL_DECISION_H */
