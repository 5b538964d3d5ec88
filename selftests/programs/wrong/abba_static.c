// SPDX-License-Identifier: GPL-2.0-only
/*
 * abba.c, linked statically: its sync functions are in the program itself.
 *
 * expect: verdict=deadlock preemptions=1
 * For the same reason as abba.c.
 */
#include "abba.c"
