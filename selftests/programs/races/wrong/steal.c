// SPDX-License-Identifier: GPL-2.0-only
/*
 * CHESS's WorkStealQueue, with a lock of the system; see steal.h.
 *
 * expect: verdict=assert preemptions=2
 * The schedule: T0 pushes 0 and 1 and is preempted; T1 moves the head past 0 and is
 * preempted before it takes it (before its load of the tail will do). T0 pops 1, pushes
 * 2, and then 3 into the entry of 0, which it takes for free. T1 takes 3, and 0 is lost.
 * Two preemptions: T1 begins only when T0 is preempted, unless T0 is through; and it
 * does not block while it has the lock. CHESS found it with two as well.
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define LOCK() pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#define THIEVES 1
#define ITEMS 4
#define STEALS 2
#include "steal.h"
