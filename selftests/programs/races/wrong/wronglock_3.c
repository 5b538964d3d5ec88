// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's wronglock_3_bad: three tasks with the wrong lock. See wronglock.h.
 *
 * expect: verdict=assert preemptions=1
 */
#define OTHERS 3
#include "wronglock.h"
