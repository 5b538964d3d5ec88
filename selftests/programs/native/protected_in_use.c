// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory is made read-only while a thread that asked whether it may write is about to.
 *
 * expect: verdict=crash
 */
#include "in_use.h"

static void get(void)
{
	map(MAP_PRIVATE);
}

static void use(void)
{
	bytes[SIZE - 1] = 1;
}

static void take_away(void)
{
	assert(!mprotect(bytes, SIZE, PROT_READ));
}
