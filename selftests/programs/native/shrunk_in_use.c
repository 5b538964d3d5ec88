// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mapping is made smaller, where it is, while a thread that asked is about to write to its end.
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
	assert(mremap(bytes, SIZE, SIZE / 2, 0) == bytes);
}
