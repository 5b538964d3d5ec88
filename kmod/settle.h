/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decision: who gets the token.
 */
#ifndef _CHESS_SETTLE_H
#define _CHESS_SETTLE_H

#include "chess.h"

bool chess_settle_locked(struct chess_group *g);
bool chess_settle_defer_locked(struct chess_task *t, const struct chess_event *e);
bool chess_settle_others_dying_locked(const struct chess_group *g, u32 except);
void chess_settle_wake_locked(struct chess_task *t, u32 waker);
void chess_settle_guards_locked(struct chess_group *g, u32 task, u64 deadline);
void chess_settle_dying_locked(struct chess_group *g);
void chess_settle_diverged_locked(struct chess_group *g, u16 task, unsigned int want,
				  u64 enabled, u64 timed);

#endif /* _CHESS_SETTLE_H */
