// SPDX-License-Identifier: GPL-2.0-only
/*
 * CHESS's InterlockedWorkStealQueue, with a lock of its own; see steal.h.
 *
 * expect: verdict=assert preemptions=2
 * The schedule is that of steal.c. A task that spins gives way without a preemption, but
 * T1 has the lock when it must be left, so it does not spin.
 */
#include "spinlock.h"

#define THIEVES 1
#define ITEMS 4
#define STEALS 2
#include "steal.h"
