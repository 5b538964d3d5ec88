// SPDX-License-Identifier: GPL-2.0-only
/*
 * CHESS's StateWorkStealQueue, with two thieves and the bug of the others; see steal.h.
 *
 * expect: verdict=assert preemptions=2
 * The schedule: T0 pushes 0 and 1 and is preempted; T1 moves the head past 0 and is
 * preempted before it takes it. T0 pushes 2 into the entry of 0: two taken for free of
 * two. T1 takes 2, and 0 is lost. Two preemptions as in steal_interlocked.c; the second
 * thief is not needed.
 */
#include "spinlock.h"

#define PLAIN
#define IN_TURN
#define THIEVES 2
#define ITEMS 4
#define STEALS 2
#include "steal.h"
