// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's reorder_10_bad: nine setters, one checker. See reorder.h.
 *
 * expect: verdict=assert preemptions=1
 */
#define SETTERS 9
#define CHECKERS 1
#include "reorder.h"
