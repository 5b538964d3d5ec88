// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's reorder_3_bad: two setters, one checker. See reorder.h.
 *
 * expect: verdict=assert preemptions=1
 */
#define SETTERS 2
#define CHECKERS 1
#include "reorder.h"
