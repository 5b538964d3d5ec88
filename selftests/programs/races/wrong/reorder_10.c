// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's reorder_10_bad: nine setters, one checker. See reorder.h.
 *
 * expect: verdict=assert preemptions=1
 * unshrunk: hold keeps each setter between its stores, and shrink does not find the one that is enough
 */
#define SETTERS 9
#define CHECKERS 1
#include "reorder.h"
