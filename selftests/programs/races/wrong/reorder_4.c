// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's reorder_4_bad: three setters, one checker. See reorder.h.
 *
 * expect: verdict=assert preemptions=1
 */
#define SETTERS 3
#define CHECKERS 1
#include "reorder.h"
