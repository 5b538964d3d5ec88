// SPDX-License-Identifier: GPL-2.0-only
/*
 * CHESS's InterlockedWorkStealQueueWithState, with the bug of the others; see steal.h.
 *
 * expect: verdict=assert preemptions=2
 * The schedule is that of steal_interlocked.c.
 */
#include "spinlock.h"

#define PLAIN
#define THIEVES 1
#define ITEMS 4
#define STEALS 2
#include "steal.h"
