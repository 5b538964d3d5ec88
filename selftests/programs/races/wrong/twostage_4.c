// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's twostage: two of each, which SCTBench has not. See twostage.h.
 *
 * expect: verdict=assert preemptions=1
 */
#define WRITERS 2
#define READERS 2
#include "twostage.h"
