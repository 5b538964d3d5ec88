// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's wronglock_bad: seven tasks with the wrong lock. See wronglock.h.
 *
 * expect: verdict=assert preemptions=1
 */
#define OTHERS 7
#include "wronglock.h"
