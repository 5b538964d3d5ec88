// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's twostage: ten of each, as in PERIOD's set. See twostage.h.
 *
 * expect: verdict=assert preemptions=1
 * options: --strategy surw
 * unshrunk: hold keeps each writer between its critical sections, and shrink does not find the one that is enough
 * More orders of twenty tasks have no preemption than a search with a bound gets through.
 */
#define WRITERS 10
#define READERS 10
#include "twostage.h"
