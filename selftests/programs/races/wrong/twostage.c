// SPDX-License-Identifier: GPL-2.0-only
/*
 * SCTBench's twostage: one writer, one reader. See twostage.h.
 *
 * expect: verdict=assert preemptions=1
 */
#define WRITERS 1
#define READERS 1
#include "twostage.h"
