/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One slow timer per running group: spins, stalls, deferred decisions.
 */
#ifndef _CHESS_WATCHDOG_H
#define _CHESS_WATCHDOG_H

#include "chess.h"

#define CHESS_TICK_MS		10
/* Ticks a decision waits for dying tasks, and for a task its prefix asks for. */
#define CHESS_DYING_TICKS	200
#define CHESS_AWAIT_TICKS	30

void chess_watchdog_init(struct chess_group *g);
void chess_watchdog_start(struct chess_group *g);
void chess_watchdog_adopted(struct chess_group *g);
void chess_watchdog_stop(struct chess_group *g);

#endif /* _CHESS_WATCHDOG_H */
