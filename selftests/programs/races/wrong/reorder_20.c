// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's reorder_20_bad: ten setters, ten checkers. See reorder.h.
 *
 * expect: verdict=assert preemptions=1
 * unshrunk: hold keeps each setter between its stores, and shrink does not find the one that is enough
 */
#define SETTERS 10
#define CHECKERS 10
#include "reorder.h"
