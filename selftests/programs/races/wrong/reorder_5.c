// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's reorder_5_bad: four setters, one checker. See reorder.h.
 *
 * expect: verdict=assert preemptions=1
 */
#define SETTERS 4
#define CHECKERS 1
#include "reorder.h"
